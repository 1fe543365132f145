/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * allreduce_tree.c - reduce up a tree, broadcast down the same tree, optionally in segments.
 *
 * Idea:   reduce_tree, then bcast_tree.
 * Cost:   that of the two.
 * Use:    a tree that crosses slow links once, where algorithms of other kinds cross them in every phase.
 * Needs:  a tree; one in rank order where operands do not commute. Memory for two segments of each child.
 */
#include <config.h>

#include "coll/algorithms/tree_steps.h"

static const struct hitop_param allreduce_tree_params[SEGMENTS_NPARAMS] = {[SEGMENTS_BYTES] =
                                                                               SEGMENTS_PARAM};

static enum hitop_status allreduce_tree_plan(const struct hitop_coll_args *a, const double *params,
                                             struct hitop_sched *sched, struct hitop_diag *diag)
{
    struct segments segments;
    const enum hitop_status status = hitop_segments_init(
        &segments, "allreduce_tree", a->bytes, hitop_unit(a), params[SEGMENTS_BYTES], diag);

    if (status == HITOP_OK) {
        hitop_tree_reduce(a, &segments, sched);
        hitop_tree_bcast(a, &segments, sched);
    }
    return status == HITOP_OK ? hitop_sched_status(sched) : status;
}

const struct hitop_coll_type hitop_allreduce_tree = {
    .name = "allreduce_tree",
    .summary = "up and down any tree, optionally in segments",
    .family = "allreduce",
    .needs = HITOP_NEED_TREE | HITOP_NEED_TREE_IN_ORDER,
    .in_place = 1,
    .params = allreduce_tree_params,
    .nparams = SEGMENTS_NPARAMS,
    .plan = allreduce_tree_plan,
};
