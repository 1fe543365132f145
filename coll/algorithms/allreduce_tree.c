/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * allreduce_tree.c - reduce up a tree, broadcast down the same tree, optionally in segments.
 *
 * Idea:   reduce_tree, then bcast_tree.
 * Cost:   the sum of the two.
 * Use:    trees that cross slow links once, where other algorithms cross them in every phase.
 * Needs:  a tree; one in rank order where operands do not commute. Memory for two segments of each
 *         child.
 */
#include <config.h>

#include "coll/algorithms/tree_steps.h"

static void allreduce_tree_plan(const struct hitop_coll_args *a, struct hitop_sched *sched)
{
    const struct segments segments = hitop_segments_make(a, a->bytes, sched);

    hitop_tree_reduce(a, &segments, sched);
    hitop_tree_bcast(a, &segments, sched);
}

const struct hitop_coll_type hitop_allreduce_tree = {
    .name = "allreduce_tree",
    .summary = "up and down any tree, optionally in segments",
    .family = "allreduce",
    .needs = HITOP_NEED_TREE | HITOP_NEED_TREE_IN_ORDER,
    .in_place = 1,
    .params = hitop_segment_param,
    .nparams = 1,
    .up = HITOP_PASS_MESSAGE,
    .down = HITOP_PASS_MESSAGE,
    .plan = allreduce_tree_plan,
};
