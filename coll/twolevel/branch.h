/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_BRANCH_H
#define HITOP_BRANCH_H

/*
 * branch.h - a part of a tree as it travels in a message. Pure: no MPI.
 *
 * Ranks in preorder, each with the number of ranks below it: the list of a rank is what stands behind it, and its
 * children are found by stepping over their own lists.
 */

#include "hitop/tree.h"

#include <stdint.h>

struct hitop_branch {
    int32_t rank;
    int32_t below; /* how many of the following entries are its descendants */
};

/*
 * All descendants of the root of `tree`, whose rank i is `rank[i]` in the list, children in the order of the tree.
 * Writes and returns their number, one less than the tree's size.
 */
int hitop_branch_list(const struct hitop_tree *tree, const int *rank, struct hitop_branch *out);

#endif /* HITOP_BRANCH_H */
