/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef WORKED_TREES_H
#define WORKED_TREES_H

/* worked_trees.h - oracle: what builders must make of the eight ranks of worked_cost(). */

#include <stddef.h>

enum { WORKED_BYTES = 1000 };

struct worked_tree {
    const char *name; /* NULL ends the table */
    int size;
    int root;
    int weight; /* value of the builder's parameter "weight" */
    int parent[8];
    double bcast;   /* seconds for WORKED_BYTES from the root to all */
    double scatter; /* the same with WORKED_BYTES per rank of the subtree on every edge */
};

extern const struct worked_tree worked_trees[];

/* Unlike blocks of the eight ranks, and trees for them below rank 0; bcast is left 0. */
extern const size_t worked_counts[8];
extern const struct worked_tree worked_count_trees[];

#endif /* WORKED_TREES_H */
