/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tree_binomial.c - the number of informed ranks doubles every round.
 *
 * Idea:   the root's subtrees have the sizes of the set bits of n - 1, the smallest first over
 *         consecutive ranks. The first rank of a subtree of s = 2^d ranks keeps the first half,
 *         and so on: its children have subtrees of s/2, s/4, ..., 1 ranks.
 * Cost:   ceil(log2 n) rounds.
 * Use:    short messages over links that are alike.
 * Source: the default tree of CPM (heterogeneous communication performance models); for n not a
 *         power of two it differs from the binomial tree of MPI libraries, not in depth.
 *
 *         n = 8          0
 *                      / | \
 *                     4  2  1      0 sends to 4 first, then to 2, then to 1
 *                    /|  |
 *                   6 5  3
 *                   |
 *                   7
 */
#include <config.h>

#include "coll/trees/shape.h"

static int binomial_up(const double *params, int size, int v)
{
    const unsigned digits = (unsigned)size - 1;
    unsigned start = 1; /* first virtual rank of the block of `block` ranks */
    unsigned block = digits & -digits;
    unsigned offset;

    (void)params;
    while ((unsigned)v >= start + block) {
        const unsigned rest = digits & ~(2 * block - 1);
        start += block;
        block = rest & -rest;
    }
    offset = (unsigned)v - start;
    return offset ? (int)(start + (offset & (offset - 1))) : 0;
}

static enum hitop_status binomial_build(const struct hitop_tree_args *args, const double *params,
                                        int *parent, int *order, struct hitop_diag *diag)
{
    return hitop_shape_build(args, params, binomial_up, parent, order, diag);
}

const struct hitop_tree_builder hitop_tree_binomial = {
    .name = "binomial",
    .summary = "binomial tree over consecutive ranks",
    .build = binomial_build,
};
