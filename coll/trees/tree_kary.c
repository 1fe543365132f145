/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tree_kary.c - every rank forwards to at most k others, by levels.
 *
 * Idea:   level l has the next k^l virtual ranks. The children of rank v of level l are v + k^l,
 *         v + 2 k^l, ..., v + k k^l: the subtree of the root's i-th child has the ranks that are i
 *         modulo k.
 * Cost:   depth about log_k n; every inner rank sends k times.
 * Use:    as binary; to compare with what a library does.
 * Source: the trees of Open MPI (coll/base) for its binary and split binary algorithms; those of
 *         heap order (tree_binary.c) have the same shape with other ranks.
 *
 *         k = 2, n = 9      0
 *                         /   \
 *                        1     2
 *                       / \   / \
 *                      3   5 4   6
 *                      |     |
 *                      7     8
 */
#include <config.h>

#include "hitop/sys/tree.h"

#include <math.h>

enum { P_CHILDREN, NPARAMS };

static const struct hitop_param kary_params[NPARAMS] = {
    [P_CHILDREN] = {"children", "most children of a rank, a whole number", 2, 1, 1024, ""},
};

static enum hitop_status kary_build(const struct hitop_tree_args *args, const double *params,
                                    int *parent, int *order, struct hitop_diag *diag)
{
    const long n = args->size, k = (long)params[P_CHILDREN];
    long first = 0, level = 1; /* the first rank of the level; its length */
    int norder = 0;

    if (params[P_CHILDREN] != floor(params[P_CHILDREN])) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "kary: children=%g is not a whole number",
                          params[P_CHILDREN]);
    }
    parent[args->root] = HITOP_NO_RANK;
    order[norder++] = args->root;
    while (first + level < n) {
        for (long v = first + level; v < first + level + k * level && v < n; v++) {
            const int rank = (int)((v + args->root) % n);
            const long up = first + (v - first) % level;
            parent[rank] = (int)((up + args->root) % n);
            order[norder++] = rank;
        }
        first += level;
        level *= k;
    }
    return HITOP_OK;
}

const struct hitop_tree_builder hitop_tree_kary = {
    .name = "kary",
    .summary = "k-ary tree whose subtrees are ranks modulo k",
    .params = kary_params,
    .nparams = NPARAMS,
    .by_name = 1,
    .build = kary_build,
};
