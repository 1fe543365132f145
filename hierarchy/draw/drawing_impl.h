/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DRAWING_IMPL_H
#define DRAWING_IMPL_H

/* drawing_impl.h - the nodes of a drawing, for its writers. */

#include "hierarchy/draw/draw.h"

#include "hierarchy/draw/columns.h"
#include "hierarchy/hostlist/host_counter.h"

/* Maximum length of a list of names or ranks, with the "..." that replaces the rest. */
enum { SUMMARY_LIST = 60 };

enum summary_kind {
    SUMMARY_RANKS,  /* ranks of one host, directly in a group of several hosts */
    SUMMARY_GROUP,  /* a group with its contents */
    SUMMARY_CLOSED, /* a group whose contents are only counted */
    SUMMARY_REST,   /* all groups beyond the limit, in one node */
};

/* One node of a drawing. */
struct summary {
    enum summary_kind kind;
    int node;   /* node of the hierarchy: the first one that it summarizes */
    int parent; /* -1 for the root; parents come before their children */
    int depth;
    int nalike;     /* number of groups that it summarizes */
    int is_typical; /* 1: it shows the contents of the first of several groups */
    int has_children;
    int nhosts, nranks; /* of all groups that it summarizes */
    const char *names;  /* of the groups, e.g. "r[001-125]"; "" if they have none */
    const char *hosts;  /* "r001n[01-16]" */
    const char *ranks;  /* "0-3,8" */
};

/* Values that are computed once for a hierarchy. */
struct layout {
    const struct hitop_hierarchy *h;
    struct columns columns;
    struct host_counter hosts;
    int one_domain; /* 1: all hosts have the same domain, which is not shown */
};

struct hitop_drawing {
    const struct hitop_hierarchy *h;
    struct layout layout;
    struct summary *summary; /* each one followed by its contents */
    int nsummaries;
    struct storage storage;
};

/* The nodes of the hierarchy that one node of the drawing summarizes. */
struct summary_members {
    const int *node;
    int count;
};

/* Fill in hosts, names and ranks of the members; not valid if memory is insufficient. */
void hitop_summary_describe(struct summary *summary, struct hitop_drawing *d,
                            struct summary_members members);

/* The level of a node, never "". */
const char *hitop_summary_level(const struct hitop_drawing *d, const struct summary *summary);

/* 1 if the number of hosts is shown; 0 for a host and for groups inside a host. */
int hitop_summary_shows_hosts(const struct hitop_drawing *d, const struct summary *summary);

/*
 * The divisor of the numbers of hosts and ranks: they are shown per group, except for SUMMARY_REST.
 */
static inline int summary_count_each(const struct summary *summary)
{
    return summary->kind == SUMMARY_REST ? 1 : summary->nalike;
}

/* 1 if the confidence of a group is below 1. */
int hitop_origin_is_guess(const struct hitop_hierarchy *h, int group);

/*
 * Write the source of a group, and its confidence if that is below 1: " (names, confidence 0.6)".
 * Nothing if it has neither.
 */
void hitop_origin_put(FILE *to, const struct hitop_hierarchy *h, int group);

#endif /* DRAWING_IMPL_H */
