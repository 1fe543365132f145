/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * reduce_scatter_pairwise.c - in phase k each rank receives one operand of its block, from the
 * rank k places before it.
 *
 * Idea:   operands arrive from the lower ranks, down to rank 0, then from the last rank downwards.
 *         Two sums, one for each of these groups, grow to the left and keep the order. One operand
 *         is combined while the next one arrives.
 * Cost:   (n - 1) T(m) for blocks of m bytes and (n - 1) m bytes combined.
 * Use:    long blocks.
 * Needs:  nothing. Any number of ranks, any lengths of blocks; the order of operands is kept.
 *         Memory for four blocks.
 * Source: Thakur, Rabenseifner, Gropp, Optimization of collective communication operations in
 *         MPICH (2005).
 */
#include <config.h>

#include "coll/algorithms/messages.h"

#include "hitop/sys/coll.h"

/*
 * Places in work memory, each for one block: two for arriving operands, used in turn; the sum of
 * the ranks up to this one; the sum of the ranks above.
 */
enum place { ARRIVING, LOW = 2, HIGH };

static struct hitop_span at(const struct hitop_coll_args *a, int place)
{
    const size_t own = hitop_block_bytes(a, a->rank, 1);

    return hitop_span_work((size_t)place * own, own);
}

/* Where the operand of phase k arrives: that of the last rank begins the sum HIGH. */
static struct hitop_span arrival(const struct hitop_coll_args *a, int k)
{
    return at(a, k == a->rank + 1 ? HIGH : ARRIVING + k % 2);
}

static void take(const struct hitop_coll_args *a, struct hitop_sched *sched, int k)
{
    if (k <= a->rank) {
        hitop_sched_reduce(sched, arrival(a, k), at(a, LOW));
    } else if (k > a->rank + 1) {
        hitop_sched_reduce(sched, arrival(a, k), at(a, HIGH));
    }
}

static void reduce_scatter_pairwise_plan(const struct hitop_coll_args *a, struct hitop_sched *sched)
{
    const int n = a->size, me = a->rank;
    const size_t own = hitop_block_bytes(a, me, 1);
    const struct hitop_span result = hitop_span_recv(0, own);

    hitop_sched_copy(sched, hitop_span_send(hitop_block_start(a, me), own), at(a, LOW));
    for (int k = 1; k < n; k++) {
        const int to = (me + k) % n;
        message_recv(sched, (me + n - k) % n, arrival(a, k));
        message_deliver(sched, to,
                        hitop_span_send(hitop_block_start(a, to), hitop_block_bytes(a, to, 1)));
        if (k > 1) {
            take(a, sched, k - 1);
        }
        hitop_sched_fence(sched);
    }
    if (n > 1) {
        take(a, sched, n - 1);
    }
    if (me < n - 1) {
        hitop_sched_reduce(sched, at(a, LOW), at(a, HIGH));
    }
    hitop_sched_copy(sched, at(a, me < n - 1 ? HIGH : LOW), result);
    hitop_sched_fence(sched);
}

const struct hitop_coll_type hitop_reduce_scatter_pairwise = {
    .name = "reduce_scatter_pairwise",
    .summary = "get the own block from one rank after the other",
    .family = "reduce_scatter",
    .in_place = 1,
    .plan = reduce_scatter_pairwise_plan,
};
