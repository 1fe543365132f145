/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * allgather_bruck.c - each rank collects the blocks that follow its own, twice as many in each
 * phase.
 *
 * Idea:   rank r collects blocks r, r + 1, ..., wrapping around. Before phase k it has 2^k of them
 *         and sends them to rank r - 2^k, which lacks them; it receives as many from r + 2^k. At
 *         the end, copies put the blocks in order.
 * Cost:   ceil(log2 n) latencies and (n - 1) m bytes for blocks of m bytes, and two copies of every
 *         byte.
 * Use:    short blocks with any number of ranks.
 * Needs:  nothing. Any lengths of blocks. Memory for all blocks.
 * Source: Bruck, Ho, Kipnis, Upfal, Weathersby, IEEE TPDS 8 (1997).
 */
#include <config.h>

#include "coll/algorithms/messages.h"

#include "hitop/sys/coll.h"

/* Bytes of `count` consecutive blocks that begin with that of `rank`, wrapping around. */
static size_t bytes_from(const struct hitop_coll_args *a, int rank, int count)
{
    return rank + count <= a->size ? hitop_block_bytes(a, rank, count)
                                   : hitop_block_bytes(a, rank, a->size - rank) +
                                         hitop_block_bytes(a, 0, rank + count - a->size);
}

static void allgather_bruck_plan(const struct hitop_coll_args *a, struct hitop_sched *sched)
{
    const int n = a->size, me = a->rank;
    const size_t own = hitop_block_bytes(a, me, 1), before = hitop_block_start(a, me);
    const size_t behind = hitop_block_bytes(a, me, n - me);

    hitop_sched_copy(sched, hitop_span_send(0, own), hitop_span_work(0, own));
    for (int have = 1; have < n; have *= 2) {
        const int count = have < n - have ? have : n - have;
        const int from = (me + have) % n, to = (me + n - have) % n;
        message_recv(sched, from,
                     hitop_span_work(bytes_from(a, me, have), bytes_from(a, from, count)));
        message_send(sched, to, hitop_span_work(0, bytes_from(a, me, count)));
        hitop_sched_fence(sched);
    }
    hitop_sched_copy(sched, hitop_span_work(0, behind), hitop_span_recv(before, behind));
    hitop_sched_copy(sched, hitop_span_work(behind, before), hitop_span_recv(0, before));
    hitop_sched_fence(sched);
}

const struct hitop_coll_type hitop_allgather_bruck = {
    .name = "allgather_bruck",
    .summary = "collect the blocks that follow, twice as many in each phase",
    .family = "allgather",
    .in_place = 1,
    .plan = allgather_bruck_plan,
};
