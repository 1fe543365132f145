/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * alltoall_direct.c - one message between each two ranks: alltoall_linear, alltoall_pairwise.
 *
 * Idea:   linear: a rank posts all receives and sends its blocks one after another, first to the
 *         next rank, so that receivers differ. pairwise: in phase k each rank sends to the rank k
 *         places further and receives from the one k places before, so that each receiver has one
 *         sender at a time.
 * Cost:   (n - 1) T(m) for blocks of m bytes; linear where only senders are busy.
 * Use:    linear: few ranks, and networks in which a receiver can take many messages at once;
 *         pairwise: long blocks.
 * Needs:  nothing. Any number of ranks, any lengths of blocks; both ends of a message know its
 *         length.
 * Source: Thakur, Rabenseifner, Gropp, Optimization of collective communication operations in
 *         MPICH (2005).
 */
#include <config.h>

#include "coll/algorithms/messages.h"

#include "hitop/sys/coll.h"

/* What this rank sends to a peer. */
static struct hitop_span block_to(const struct hitop_coll_args *a, int peer)
{
    return hitop_span_send(hitop_block_start(a, peer), hitop_block_bytes(a, peer, 1));
}

/* Where the block from a peer arrives. */
static struct hitop_span block_from(const struct hitop_coll_args *a, int peer)
{
    const size_t *starts = a->recv_starts ? a->recv_starts : a->starts;

    return starts ? hitop_span_recv(starts[peer], starts[peer + 1] - starts[peer])
                  : hitop_span_recv((size_t)peer * a->bytes, a->bytes);
}

static void alltoall_linear_plan(const struct hitop_coll_args *a, struct hitop_sched *sched)
{
    const int n = a->size, me = a->rank;

    for (int k = 1; k < n; k++) {
        message_recv(sched, (me + n - k) % n, block_from(a, (me + n - k) % n));
    }
    hitop_sched_copy(sched, block_to(a, me), block_from(a, me));
    for (int k = 1; k < n; k++) {
        message_deliver(sched, (me + k) % n, block_to(a, (me + k) % n));
    }
    hitop_sched_fence(sched);
}

static void alltoall_pairwise_plan(const struct hitop_coll_args *a, struct hitop_sched *sched)
{
    const int n = a->size, me = a->rank;

    hitop_sched_copy(sched, block_to(a, me), block_from(a, me));
    for (int k = 1; k < n; k++) {
        const int to = (me + k) % n, from = (me + n - k) % n;
        message_recv(sched, from, block_from(a, from));
        message_send(sched, to, block_to(a, to));
        hitop_sched_fence(sched);
    }
    hitop_sched_fence(sched); /* needed by a single rank */
}

const struct hitop_coll_type hitop_alltoall_linear = {
    .name = "alltoall_linear",
    .summary = "all messages at once",
    .family = "alltoall",
    .plan = alltoall_linear_plan,
};

const struct hitop_coll_type hitop_alltoall_pairwise = {
    .name = "alltoall_pairwise",
    .summary = "exchange with one pair of ranks after the other",
    .family = "alltoall",
    .plan = alltoall_pairwise_plan,
};
