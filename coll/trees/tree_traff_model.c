/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tree_traff_model.c - a tree that lets slow blocks travel directly, by their prices.
 *
 * Idea:   as tree_traff, where a rank weighs what its block takes to the parent, so that ranks are
 *         sorted anew below each; a subset is led by the rank that takes the least time to give the blocks of
 *         the whole subset to the parent.
 * Cost:   two prices for each rank and each rank above it.
 * Use:    scatterv, gatherv over links of different speed.
 * Needs:  prices. Without counts all blocks are equal. Equal prices go to the lowest rank.
 * Source: CPM, Traff trees mapped by a model.
 */
#include <config.h>

#include "coll/trees/blocks.h"
#include "coll/trees/traff.h"

static double weight(const struct hitop_tree_args *args, int up, int rank)
{
    return args->cost->p2p(args->cost->self, rank, up, block_of(args, rank));
}

static int head(const struct hitop_tree_args *args, int up, const int *rank, int n)
{
    double best_price = 0;
    size_t bytes = 0;
    int best = 0;

    for (int i = 0; i < n; i++) {
        bytes = add_bytes(bytes, block_of(args, rank[i]));
    }
    for (int i = 0; i < n; i++) {
        const double price = args->cost->p2p(args->cost->self, rank[i], up, bytes);
        if (i == 0 || price < best_price || (price == best_price && rank[i] < rank[best])) {
            best = i;
            best_price = price;
        }
    }
    return best;
}

static enum hitop_status traff_by_price(const struct hitop_tree_args *args, const double *params,
                                        int *parent, int *order, struct hitop_diag *diag)
{
    static const struct traff_rule rule = {.weight = weight, .head = head};

    (void)params;
    return hitop_traff_build(args, &rule, parent, order, diag);
}

const struct hitop_tree_builder hitop_tree_traff_model = {
    .name = "traff_model",
    .summary = "subsets of doubling weight by the times of blocks",
    .needs = HITOP_TREE_NEEDS_COST,
    .build = traff_by_price,
};
