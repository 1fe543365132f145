/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TREE_ASSERTS_H
#define TREE_ASSERTS_H

/* tree_asserts.h - what a tree is to be like. Only for tests with Check. */

#include "hitop/tree.h"

/* A tree for WORKED_BYTES, owned by the caller; fails the test when it cannot be built. */
struct hitop_tree *build_tree(const char *name, int size, int root, const double *params,
                              const struct hitop_cost *cost);

void assert_parents(const struct hitop_tree *tree, const int *parent);

/* In send order. */
void assert_children(const struct hitop_tree *tree, int rank, int n, const int *child);

/* Children and their order. */
void assert_same_tree(const struct hitop_tree *a, const struct hitop_tree *b);

#endif /* TREE_ASSERTS_H */
