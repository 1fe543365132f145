/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bcast_tree.c - broadcast down a tree, optionally in segments.
 *
 * Idea:   a rank receives segment i + 1 from its parent while it sends segment i to its children,
 *         so all levels of the tree work at the same time.
 * Cost:   at most (depth + segments - 1) * fan-out * T(segment) where T is the same on all links.
 * Use:    without segments down a shallow tree for short messages, in segments down a chain or a
 *         binary tree for long ones.
 * Needs:  a tree rooted at args->root. Works for any number of ranks and any length.
 */
#include <config.h>

#include "coll/algorithms/messages.h"
#include "coll/algorithms/tree_steps.h"

void hitop_tree_bcast(const struct hitop_coll_args *a, const struct segments *segments,
                      struct hitop_sched *sched)
{
    const int parent = hitop_tree_parent(a->tree, a->rank);
    int nchildren;
    const int *child = hitop_tree_children(a->tree, a->rank, &nchildren);

    if (parent != HITOP_NO_RANK && segments->count > 0) { /* fill the pipeline */
        hitop_sched_recv(sched, parent, segments_of(segments, HITOP_BUFFER_RECV, 0));
        hitop_sched_fence(sched);
    }
    for (size_t k = 0; k < segments->count; k++) {
        if (parent != HITOP_NO_RANK && k + 1 < segments->count) {
            hitop_sched_recv(sched, parent, segments_of(segments, HITOP_BUFFER_RECV, k + 1));
        }
        for (int i = 0; i < nchildren; i++) {
            message_send_down(sched, a->tree, child[i],
                              segments_of(segments, HITOP_BUFFER_RECV, k));
        }
        hitop_sched_fence(sched);
    }
}

static void bcast_tree_plan(const struct hitop_coll_args *a, struct hitop_sched *sched)
{
    const struct segments segments = hitop_segments_make(a, a->bytes, sched);

    hitop_tree_bcast(a, &segments, sched);
}

const struct hitop_coll_type hitop_bcast_tree = {
    .name = "bcast_tree",
    .summary = "broadcast down any tree, optionally in segments",
    .family = "bcast",
    .needs = HITOP_NEED_TREE,
    .params = hitop_segment_param,
    .nparams = 1,
    .down = HITOP_PASS_MESSAGE,
    .plan = bcast_tree_plan,
};
