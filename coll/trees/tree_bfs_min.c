/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tree_bfs_min.c - binomial tree mapped breadth-first to the cheapest links.
 *
 * Idea:   the places of the binomial tree are filled breadth first, largest subtree first;
 *         each takes the rank that is cheapest to reach from its parent.
 * Cost:   a price per rank and ring of alike ranks around its parent.
 * Use:    links of different speed; every parent chooses for all its subtrees at once.
 * Needs:  prices. Reads the bytes of each rank's block.
 * Source: CPM, communication trees; parameter weight=1 prices what crosses the link in a scatter.
 */
#include <config.h>

#include "coll/trees/mapped.h"

static enum hitop_status bfs_min_build(const struct hitop_tree_args *args, const double *params,
                                       int *parent, int *order, struct hitop_diag *diag)
{
    return hitop_mapped_build(args, params, MAPPED_BFS, MAPPED_MIN, parent, order, diag);
}

const struct hitop_tree_builder hitop_tree_bfs_min = {
    .name = "bfs_min",
    .summary = "binomial tree mapped breadth-first to the cheapest link",
    .needs = HITOP_TREE_NEEDS_COST,
    .params = hitop_mapped_params,
    .nparams = MAPPED_NPARAMS,
    .build = bfs_min_build,
};
