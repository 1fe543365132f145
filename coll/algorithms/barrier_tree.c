/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * barrier_tree.c - a message up the tree from each rank, then a message down to each.
 *
 * Idea:   a rank sends to its parent when it and all ranks below it have arrived, and to its
 *         children when the message of its parent arrives.
 * Cost:   twice the depth of the tree in latencies, and the port of a rank for each child.
 * Use:    trees that cross slow links once, where dissemination crosses them in every phase.
 * Needs:  a tree. Any number of ranks.
 */
#include <config.h>

#include "hitop/sys/coll.h"

static void barrier_tree_plan(const struct hitop_coll_args *a, struct hitop_sched *sched)
{
    const int parent = hitop_tree_parent(a->tree, a->rank);
    const struct hitop_span nothing = hitop_span_work(0, 0);
    int n;
    const int *child = hitop_tree_children(a->tree, a->rank, &n);

    for (int i = 0; i < n; i++) {
        hitop_sched_recv(sched, child[i], nothing);
    }
    hitop_sched_fence(sched);
    if (parent != HITOP_NO_RANK) {
        hitop_sched_send(sched, parent, nothing);
        hitop_sched_recv(sched, parent, nothing);
        hitop_sched_fence(sched);
    }
    for (int i = 0; i < n; i++) {
        hitop_sched_send(sched, child[i], nothing);
    }
    hitop_sched_fence(sched);
}

const struct hitop_coll_type hitop_barrier_tree = {
    .name = "barrier_tree",
    .summary = "up and down any tree",
    .family = "barrier",
    .needs = HITOP_NEED_TREE,
    .up = HITOP_PASS_EMPTY,
    .down = HITOP_PASS_EMPTY,
    .plan = barrier_tree_plan,
};
