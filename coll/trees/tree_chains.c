/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tree_chains.c - the root feeds several chains.
 *
 * Idea:   the ranks after the root form `chains` chains of consecutive ranks, whose lengths differ
 *         by at most one, the longer ones first.
 * Cost:   depth ceil((n - 1) / chains); the root sends `chains` times, every other rank once.
 * Use:    long messages in segments, where one chain is too deep for the number of segments.
 * Source: the chain algorithms of Open MPI (coll/base); fan-in/out is the number of chains.
 *
 *         n = 8, chains = 3     0
 *                             / | \
 *                            1  4  6
 *                            |  |  |
 *                            2  5  7
 *                            |
 *                            3
 */
#include <config.h>

#include "hitop/sys/tree.h"

#include <math.h>

enum { P_CHAINS, NPARAMS };

static const struct hitop_param chains_params[NPARAMS] = {
    [P_CHAINS] = {"chains", "number of chains, a whole number", 4, 1, 1024, ""},
};

static enum hitop_status chains_build(const struct hitop_tree_args *args, const double *params,
                                      int *parent, int *order, struct hitop_diag *diag)
{
    const long n = args->size, others = n - 1;
    const long chains = (long)params[P_CHAINS] < others ? (long)params[P_CHAINS] : others;
    const long shorter = chains > 0 ? others / chains : 0,
               longer = chains > 0 ? others % chains : 0;
    int norder = 0;

    if (params[P_CHAINS] != floor(params[P_CHAINS])) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "chains: chains=%g is not a whole number",
                          params[P_CHAINS]);
    }
    parent[args->root] = HITOP_NO_RANK;
    order[norder++] = args->root;
    for (long depth = 0; depth < shorter + (longer > 0); depth++) {
        for (long c = 0; c < (depth < shorter ? chains : longer); c++) {
            const long head = 1 + c * shorter + (c < longer ? c : longer), v = head + depth;
            const int rank = (int)((v + args->root) % n);
            parent[rank] = (int)(((depth > 0 ? v - 1 : 0) + args->root) % n);
            order[norder++] = rank;
        }
    }
    return HITOP_OK;
}

const struct hitop_tree_builder hitop_tree_chains = {
    .name = "chains",
    .summary = "several chains below the root",
    .params = chains_params,
    .nparams = NPARAMS,
    .by_name = 1,
    .build = chains_build,
};
