/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HIERARCHY_IMPL_H
#define HIERARCHY_IMPL_H

/* hierarchy_impl.h - the arrays behind a hierarchy, for the builder that fills them. */

#include "hitop/hierarchy.h"

#include "attr_list.h"
#include "text_pool.h"

struct host_rank {
    const char *host;
    int rank;
};

/* All arrays are indexed by node number unless said otherwise; strings belong to the pool. */
struct hitop_hierarchy {
    int nranks, nnodes;
    int *parent;
    int *child_begin; /* nnodes + 1 positions in child */
    int *child;       /* nnodes - 1 children, grouped by parent, by smallest rank */
    int *depth;       /* edges up to the root */
    int *height;
    int *first_rank;
    int *count_ranks;
    const char **level; /* "rank" for leaves */
    const char **name;  /* host for leaves */
    struct attr_table attrs;
    struct host_rank *by_host; /* nranks entries sorted by host, then rank */
    struct text_pool text;
};

#endif /* HIERARCHY_IMPL_H */
