/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * allgather_neighbor_exchange.c - neighbours exchange pairs of blocks, left and right in turn.
 *
 * Idea:   ranks 2p and 2p + 1 exchange their blocks. Then each rank exchanges with its two
 *         neighbours in turn: it sends the pair of blocks that it received last. Pairs travel down
 *         over the even ranks and up over the odd ones.
 * Cost:   n / 2 phases: T(m) + (n / 2 - 1) T(2 m) for blocks of m bytes.
 * Use:    long blocks: half the latencies of a ring, and also only messages between neighbours.
 * Needs:  an even number of ranks. Any lengths of blocks.
 * Source: Chen, Zhang, Zhang, Yuan, Performance evaluation of allgather algorithms on terascale
 *         Linux cluster with Fast Ethernet (HPC Asia 2005).
 */
#include <config.h>

#include "coll/algorithms/messages.h"

#include "hitop/sys/coll.h"

static struct hitop_span span_of(const struct hitop_coll_args *a, int first, int count)
{
    return hitop_span_recv(hitop_block_start(a, first), hitop_block_bytes(a, first, count));
}

static void exchange(struct hitop_sched *sched, int peer, struct hitop_span out,
                     struct hitop_span in)
{
    message_recv(sched, peer, in);
    message_send(sched, peer, out);
    hitop_sched_fence(sched);
}

static void allgather_neighbor_exchange_plan(const struct hitop_coll_args *a,
                                             struct hitop_sched *sched)
{
    const int me = a->rank, npairs = a->size / 2, pair = me / 2, mate = me ^ 1;
    const int side = me % 2 ? 1 : -1; /* even ranks have their other neighbour on the left */
    const int other = (me + side + a->size) % a->size;
    int got = pair;

    hitop_sched_copy(sched, hitop_span_send(0, hitop_block_bytes(a, me, 1)), span_of(a, me, 1));
    exchange(sched, mate, span_of(a, me, 1), span_of(a, mate, 1));
    for (int k = 1; k < npairs; k++) {
        const int steps = (k + 1) / 2 * (k % 2 ? side : -side);
        const int next = (pair + steps + npairs) % npairs;
        exchange(sched, k % 2 ? other : mate, span_of(a, 2 * got, 2), span_of(a, 2 * next, 2));
        got = next;
    }
}

const struct hitop_coll_type hitop_allgather_neighbor_exchange = {
    .name = "allgather_neighbor_exchange",
    .summary = "exchange pairs of blocks with both neighbours in turns",
    .family = "allgather",
    .needs = HITOP_NEED_EVEN,
    .in_place = 1,
    .plan = allgather_neighbor_exchange_plan,
};
