/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * allreduce_rabenseifner.c - a reduce-scatter by recursive halving, an allgather by recursive
 * doubling: allreduce_rabenseifner, allreduce_rabenseifner_odd.
 *
 * Idea:   ranks exchange halves, quarters, ... of the message, nearest ranks first, and combine
 *         them, until each rank has the sum of its part; the allgather collects the parts. Each
 *         surplus rank beyond a power of two first sends its operand to a neighbour and receives
 *         the result from it at the end.
 *         The surplus ranks are the odd ones of the first pairs; those of _odd, to compare with
 *         MPICH, the even ones.
 * Cost:   2 log2 n latencies, 2 (n - 1) / n m bytes and (n - 1) / n m bytes combined; with surplus
 *         ranks 2 T(m) more.
 * Use:    long messages.
 * Needs:  nothing. Any number of ranks; the order of operands is kept. Memory for one message.
 * Source: Rabenseifner, Optimization of collective reduction operations (ICCS 2004).
 */
#include <config.h>

#include "coll/algorithms/doubling.h"
#include "coll/algorithms/sums.h"

static void plan_for(struct team team, const struct hitop_coll_args *a, struct hitop_sched *sched)
{
    const struct parts parts = parts_of_message(a, team.size);
    const struct hitop_span all = hitop_span_recv(0, a->bytes);
    const struct hitop_span own = parts_span(&parts, all, team.me, team.me + 1);
    struct sums sums = {all, hitop_span_work(0, a->bytes), a->ordered};

    hitop_sums_begin(&sums, &team, sched);
    if (!team.surplus) {
        hitop_sums_halve(&sums, &team, &parts, sched);
        hitop_sums_settle(&sums, sched, all, own.offset, own.bytes);
        hitop_doubling_allgather(&team, &parts, all, sched);
    }
    hitop_doubling_share(&team, all, sched);
    hitop_sched_fence(sched);
}

static void allreduce_rabenseifner_plan(const struct hitop_coll_args *a, struct hitop_sched *sched)
{
    plan_for(hitop_team_mirrored(hitop_team_of_power(a, 0)), a, sched);
}

static void allreduce_rabenseifner_odd_plan(const struct hitop_coll_args *a,
                                            struct hitop_sched *sched)
{
    plan_for(hitop_team_mirrored(hitop_team_of_power_odd(a, 0)), a, sched);
}

const struct hitop_coll_type hitop_allreduce_rabenseifner_odd = {
    .name = "allreduce_rabenseifner_odd",
    .summary = "the same; surplus ranks are even ones",
    .family = "allreduce",
    .in_place = 1,
    .by_name = 1,
    .plan = allreduce_rabenseifner_odd_plan,
};

const struct hitop_coll_type hitop_allreduce_rabenseifner = {
    .name = "allreduce_rabenseifner",
    .summary = "reduce-scatter by recursive halving, allgather by recursive doubling",
    .family = "allreduce",
    .in_place = 1,
    .plan = allreduce_rabenseifner_plan,
};
