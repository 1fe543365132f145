/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tree_flat_asc.c - the root serves everybody itself, the quickest first.
 *
 * Idea:   one level; ranks come by the time that their blocks take from the root, equal ones by rank.
 * Cost:   n - 1 prices; n - 1 sends at the root.
 * Use:    most ranks done early.
 * Needs:  prices. Reads the bytes of each rank's block.
 * Source: CPM, sorted flat scatterv and gatherv.
 */
#include <config.h>

#include "coll/trees/flat_sort.h"

#include "hitop/sys/tree.h"

static enum hitop_status flat_asc_build(const struct hitop_tree_args *args, const double *params,
                                        int *parent, int *order, struct hitop_diag *diag)
{
    (void)params;
    for (int rank = 0; rank < args->size; rank++) {
        parent[rank] = rank == args->root ? HITOP_NO_RANK : args->root;
    }
    order[0] = args->root;
    return hitop_flat_sort(args, order + 1, diag);
}

const struct hitop_tree_builder hitop_tree_flat_asc = {
    .name = "flat_asc",
    .summary = "the root sends to every rank, the quickest to reach first",
    .needs = HITOP_TREE_NEEDS_COST,
    .build = flat_asc_build,
};
