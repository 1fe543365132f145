/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tree_knomial_mpi.c - the k-nomial tree of MPI libraries.
 *
 * Idea:   the tree of tree_knomial.c, served in the order of MPI libraries: those at the longest
 *         distance first, of several at one distance the nearest first.
 * Cost:   depth at most ceil(log_k n); the root has at most (k - 1) * ceil(log_k n) children.
 * Use:    short messages where a send is cheap compared with the latency; to compare with what a
 *         library does.
 * Source: the tree of the k-nomial broadcast of Open MPI (coll/base). Where n is no power of k,
 *         the farthest child need not have the largest subtree.
 *
 *         k = 4, n = 10        0
 *                         / | | | \
 *                        4  8 1 2  3      0 sends to 4 first, then to 8, to 1, to 2, to 3
 *                      / | \ \
 *                     5  6  7 9
 */
#include <config.h>

#include "hitop/sys/tree.h"

#include <math.h>

enum { P_RADIX, NPARAMS };

static const struct hitop_param knomial_mpi_params[NPARAMS] = {
    [P_RADIX] = {"radix", "base k of the rank digits, a whole number", 4, 2, 1024, ""},
};

static enum hitop_status knomial_mpi_build(const struct hitop_tree_args *args, const double *params,
                                           int *parent, int *order, struct hitop_diag *diag)
{
    const long n = args->size, k = (long)params[P_RADIX];
    long distance = 1;
    int norder = 0;

    if (params[P_RADIX] != floor(params[P_RADIX])) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "knomial_mpi: radix=%g is not a whole number",
                          params[P_RADIX]);
    }
    while (distance < n) {
        distance *= k;
    }
    parent[args->root] = HITOP_NO_RANK;
    order[norder++] = args->root;
    for (distance /= k; distance > 0; distance /= k) {
        for (long v = 0; v < n; v += k * distance) {
            for (long child = v + distance; child < v + k * distance && child < n;
                 child += distance) {
                const int rank = (int)((child + args->root) % n);
                parent[rank] = (int)((v + args->root) % n);
                order[norder++] = rank;
            }
        }
    }
    return HITOP_OK;
}

const struct hitop_tree_builder hitop_tree_knomial_mpi = {
    .name = "knomial_mpi",
    .summary = "k-nomial tree in the order of MPI libraries",
    .params = knomial_mpi_params,
    .nparams = NPARAMS,
    .by_name = 1,
    .build = knomial_mpi_build,
};
