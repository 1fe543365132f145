/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tree_binomial_mpich.c - the binomial tree of MPI libraries.
 *
 * Idea:   in the round of mask 2^k, from the highest down, every virtual rank that is a multiple
 *         of 2^(k+1) sends to the rank 2^k further. The parent of a rank is its number without the
 *         lowest set bit.
 * Cost:   ceil(log2 n) rounds.
 * Use:    short messages over links that are alike; to compare with what a library does.
 * Source: the tree of broadcast and reduce in MPICH, which serves the farthest child first, also
 *         where n is no power of two and its subtree is not the largest one.
 *
 *         n = 6          0
 *                      / | \
 *                     4  2  1      0 sends to 4 first, then to 2, then to 1
 *                     |  |
 *                     5  3
 */
#include <config.h>

#include "hitop/sys/tree.h"

static enum hitop_status binomial_mpich_build(const struct hitop_tree_args *args,
                                              const double *params, int *parent, int *order,
                                              struct hitop_diag *diag)
{
    const long n = args->size;
    long mask = 1;
    int norder = 0;

    (void)params;
    (void)diag;
    while (mask < n) {
        mask *= 2;
    }
    parent[args->root] = HITOP_NO_RANK;
    order[norder++] = args->root;
    for (mask /= 2; mask > 0; mask /= 2) {
        for (long v = 0; v + mask < n; v += 2 * mask) {
            const int rank = (int)((v + mask + args->root) % n);
            parent[rank] = (int)((v + args->root) % n);
            order[norder++] = rank;
        }
    }
    return HITOP_OK;
}

const struct hitop_tree_builder hitop_tree_binomial_mpich = {
    .name = "binomial_mpich",
    .summary = "binomial tree in the shape and order of MPI libraries",
    .build = binomial_mpich_build,
};
