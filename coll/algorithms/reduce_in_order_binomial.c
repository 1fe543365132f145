/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * reduce_in_order_binomial.c - up a binomial tree whose subtrees are consecutive ranks, to any
 * root.
 *
 * Idea:   in phase k every second of the remaining ranks sends its sum to the rank 2^k before it.
 *         Rank 0 has the result at the end, combined in rank order, and sends it to the root.
 * Cost:   ceil(log2 n) (T(m) + one combination of m bytes); another T(m) where the root is not rank
 *         0.
 * Use:    short messages whose operands do not commute, with a root other than 0: most trees with
 *         such a root do not keep the order.
 * Needs:  nothing. Any number of ranks. Memory for two messages.
 * Source: Thakur, Rabenseifner, Gropp (2005).
 */
#include <config.h>

#include "coll/algorithms/messages.h"

#include "hitop/sys/coll.h"

/*
 * Receive the sums of the following ranks and combine them with the own operand. Returns where the
 * result is: where the last sum arrived.
 */
static struct hitop_span collect(const struct hitop_coll_args *a, struct hitop_sched *sched)
{
    struct hitop_span sum = hitop_span_send(0, a->bytes);
    size_t spare = 0;

    for (int length = 1; length < a->size && !(a->rank & length); length *= 2) {
        const struct hitop_span arrived = hitop_span_work(spare, a->bytes);
        if (a->rank + length < a->size) {
            message_recv(sched, a->rank + length, arrived);
            hitop_sched_fence(sched);
            hitop_sched_reduce(sched, sum, arrived);
            hitop_sched_fence(sched);
            sum = arrived;
            spare = a->bytes - spare;
        }
    }
    return sum;
}

static void reduce_in_order_binomial_plan(const struct hitop_coll_args *a,
                                          struct hitop_sched *sched)
{
    const struct hitop_span sum = collect(a, sched), result = hitop_span_recv(0, a->bytes);

    if (a->rank > 0) {
        message_send(sched, a->rank & (a->rank - 1), sum);
    } else if (a->root > 0) {
        message_send(sched, a->root, sum);
    } else {
        hitop_sched_copy(sched, sum, result);
    }
    hitop_sched_fence(sched);
    if (a->rank == a->root && a->root > 0) {
        message_recv(sched, 0, result);
        hitop_sched_fence(sched);
    }
}

const struct hitop_coll_type hitop_reduce_in_order_binomial = {
    .name = "reduce_in_order_binomial",
    .summary = "up a binomial tree of runs of ranks, then to the root",
    .family = "reduce",
    .in_place = 1,
    .plan = reduce_in_order_binomial_plan,
};
