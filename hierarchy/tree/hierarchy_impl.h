/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HIERARCHY_IMPL_H
#define HIERARCHY_IMPL_H

/*
 * hierarchy_impl.h - the arrays of a hierarchy, for the builder that fills them.
 *
 * To save memory, a rank has two entries only: its leaf set in set_of[] and its place among the
 * members of its group in child[]. The leaf set has all other data.
 */

#include "hitop/hierarchy.h"

#include "hierarchy/text/storage.h"
#include "hierarchy/tree/attr_list.h"
#include "hierarchy/tree/same_rank.h"

/* Leaves that differ in their rank only. */
struct leaf_set {
    const char *host;
    int parent;
    int range_begin; /* index in rank.range[]; the ranges end at range_begin of the next set */
};

struct inner_node {
    const char *level, *name;
    int parent;
    int child_begin; /* index in child[]; the members end at child_begin of the next group */
    int height, depth;
    int first_rank, count_ranks;
    int set_begin, set_end; /* leaf sets at any depth below it */
    double capacity;        /* 0: unlimited */
};

/* It owns its strings and arrays. */
struct hitop_hierarchy {
    int nranks, ngroups, nsets, nhosts;
    int *set_of;                /* [nranks] */
    struct leaf_set *set;       /* [nsets + 1]; the sets of a subtree are contiguous */
    struct inner_node *group;   /* [ngroups + 1]; node n is group[n - nranks] */
    int *child;                 /* nnodes - 1 members, grouped by parent, by smallest rank */
    struct hitop_ranks rank;    /* ranges of the leaf sets */
    struct attr_table attrs;    /* owners: leaf set, or nsets + group */
    struct host_entry *by_host; /* [nhosts] by name, with the smallest rank of each */
    struct storage text;
};

/* The owner of a node's attributes. */
static inline int hierarchy_owner(const struct hitop_hierarchy *h, int node)
{
    return node < h->nranks ? h->set_of[node] : h->nsets + node - h->nranks;
}

#endif /* HIERARCHY_IMPL_H */
