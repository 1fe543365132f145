/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tree_flat_dsc.c - the root serves everybody itself, the slowest first.
 *
 * Idea:   the order of tree_flat_asc from its end: what takes longest to arrive begins first.
 * Cost:   n - 1 prices; n - 1 sends at the root.
 * Use:    the best flat scatter where all blocks occupy the root alike.
 * Needs:  prices. Reads the bytes of each rank's block.
 * Source: CPM, sorted flat scatterv and gatherv.
 */
#include <config.h>

#include "coll/trees/flat_sort.h"

#include "hitop/sys/tree.h"

static enum hitop_status flat_dsc_build(const struct hitop_tree_args *args, const double *params,
                                        int *parent, int *order, struct hitop_diag *diag)
{
    const enum hitop_status status = hitop_flat_sort(args, order + 1, diag);

    (void)params;
    for (int rank = 0; rank < args->size; rank++) {
        parent[rank] = rank == args->root ? HITOP_NO_RANK : args->root;
    }
    order[0] = args->root;
    for (int i = 1, k = args->size - 1; i < k; i++, k--) {
        const int rank = order[i];
        order[i] = order[k];
        order[k] = rank;
    }
    return status;
}

const struct hitop_tree_builder hitop_tree_flat_dsc = {
    .name = "flat_dsc",
    .summary = "the root sends to every rank, the slowest to reach first",
    .needs = HITOP_TREE_NEEDS_COST,
    .build = flat_dsc_build,
};
