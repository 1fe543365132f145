/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BUILDER_IMPL_H
#define BUILDER_IMPL_H

/* builder_impl.h - what a builder has collected, for the pass that checks and freezes it. */

#include "hierarchy_impl.h"

struct builder_node {
    const char *level; /* NULL for a leaf */
    const char *name;  /* host for a leaf */
    const char *label; /* for messages, or NULL */
    int rank;          /* of a leaf */
};

struct builder_edge {
    int child, parent;
};

struct hitop_hierarchy_builder {
    struct builder_node *nodes;
    struct builder_edge *edges;
    struct attr_list attrs; /* owners are handles */
    int nnodes, nedges;
    int max_nodes, max_edges;
    int out_of_memory; /* sticky */
    struct text_pool text;
};

/* What the check finds out about each node of a builder. */
struct builder_fact {
    int parent;
    int pending; /* children not yet accounted for */
    int height;
    int first_rank;
    int count_ranks;
    int number; /* in the finished hierarchy; not the check's business */
};

static inline int builder_is_leaf(const struct hitop_hierarchy_builder *b, int node)
{
    return !b->nodes[node].level;
}

/*
 * Check the whole of a builder and fill facts[], one per node, except for the numbers. Returns
 * HITOP_ERR_FORMAT with the node named, or HITOP_ERR_NOMEM without a message.
 */
enum hitop_status builder_check(const struct hitop_hierarchy_builder *b, struct builder_fact *facts,
                                int *nleaves, struct hitop_diag *diag);

#endif /* BUILDER_IMPL_H */
