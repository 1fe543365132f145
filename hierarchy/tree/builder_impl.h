/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BUILDER_IMPL_H
#define BUILDER_IMPL_H

/*
 * builder_impl.h - nodes, edges and attributes of a builder, for the passes that check and finish
 * it.
 *
 * A builder stores equal strings once, so that they are compared by address.
 */

#include "hierarchy/text/text_index.h"
#include "hierarchy/tree/hierarchy_impl.h"

struct builder_node {
    const char *level;        /* NULL for leaves */
    const char *name;         /* host for leaves */
    const char *label;        /* for messages, or NULL */
    int range_begin, nranges; /* of leaves: their ranks */
};

struct builder_edge {
    int child, parent;
};

struct hitop_hierarchy_builder {
    struct builder_node *nodes;
    struct builder_edge *edges;
    struct attr_list attrs; /* owners are handles */
    struct hitop_rank_range *ranges;
    int nnodes, nedges, nranges;
    int max_nodes, max_edges, max_ranges;
    struct storage text;
    struct text_index index; /* of the texts */
};

/* Computed for each node of a builder. */
struct builder_fact {
    int parent;
    int pending; /* children that are not done */
    int height;
    int first_rank;
    int count_ranks;
    int number;      /* of the group or leaf set in the finished hierarchy; not set by the check */
    double capacity; /* 0: unlimited */
};

/* A node in a message: its label, its rank or its name. */
struct builder_title {
    char text[128];
};

struct builder_title hitop_builder_title(const struct hitop_hierarchy_builder *b, int node);

static inline int builder_is_leaf(const struct hitop_hierarchy_builder *b, int node)
{
    return !b->nodes[node].level;
}

/*
 * Check nodes and edges, fill facts[] (one per node) except for numbers and capacities, and find
 * the node of each rank. HITOP_ERR_FORMAT: the message names the node. HITOP_ERR_NOMEM without a
 * message.
 *
 * node_of_rank  receives an array of *nranks nodes, which the builder owns
 */
enum hitop_status hitop_builder_check(struct hitop_hierarchy_builder *b, struct builder_fact *facts,
                                      struct storage *scratch, int **node_of_rank, int *nranks,
                                      struct hitop_diag *diag);

/*
 * Read the capacities of groups from the attributes "capacity" of the groups and of their edges
 * into facts[]. HITOP_ERR_FORMAT: the message names the node.
 */
enum hitop_status hitop_builder_read_capacities(const struct hitop_hierarchy_builder *b,
                                                struct builder_fact *facts, struct storage *scratch,
                                                struct hitop_diag *diag);

/* Nodes of the builder in the order of the finished hierarchy. */
struct builder_order {
    int *group, *set; /* the node of each group; the first leaf of each set */
    int ngroups, nsets;
};

/*
 * Number the groups: set facts[].number of groups, order->group and order->ngroups. HITOP_ERR_NOMEM
 * without a message.
 */
enum hitop_status hitop_builder_number_groups(const struct hitop_hierarchy_builder *b,
                                              struct builder_fact *facts,
                                              struct builder_order *order, struct storage *scratch);

/*
 * Number the leaf sets: set facts[].number of leaves, order->set and order->nsets, and set_begin
 * and set_end of group[]. HITOP_ERR_NOMEM without a message.
 *
 * set_of  has the node of each rank before, the leaf set of each rank after the call
 * group   its parents are set before the call
 */
enum hitop_status hitop_builder_number_sets(struct hitop_hierarchy_builder *b,
                                            struct builder_fact *facts, int *set_of, int nranks,
                                            struct builder_order *order, struct inner_node *group,
                                            struct storage *scratch);

#endif /* BUILDER_IMPL_H */
