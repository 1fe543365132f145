/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * alltoall_bruck.c - blocks travel one binary digit of their distance in each phase.
 *
 * Idea:   the block for the rank d places further has to travel d places. In phase k all blocks
 *         whose distance has bit k set travel 2^k places in one message.
 * Cost:   ceil(log2 n) latencies and n / 2 m log2 n bytes for blocks of m bytes; every byte is
 *         copied several times.
 * Use:    short blocks: few latencies.
 * Needs:  blocks of equal length. Any number of ranks. Memory for 2.5 times all blocks.
 * Source: Bruck, Ho, Kipnis, Upfal, Weathersby, IEEE TPDS 8 (1997).
 */
#include <config.h>

#include "coll/algorithms/messages.h"

#include "hitop/sys/coll.h"

/* How many distances below n have the bit `digit` set. */
static int count_travellers(int n, int digit)
{
    const int rest = n % (2 * digit);

    return n / (2 * digit) * digit + (rest > digit ? rest - digit : 0);
}

/*
 * Offsets in work memory, which holds first the blocks by remaining distance, then a buffer to
 * send from, then two to receive into, used in turn.
 */
struct places {
    size_t leaving;
    size_t arriving[2];
};

/* Pack the blocks that travel into one message, or unpack a message to their places. */
static void pack(const struct hitop_coll_args *a, struct hitop_sched *sched, int digit, size_t row,
                 int back)
{
    for (int first = digit; first < a->size; first += 2 * digit) {
        const int count = first + digit <= a->size ? digit : a->size - first;
        const size_t bytes = (size_t)count * a->bytes;
        const struct hitop_span places = hitop_span_work((size_t)first * a->bytes, bytes);
        const struct hitop_span packed = hitop_span_work(row, bytes);
        hitop_sched_copy(sched, back ? packed : places, back ? places : packed);
        row += bytes;
    }
}

static void alltoall_bruck_plan(const struct hitop_coll_args *a, struct hitop_sched *sched)
{
    const int n = a->size, me = a->rank;
    const size_t m = a->bytes, all = (size_t)n * m, row = (size_t)(n / 2) * m;
    const struct places places = {all, {all + row, all + 2 * row}};
    const size_t behind = (size_t)(n - me) * m, before = (size_t)me * m;
    int phase = 0;

    hitop_sched_copy(sched, hitop_span_send(before, behind), hitop_span_work(0, behind));
    hitop_sched_copy(sched, hitop_span_send(0, before), hitop_span_work(behind, before));
    for (int digit = 1; digit < n; digit *= 2, phase++) {
        const size_t bytes = (size_t)count_travellers(n, digit) * m;
        const size_t arriving = places.arriving[phase % 2];
        pack(a, sched, digit, places.leaving, 0);
        message_recv(sched, (me + n - digit) % n, hitop_span_work(arriving, bytes));
        message_send(sched, (me + digit) % n, hitop_span_work(places.leaving, bytes));
        hitop_sched_fence(sched);
        pack(a, sched, digit, arriving, 1);
    }
    for (int distance = 0; distance < n; distance++) {
        hitop_sched_copy(sched, hitop_span_work((size_t)distance * m, m),
                         hitop_span_recv((size_t)((me + n - distance) % n) * m, m));
    }
    hitop_sched_fence(sched);
}

const struct hitop_coll_type hitop_alltoall_bruck = {
    .name = "alltoall_bruck",
    .summary = "blocks travel the binary digits of their distance",
    .family = "alltoall",
    .needs = HITOP_NEED_ALIKE,
    .in_place = 1,
    .plan = alltoall_bruck_plan,
};
