/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bcast_tree.c - broadcast down a tree, optionally in segments.
 *
 * Idea:   a rank receives segment i + 1 from its parent while it sends segment i to its children,
 *         so all levels of the tree work at the same time.
 * Cost:   at most (depth + segments - 1) * fan-out * T(segment) for a price T alike on all links.
 * Use:    whole down a shallow tree for short messages, in segments down a chain or a binary tree
 *         for long ones.
 * Needs:  a tree rooted at args->root. Works for any number of ranks and any length.
 */
#include <config.h>

#include "hitop/sys/coll.h"

enum { P_SEGMENT, NPARAMS };

/* More would be an accident: the plan takes memory for each. */
#define MAX_SEGMENTS ((size_t)1 << 20)

static const struct hitop_param bcast_tree_params[NPARAMS] = {
    [P_SEGMENT] = {"segment", "bytes per segment; 0 sends the message whole", 0, 0, 1e12, "B"},
};

static size_t min_size(size_t a, size_t b)
{
    return a < b ? a : b;
}

static enum hitop_status bcast_tree_plan(const struct hitop_coll_args *a, const double *params,
                                         struct hitop_sched *sched, struct hitop_diag *diag)
{
    const size_t segment = params[P_SEGMENT] >= 1 ? (size_t)params[P_SEGMENT] : a->bytes;
    const int parent = hitop_tree_parent(a->tree, a->rank);
    int nchildren;
    const int *child = hitop_tree_children(a->tree, a->rank, &nchildren);

    if (a->bytes > 0 && (a->bytes - 1) / segment >= MAX_SEGMENTS) {
        return hitop_fail(diag, HITOP_ERR_INVALID,
                          "bcast_tree: segment=%zu cuts %zu bytes into more than %zu segments",
                          segment, a->bytes, MAX_SEGMENTS);
    }
    if (parent != HITOP_NO_RANK && a->bytes > 0) { /* fill the pipeline */
        hitop_sched_recv(sched, parent, hitop_span_recv(0, min_size(segment, a->bytes)));
        hitop_sched_fence(sched);
    }
    for (size_t offset = 0; offset < a->bytes; offset += segment) {
        const size_t bytes = min_size(segment, a->bytes - offset);
        const size_t ahead = offset + bytes;

        if (parent != HITOP_NO_RANK && ahead < a->bytes) {
            hitop_sched_recv(sched, parent,
                             hitop_span_recv(ahead, min_size(segment, a->bytes - ahead)));
        }
        for (int i = 0; i < nchildren; i++) {
            hitop_sched_send(sched, child[i], hitop_span_recv(offset, bytes));
        }
        hitop_sched_fence(sched);
    }
    return hitop_sched_status(sched);
}

const struct hitop_coll_type hitop_bcast_tree = {
    .name = "bcast_tree",
    .summary = "broadcast down any tree, optionally in segments",
    .needs = HITOP_NEED_TREE,
    .params = bcast_tree_params,
    .nparams = NPARAMS,
    .plan = bcast_tree_plan,
};
