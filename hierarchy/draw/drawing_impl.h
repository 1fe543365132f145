/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DRAWING_IMPL_H
#define DRAWING_IMPL_H

/* drawing_impl.h - the parts of a drawing, for those who write it. */

#include "hierarchy/draw/draw.h"

#include "hierarchy/draw/look.h"

/* Longest lists of names and ranks that are shown; "..." stands for more. */
enum { PART_LIST = 60 };

enum part_kind {
    PART_RANKS,  /* ranks of one host, directly in a group of several */
    PART_GROUP,  /* a group with its contents */
    PART_CLOSED, /* a group whose contents are only counted */
    PART_REST,   /* several groups for which there is no room */
};

/* All texts belong to the part. */
struct part {
    enum part_kind kind;
    int node;   /* of the hierarchy: the only or the first one */
    int parent; /* -1 for the root; parents come before their parts */
    int depth;
    int nalike;     /* groups it stands for */
    int is_typical; /* 1: inside a part that stands for several, and so itself one of several */
    int has_parts;
    int nhosts, nranks; /* of all it stands for */
    char *names;        /* of the groups, "" when they have none: "r[001-125]" */
    char *hosts;        /* "r001n[01-16]" */
    char *ranks;        /* "0-3,8" */
};

struct hitop_drawing {
    const struct hitop_hierarchy *h;
    struct look look;
    struct part *part; /* each one followed by what is in it */
    int nparts, nleaves;
};

/* Nodes that make up one part. */
struct part_members {
    const int *node;
    int count;
};

/* Fill in what the members have and what they are called. Only fails with HITOP_ERR_NOMEM. */
HITOP_MUST_CHECK enum hitop_status hitop_part_describe(struct part *part, struct look *look,
                                                       struct part_members members);

void hitop_part_clear(struct part *part);

/* The level of a part, never "". */
const char *hitop_part_level(const struct hitop_drawing *d, const struct part *part);

/* Whether the number of its hosts is worth telling: not in a host. */
int hitop_part_tells_hosts(const struct hitop_drawing *d, const struct part *part);

/* Groups of which each has what is told. */
static inline int part_count_each(const struct part *part)
{
    return part->kind == PART_REST ? 1 : part->nalike;
}

#endif /* DRAWING_IMPL_H */
