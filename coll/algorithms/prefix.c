/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * prefix.c - scan and exscan: with the own operand the sum that is passed on is the result, without it what arrives is.
 *
 * An exclusive sum puts the own operand away before anything may arrive, as the result may take its place.
 */
#include <config.h>

#include "coll/algorithms/messages.h"
#include "coll/algorithms/prefix.h"

/* The sum that is passed on begins with the own operand. */
static struct hitop_span begin(const struct hitop_coll_args *a, int exclusive,
                               struct hitop_sched *sched)
{
    const struct hitop_span sum =
        exclusive ? hitop_span_work(0, a->bytes) : hitop_span_recv(0, a->bytes);

    hitop_sched_copy(sched, hitop_span_send(0, a->bytes), sum);
    if (exclusive) {
        hitop_sched_fence(sched);
    }
    return sum;
}

void hitop_prefix_doubling(const struct hitop_coll_args *a, int exclusive,
                           struct hitop_sched *sched)
{
    const struct hitop_span sum = begin(a, exclusive, sched);
    const struct hitop_span lower = hitop_span_recv(0, a->bytes);

    for (int distance = 1; distance < a->size; distance *= 2) {
        const int is_first = exclusive && distance == 1;
        const struct hitop_span arrived = is_first ? lower : hitop_span_work(a->bytes, a->bytes);
        if (a->rank >= distance) {
            message_recv(sched, a->rank - distance, arrived);
        }
        if (a->rank + distance < a->size) {
            message_send(sched, a->rank + distance, sum);
        }
        hitop_sched_fence(sched);
        if (a->rank >= distance && exclusive && !is_first) {
            hitop_sched_reduce(sched, arrived, lower);
        }
        if (a->rank >= distance && (!exclusive || a->rank + 2 * distance < a->size)) {
            hitop_sched_reduce(sched, arrived, sum);
        }
        hitop_sched_fence(sched);
    }
    hitop_sched_fence(sched);
}

/* Where segment k arrives: without the own operand in its place in the result, else every other one in the same. */
static struct hitop_span arrival(const struct segments *segments, int exclusive, size_t k)
{
    return exclusive ? segments_cut(segments, hitop_span_recv(0, segments->bytes), k)
                     : hitop_span_work(k % 2 * segments->longest, segments_bytes(segments, k));
}

void hitop_prefix_chain(const struct hitop_coll_args *a, const struct segments *segments,
                        int exclusive, struct hitop_sched *sched)
{
    const struct hitop_span sum = begin(a, exclusive, sched);
    const int is_last = a->rank + 1 == a->size;

    for (size_t k = 0; k <= segments->count; k++) { /* one ahead: segment k arrives, k - 1 leaves */
        if (a->rank > 0 && k < segments->count) {
            hitop_sched_recv(sched, a->rank - 1, arrival(segments, exclusive, k));
        }
        if (a->rank > 0 && k > 0 && !(exclusive && is_last)) {
            hitop_sched_reduce(sched, arrival(segments, exclusive, k - 1),
                               segments_cut(segments, sum, k - 1));
        }
        if (k > 0 && !is_last) {
            hitop_sched_send(sched, a->rank + 1, segments_cut(segments, sum, k - 1));
        }
        hitop_sched_fence(sched);
    }
}
