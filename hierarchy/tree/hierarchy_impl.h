/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HIERARCHY_IMPL_H
#define HIERARCHY_IMPL_H

/*
 * hierarchy_impl.h - the arrays of a hierarchy, for the builder that fills them.
 *
 * To save memory, a rank has two numbers only: its leaf set, which has all other data, and its
 * place among the members of its group.
 */

#include "hitop/hierarchy.h"

#include "hierarchy/text/storage.h"
#include "hierarchy/tree/attr_list.h"
#include "hierarchy/tree/same_rank.h"

/* Leaves that differ in their rank only. */
struct leaf_set {
    const char *host;
    int parent;
    int range_begin; /* its ranks end where those of the next set begin */
};

struct inner_node {
    const char *level, *name;
    int parent;
    int child_begin; /* its members end where those of the next group begin */
    int height, depth;
    int first_rank, count_ranks;
    int set_begin, set_end; /* leaf sets at any depth below it */
    double capacity;        /* 0: unlimited */
};

/* It owns its strings and arrays. */
struct hitop_hierarchy {
    int nranks, ngroups, nsets, nhosts;
    int *set_of;                /* [nranks] */
    struct leaf_set *set;       /* [nsets + 1], those of a subtree side by side */
    struct inner_node *group;   /* [ngroups + 1], by node number less nranks */
    int *child;                 /* nnodes - 1 members, grouped by parent, by smallest rank */
    struct hitop_ranks rank;    /* ranges of the leaf sets */
    struct attr_table attrs;    /* owners are leaf sets, then groups */
    struct host_entry *by_host; /* [nhosts] by name, with the smallest rank of each */
    struct storage text;
};

/* The owner of a node's attributes. */
static inline int hierarchy_owner(const struct hitop_hierarchy *h, int node)
{
    return node < h->nranks ? h->set_of[node] : h->nsets + node - h->nranks;
}

#endif /* HIERARCHY_IMPL_H */
