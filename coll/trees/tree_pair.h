/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TREE_PAIR_H
#define TREE_PAIR_H

/*
 * tree_pair.h - two trees that share the work: a rank that forwards in one only receives in the
 * other.
 *
 * A binary tree of a message in segments keeps its inner ranks busy and leaves half of the ranks
 * idle. Two trees over the same ranks, each with half of the message, use both: below the root, no
 * rank is an inner one in both.
 *
 * Source: P. Sanders, J. Speck, J. L. Traff, Two-tree algorithms for full bandwidth broadcast,
 * reduction and scan, Parallel Computing 35 (2009).
 */

#include "hitop/tree.h"

/* A rank in one of the two trees. */
struct tree_pair_place {
    int parent; /* HITOP_NO_RANK of the root */
    int child[2], nchildren;
    int depth;
};

/*
 * The place of a rank, in O(log size). The root has one child in each tree and every other rank at
 * most two, the larger subtree first; depth is at most 1 + ceil(log2 size). With root 0 the
 * subtrees below the root have consecutive ranks in both trees when size is odd, in the first one
 * always.
 */
struct tree_pair_place hitop_tree_pair_place(int size, int root, int second, int rank);

#endif /* TREE_PAIR_H */
