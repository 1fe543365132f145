/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DRAWING_IMPL_H
#define DRAWING_IMPL_H

/* drawing_impl.h - the parts of a drawing, for those who write it. */

#include "hierarchy/draw/draw.h"

#include "hierarchy/draw/layout.h"

/* Longest lists of names and ranks that are shown; "..." stands for more. */
enum { SUMMARY_LIST = 60 };

enum summary_kind {
    SUMMARY_RANKS,  /* ranks of one host, directly in a group of several */
    SUMMARY_GROUP,  /* a group with its contents */
    SUMMARY_CLOSED, /* a group whose contents are only counted */
    SUMMARY_REST,   /* several groups for which there is no room */
};

/* All texts belong to the part. */
struct summary {
    enum summary_kind kind;
    int node;   /* of the hierarchy: the only or the first one */
    int parent; /* -1 for the root; parents come before their parts */
    int depth;
    int nalike;     /* groups it stands for */
    int is_typical; /* 1: inside a part that stands for several, and so itself one of several */
    int has_children;
    int nhosts, nranks; /* of all it stands for */
    char *names;        /* of the groups, "" when they have none: "r[001-125]" */
    char *hosts;        /* "r001n[01-16]" */
    char *ranks;        /* "0-3,8" */
};

struct hitop_drawing {
    const struct hitop_hierarchy *h;
    struct layout layout;
    struct summary *summary; /* each one followed by what is in it */
    int nsummaries, nleaves;
};

/* Nodes that make up one part. */
struct summary_members {
    const int *node;
    int count;
};

/* Fill in what the members have and what they are called. Only fails with HITOP_ERR_NOMEM. */
HITOP_MUST_CHECK enum hitop_status hitop_summary_describe(struct summary *summary,
                                                          struct layout *layout,
                                                          struct summary_members members);

void hitop_summary_clear(struct summary *summary);

/* The level of a summary, never "". */
const char *hitop_summary_level(const struct hitop_drawing *d, const struct summary *summary);

/* Whether the number of its hosts is worth telling: not in a host. */
int hitop_summary_shows_hosts(const struct hitop_drawing *d, const struct summary *summary);

/* Groups of which each has what is told. */
static inline int summary_count_each(const struct summary *summary)
{
    return summary->kind == SUMMARY_REST ? 1 : summary->nalike;
}

#endif /* DRAWING_IMPL_H */
