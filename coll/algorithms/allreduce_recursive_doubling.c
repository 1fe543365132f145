/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * allreduce_recursive_doubling.c - ranks at distance 1, 2, 4, ... exchange their sums:
 * allreduce_recursive_doubling, allreduce_recursive_doubling_odd.
 *
 * Idea:   after phase k each rank has the sum of an aligned interval of 2^k ranks. Where the
 *         number of ranks is no power of two, each surplus rank first sends its operand to a
 *         neighbour and receives the result from it at the end.
 * Cost:   log2 n (T(m) + one combination of m bytes); with surplus ranks two more messages.
 *         The surplus ranks are the odd ones of the first pairs; those of _odd, to compare with MPI
 *         libraries, the even ones.
 * Use:    short messages.
 * Needs:  nothing. Any number of ranks; the order of operands is kept. Memory for one message.
 * Source: Thakur, Rabenseifner, Gropp, Optimization of collective communication operations in
 *         MPICH (2005).
 */
#include <config.h>

#include "coll/algorithms/doubling.h"
#include "coll/algorithms/messages.h"
#include "coll/algorithms/sums.h"

static void exchange(const struct team *team, struct sums *sums, struct hitop_sched *sched)
{
    for (int length = 1; length < team->size; length *= 2) {
        const int other = team->me ^ length;
        message_recv(sched, hitop_team_rank(team, other), sums->spare);
        message_send(sched, hitop_team_rank(team, other), sums->sum);
        hitop_sched_fence(sched);
        hitop_sums_take(sums, sched, 0, sums->sum.bytes, other < team->me);
    }
}

static void plan_for(struct team team, const struct hitop_coll_args *a, struct hitop_sched *sched)
{
    const struct hitop_span all = hitop_span_recv(0, a->bytes);
    struct sums sums = {all, hitop_span_work(0, a->bytes), a->ordered};

    hitop_sums_begin(&sums, &team, sched);
    if (!team.surplus) {
        exchange(&team, &sums, sched);
        hitop_sums_settle(&sums, sched, all, 0, a->bytes);
    }
    hitop_doubling_share(&team, all, sched);
    hitop_sched_fence(sched);
}

static void allreduce_recursive_doubling_plan(const struct hitop_coll_args *a,
                                              struct hitop_sched *sched)
{
    plan_for(hitop_team_of_power(a, 0), a, sched);
}

static void allreduce_recursive_doubling_odd_plan(const struct hitop_coll_args *a,
                                                  struct hitop_sched *sched)
{
    plan_for(hitop_team_of_power_odd(a, 0), a, sched);
}

const struct hitop_coll_type hitop_allreduce_recursive_doubling_odd = {
    .name = "allreduce_recursive_doubling_odd",
    .summary = "the same; surplus ranks are even ones",
    .family = "allreduce",
    .in_place = 1,
    .by_name = 1,
    .plan = allreduce_recursive_doubling_odd_plan,
};

const struct hitop_coll_type hitop_allreduce_recursive_doubling = {
    .name = "allreduce_recursive_doubling",
    .summary = "exchange sums with ranks at distance 1, 2, 4, ...",
    .family = "allreduce",
    .in_place = 1,
    .plan = allreduce_recursive_doubling_plan,
};
