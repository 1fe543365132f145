/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tree_traff.c - a tree that lets large blocks travel directly, by their sizes alone.
 *
 * Idea:   the ranks by falling block size are cut into subsets, each at least as heavy as all before it; the
 *         rank with the largest block of a subset leads it, and the same goes on inside.
 * Cost:   no prices; a binomial tree when all blocks are equal, a flat one when each is as large as all
 *         smaller ones together.
 * Use:    scatterv, gatherv over links that are alike.
 * Source: J. L. Traff, Hierarchical gather/scatter algorithms with graceful degradation, IPDPS 2004. Without
 *         counts all blocks are equal. Equal blocks go by rank.
 */
#include <config.h>

#include "coll/trees/blocks.h"
#include "coll/trees/traff.h"

static double weight(const struct hitop_tree_args *args, int up, int rank)
{
    (void)up;
    return (double)block_of(args, rank);
}

static enum hitop_status traff_by_counts(const struct hitop_tree_args *args, const double *params,
                                         int *parent, int *order, struct hitop_diag *diag)
{
    static const struct traff_rule rule = {.weight = weight};

    (void)params;
    return hitop_traff_build(args, &rule, parent, order, diag);
}

const struct hitop_tree_builder hitop_tree_traff = {
    .name = "traff",
    .summary = "subsets of doubling weight by the sizes of blocks",
    .build = traff_by_counts,
};
