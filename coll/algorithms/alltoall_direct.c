/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * alltoall_direct.c - one message between each two ranks: alltoall_linear, alltoall_pairwise,
 * alltoall_pairwise_exchange, alltoall_scattered.
 *
 * Idea:   linear: a rank posts all receives and sends its blocks one after another, first to the
 *         next rank, so that receivers differ. pairwise: in phase k each rank sends to the rank k
 *         places further and receives from the one k places before, so that each receiver has one
 *         sender at a time. pairwise_exchange: in phase k rank r exchanges with rank r xor k, so
 *         that the sender of a message is the receiver of the other one. scattered: a rank posts
 *         receives from the next `group` ranks, itself being the first, and sends to as many
 *         previous ones, itself being the first; when these are complete, the next group follows,
 *         and a message is received in the order in which it is likely to arrive.
 * Cost:   (n - 1) T(m) for blocks of m bytes; linear where only senders are busy; scattered: a
 * group costs a synchronization with its slowest message. Use:    linear: few ranks, and networks
 * in which a receiver can take many messages at once; pairwise: long blocks; pairwise_exchange:
 * long blocks over links that carry both directions at full speed; scattered: medium blocks with
 * many ranks, of which not all should be sent to at once. Needs:  any number of ranks,
 * pairwise_exchange a power of two of them; any lengths of blocks; both ends of a message know its
 * length. Source: Thakur, Rabenseifner, Gropp, Optimization of collective communication operations
 * in MPICH (2005); scattered: MPICH, in groups of 32 ranks; Open MPI's linear and linear_sync are
 * one group.
 */
#include <config.h>

#include "coll/algorithms/messages.h"

#include "hitop/sys/coll.h"

enum { P_GROUP, NPARAMS };

static const struct hitop_param scattered_params[NPARAMS] = {
    [P_GROUP] = {"group", "ranks to send to at once, a whole number; 0: all", 32, 0, 1e6, ""},
};

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

static void alltoall_pairwise_exchange_plan(const struct hitop_coll_args *a,
                                            struct hitop_sched *sched)
{
    for (int k = 0; k < a->size; k++) {
        const int peer = a->rank ^ k;

        if (k == 0) {
            hitop_sched_copy(sched, block_to(a, peer), block_from(a, peer));
        } else {
            message_recv(sched, peer, block_from(a, peer));
            message_send(sched, peer, block_to(a, peer));
        }
        hitop_sched_fence(sched);
    }
}

static void alltoall_scattered_plan(const struct hitop_coll_args *a, struct hitop_sched *sched)
{
    const int n = a->size, me = a->rank;
    const int given = (int)a->params[P_GROUP], group = given > 0 && given < n ? given : n;

    for (int first = 0; first < n; first += group) {
        const int end = n - first < group ? n : first + group;
        for (int k = first > 0 ? first : 1; k < end; k++) {
            message_recv(sched, (me + k) % n, block_from(a, (me + k) % n));
        }
        if (first == 0) {
            hitop_sched_copy(sched, block_to(a, me), block_from(a, me));
        }
        for (int k = first > 0 ? first : 1; k < end; k++) {
            message_deliver(sched, (me + n - k) % n, block_to(a, (me + n - k) % n));
        }
        hitop_sched_fence(sched);
    }
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

const struct hitop_coll_type hitop_alltoall_pairwise_exchange = {
    .name = "alltoall_pairwise_exchange",
    .summary = "exchange with one partner after the other",
    .family = "alltoall",
    .needs = HITOP_NEED_POW2,
    .plan = alltoall_pairwise_exchange_plan,
};

const struct hitop_coll_type hitop_alltoall_scattered = {
    .name = "alltoall_scattered",
    .summary = "all messages in groups, to the previous ranks first",
    .family = "alltoall",
    .params = scattered_params,
    .nparams = NPARAMS,
    .by_name = 1,
    .plan = alltoall_scattered_plan,
};
