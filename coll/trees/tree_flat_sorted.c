/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tree_flat_sorted.c - the root sends to all ranks directly, sorted by time: flat_asc and
 * flat_dsc.
 *
 * Idea:   one level. flat_asc serves ranks by rising time of a block from the root, equal ones by
 *         rank; flat_dsc serves them in the reverse order, so that the block that takes longest
 *         starts first.
 * Cost:   n - 1 prices; n - 1 sends at the root.
 * Use:    flat_asc: most ranks finish early; flat_dsc: the best flat scatter where all blocks
 *         occupy the root for the same time.
 * Needs:  prices. Reads the bytes of each rank's block.
 * Source: CPM, sorted flat scatterv and gatherv.
 */
#include <config.h>

#include "coll/trees/blocks.h"
#include "hitop/sys/tree.h"

#include <stdlib.h>

struct served {
    int rank;
    double seconds;
};

static int compare(const void *a, const void *b)
{
    const struct served *x = a, *y = b;

    if (x->seconds < y->seconds || x->seconds > y->seconds) {
        return x->seconds < y->seconds ? -1 : 1;
    }
    return (x->rank > y->rank) - (x->rank < y->rank);
}

static enum hitop_status build(const struct hitop_tree_args *args, int slowest_first, int *parent,
                               int *order, struct hitop_diag *diag)
{
    const struct hitop_cost *cost = args->cost;
    struct served *others = calloc((size_t)args->size, sizeof(*others));
    int n = 0;

    if (!others) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "flat tree: out of memory");
    }
    for (int rank = 0; rank < args->size; rank++) {
        parent[rank] = rank == args->root ? HITOP_NO_RANK : args->root;
        if (rank != args->root) {
            others[n++] = (struct served){
                rank, cost->p2p(cost->self, args->root, rank, block_of(args, rank))};
        }
    }
    qsort(others, (size_t)n, sizeof(*others), compare);
    order[0] = args->root;
    for (int i = 0; i < n; i++) {
        order[i + 1] = others[slowest_first ? n - 1 - i : i].rank;
    }
    free(others);
    return HITOP_OK;
}

static enum hitop_status flat_asc_build(const struct hitop_tree_args *args, const double *params,
                                        int *parent, int *order, struct hitop_diag *diag)
{
    (void)params;
    return build(args, 0, parent, order, diag);
}

static enum hitop_status flat_dsc_build(const struct hitop_tree_args *args, const double *params,
                                        int *parent, int *order, struct hitop_diag *diag)
{
    (void)params;
    return build(args, 1, parent, order, diag);
}

const struct hitop_tree_builder hitop_tree_flat_asc = {
    .name = "flat_asc",
    .summary = "the root sends to every rank, the quickest to reach first",
    .needs = HITOP_TREE_NEEDS_COST,
    .build = flat_asc_build,
};

const struct hitop_tree_builder hitop_tree_flat_dsc = {
    .name = "flat_dsc",
    .summary = "the root sends to every rank, the slowest to reach first",
    .needs = HITOP_TREE_NEEDS_COST,
    .build = flat_dsc_build,
};
