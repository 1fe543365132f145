/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * allgather_tree.c - gather up a tree, broadcast all blocks down the same tree, optionally in segments.
 *
 * Idea:   gather_tree, then bcast_tree.
 * Cost:   that of the two.
 * Use:    a tree that crosses slow links once, where algorithms of other kinds cross them in every phase.
 * Needs:  a tree. Any number of ranks, any lengths of blocks.
 */
#include <config.h>

#include "coll/algorithms/tree_steps.h"

static const struct hitop_param allgather_tree_params[SEGMENTS_NPARAMS] = {[SEGMENTS_BYTES] =
                                                                               SEGMENTS_PARAM};

static enum hitop_status allgather_tree_plan(const struct hitop_coll_args *a, const double *params,
                                             struct hitop_sched *sched, struct hitop_diag *diag)
{
    struct segments segments;
    const enum hitop_status status =
        hitop_segments_init(&segments, "allgather_tree", hitop_block_start(a, a->size),
                            hitop_unit(a), params[SEGMENTS_BYTES], diag);

    if (status == HITOP_OK) {
        hitop_tree_gather(a, sched);
        hitop_tree_bcast(a, &segments, sched);
    }
    return status == HITOP_OK ? hitop_sched_status(sched) : status;
}

const struct hitop_coll_type hitop_allgather_tree = {
    .name = "allgather_tree",
    .summary = "gather up and broadcast down any tree, optionally in segments",
    .family = "allgather",
    .needs = HITOP_NEED_TREE,
    .in_place = 1,
    .params = allgather_tree_params,
    .nparams = SEGMENTS_NPARAMS,
    .plan = allgather_tree_plan,
};
