/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tree_binomial_doubling.c - the binomial tree in which each informed rank sends in every round.
 *
 * Idea:   in round k = 0, 1, ... the virtual ranks below 2^k have the message, and each sends to
 *         the rank 2^k further. The parent of a rank is its number without the highest set bit.
 * Cost:   ceil(log2 n) rounds.
 * Use:    short messages over links that are alike; to compare with what a library does.
 * Source: the tree of the binomial broadcast of Open MPI (coll/base), which serves the nearest
 *         child, with the largest subtree, first.
 *
 *         n = 8          0
 *                      / | \
 *                     1  2  4      0 sends to 1 first, then to 2, then to 4
 *                    /|  |
 *                   3 5  6
 *                   |
 *                   7
 */
#include <config.h>

#include "hitop/sys/tree.h"

static enum hitop_status binomial_doubling_build(const struct hitop_tree_args *args,
                                                 const double *params, int *parent, int *order,
                                                 struct hitop_diag *diag)
{
    const long n = args->size;
    int norder = 0;

    (void)params;
    (void)diag;
    parent[args->root] = HITOP_NO_RANK;
    order[norder++] = args->root;
    for (long informed = 1; informed < n; informed *= 2) {
        for (long v = 0; v < informed && v + informed < n; v++) {
            const int rank = (int)((v + informed + args->root) % n);
            parent[rank] = (int)((v + args->root) % n);
            order[norder++] = rank;
        }
    }
    return HITOP_OK;
}

const struct hitop_tree_builder hitop_tree_binomial_doubling = {
    .name = "binomial_doubling",
    .summary = "binomial tree whose ranks send to 1, 2, 4, ... further",
    .by_name = 1,
    .build = binomial_doubling_build,
};
