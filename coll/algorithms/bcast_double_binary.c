/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bcast_double_binary.c - each half of the message goes down its own binary tree, in segments.
 *
 * Idea:   except for the root, no rank has children in both trees, so that all ranks send. Time is
 *         counted in turns: a rank at depth d of a tree receives segment k of that half in turn d
 *         - 1 + k and forwards it in the next turn.
 * Cost:   2 (log2 n + segments) T(segment), where half of the message has `segments` segments:
 *         little more than m bytes over each link.
 * Use:    long messages, any number of ranks. Links should be alike, as the trees ignore costs.
 * Needs:  nothing. Any number of ranks, any length.
 * Source: Sanders, Speck, Träff, Two-tree algorithms for full bandwidth broadcast, reduction and
 *         scan, Parallel Computing 35 (2009).
 */
#include <config.h>

#include "coll/algorithms/messages.h"
#include "coll/algorithms/parts.h"
#include "coll/algorithms/segments.h"

#include "coll/trees/tree_pair.h"

/* One half of the message, and the place of this rank in its tree. */
struct half {
    struct hitop_span span;
    struct tree_pair_place place;
    int is_last[2]; /* the child is a leaf */
};

static struct half make_half(const struct hitop_coll_args *a, int second)
{
    const struct parts halves = parts_of_message(a, 2);
    struct half h = {parts_span(&halves, hitop_span_recv(0, a->bytes), second, second + 1),
                     hitop_tree_pair_place(a->size, a->root, second, a->rank),
                     {0, 0}};

    for (int i = 0; i < h.place.nchildren; i++) {
        h.is_last[i] =
            hitop_tree_pair_place(a->size, a->root, second, h.place.child[i]).nchildren == 0;
    }
    return h;
}

/* Receive segment k, if this rank gets one; returns 1 if so. */
static int receive(const struct half *h, const struct segments *segments, size_t k,
                   struct hitop_sched *sched)
{
    if (h->place.parent == HITOP_NO_RANK || k >= segments->count) {
        return 0;
    }
    message_recv(sched, h->place.parent, segments_cut(segments, h->span, k));
    return 1;
}

static int pass_on(const struct half *h, const struct segments *segments, size_t k,
                   struct hitop_sched *sched)
{
    if (k >= segments->count) {
        return 0;
    }
    for (int i = 0; i < h->place.nchildren; i++) {
        const struct hitop_span span = segments_cut(segments, h->span, k);
        if (h->is_last[i]) {
            message_deliver(sched, h->place.child[i], span);
        } else {
            message_send(sched, h->place.child[i], span);
        }
    }
    return h->place.nchildren > 0;
}

static void bcast_double_binary_plan(const struct hitop_coll_args *a, struct hitop_sched *sched)
{
    const struct half half[2] = {make_half(a, 0), make_half(a, 1)};
    const size_t depth[2] = {(size_t)half[0].place.depth, (size_t)half[1].place.depth};
    const struct segments segments = hitop_segments_make(a, half[0].span.bytes, sched);

    for (size_t turn = 0; turn <= segments.count + depth[0] + depth[1]; turn++) {
        int steps = 0;
        for (int t = 0; t < 2; t++) {
            steps +=
                turn + 1 >= depth[t] && receive(&half[t], &segments, turn + 1 - depth[t], sched);
        }
        for (int t = 0; t < 2; t++) {
            steps += turn >= depth[t] && pass_on(&half[t], &segments, turn - depth[t], sched);
        }
        if (steps > 0) {
            hitop_sched_fence(sched);
        }
    }
}

const struct hitop_coll_type hitop_bcast_double_binary = {
    .name = "bcast_double_binary",
    .summary = "halves of the message down two binary trees, optionally in segments",
    .family = "bcast",
    .params = hitop_segment_param,
    .nparams = 1,
    .cut = HITOP_CUT_HALF,
    .plan = bcast_double_binary_plan,
};
