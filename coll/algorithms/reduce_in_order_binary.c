/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * reduce_in_order_binary.c - up a binary tree that ends at the last rank, then to the root.
 *
 * Idea:   the last rank of an interval leads it. The ranks before it form two intervals: the first
 *         floor(n / 2) ranks, and the others. So sums are those of consecutive ranks.
 * Cost:   depth about log2 n; every inner rank combines twice. T(m) more where the root is not the
 *         last rank.
 * Use:    operands that do not commute; segmented messages of medium length.
 * Needs:  nothing. Any number of ranks; the order of operands is kept. Memory for two segments of
 *         each child, and for the message at the last rank if it is not the root.
 * Source: the algorithm of Open MPI (coll/base) of this name.
 *
 *         n = 8           7
 *                       /   \
 *                      6     3
 *                     / \   / \
 *                    5   4 2   1
 *                              |
 *                              0
 */
#include <config.h>

#include "coll/algorithms/messages.h"
#include "coll/algorithms/tree_steps.h"

/* Ranks first .. first + size - 1, led by the last one, whose parent is `parent`. */
struct interval {
    int first, size, parent;
};

/* The interval that a rank leads. */
static struct interval led_by(int rank, int nranks)
{
    struct interval i = {0, nranks, HITOP_NO_RANK};

    while (rank != i.first + i.size - 1) {
        const int low = i.size / 2, leader = i.first + i.size - 1;
        i = rank < i.first + low ? (struct interval){i.first, low, leader}
                                 : (struct interval){i.first + low, i.size - low - 1, leader};
    }
    return i;
}

static void reduce_in_order_binary_plan(const struct hitop_coll_args *a, struct hitop_sched *sched)
{
    const struct segments segments = hitop_segments_make(a, a->bytes, sched);
    const struct interval mine = led_by(a->rank, a->size);
    const int low = mine.size / 2, last = a->size - 1;
    const struct hitop_span result = hitop_span_recv(0, a->bytes);
    int child[2], nchildren = 0;
    struct reduce_place place = {.parent = mine.parent, .child = child, .result = result};

    if (mine.size - low - 1 > 0) {
        child[nchildren++] = a->rank - 1;
    }
    if (low > 0) {
        child[nchildren++] = mine.first + low - 1;
    }
    place.nchildren = nchildren;
    if (a->rank == last && a->root != last) {
        place.result = hitop_span_work((size_t)(2 * nchildren + 1) * segments.longest, a->bytes);
    }
    hitop_reduce_up(a, &place, &segments, sched);
    if (a->root != last && a->rank == last) {
        message_send(sched, a->root, place.result);
    } else if (a->root != last && a->rank == a->root) {
        message_recv(sched, last, result);
    }
    hitop_sched_fence(sched);
}

const struct hitop_coll_type hitop_reduce_in_order_binary = {
    .name = "reduce_in_order_binary",
    .summary = "up a binary tree of runs of ranks, then to the root",
    .family = "reduce",
    .in_place = 1,
    .params = hitop_segment_param,
    .nparams = 1,
    .by_name = 1,
    .plan = reduce_in_order_binary_plan,
};
