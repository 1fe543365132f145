/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * allgather_tree.c - gather up a tree, broadcast all blocks down the same tree, optionally in
 * segments.
 *
 * Idea:   gather_tree, then bcast_tree.
 * Cost:   the sum of the two.
 * Use:    trees that cross slow links once, where other algorithms cross them in every phase.
 * Needs:  a tree. Any number of ranks, any lengths of blocks.
 */
#include <config.h>

#include "coll/algorithms/tree_steps.h"

static void allgather_tree_plan(const struct hitop_coll_args *a, struct hitop_sched *sched)
{
    const struct segments segments = hitop_segments_make(a, hitop_block_start(a, a->size), sched);

    hitop_tree_gather(a, sched);
    hitop_tree_bcast(a, &segments, sched);
}

const struct hitop_coll_type hitop_allgather_tree = {
    .name = "allgather_tree",
    .summary = "gather up and broadcast down any tree, optionally in segments",
    .family = "allgather",
    .needs = HITOP_NEED_TREE,
    .in_place = 1,
    .params = hitop_segment_param,
    .nparams = 1,
    .up = HITOP_PASS_BLOCKS,
    .down = HITOP_PASS_ALL,
    .plan = allgather_tree_plan,
};
