/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TREE_PAIR_H
#define TREE_PAIR_H

/*
 * tree_pair.h - two binary trees over the same ranks: an inner rank of one is a leaf of the other.
 *
 * In one binary tree, segments of a message keep the inner ranks busy while the leaves, half of
 * the ranks, send nothing. Two trees, each with half of the message, use all ranks: except for the
 * root, no rank is an inner one in both.
 *
 * Source: P. Sanders, J. Speck, J. L. Traff, Two-tree algorithms for full bandwidth broadcast,
 * reduction and scan, Parallel Computing 35 (2009).
 */

#include "hitop/tree.h"

/* A rank in one of the two trees. */
struct tree_pair_place {
    int parent; /* HITOP_NO_RANK for the root */
    int child[2], nchildren;
    int depth;
};

/*
 * The place of a rank, in O(log size). The root has one child in each tree and every other rank at
 * most two, the larger subtree first; depth is at most 1 + ceil(log2 size). With root 0, the ranks
 * of each subtree below the root are consecutive: in the first tree always, in the second one when
 * size is odd.
 */
struct tree_pair_place hitop_tree_pair_place(int size, int root, int second, int rank);

#endif /* TREE_PAIR_H */
