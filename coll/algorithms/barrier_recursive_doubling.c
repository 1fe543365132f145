/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * barrier_recursive_doubling.c - ranks at distance 1, 2, 4, ... notify each other.
 *
 * Idea:   after phase k an aligned interval of 2^k ranks has arrived. Each surplus rank beyond a
 *         power of two notifies the rank that many places before it first, and is notified by it
 *         at the end.
 * Cost:   log2 n latencies; with surplus ranks two more.
 * Use:    links that are alike; a power of two of ranks.
 * Needs:  nothing. Any number of ranks.
 * Source: the barrier of Open MPI (coll/base) of this name.
 */
#include <config.h>

#include "hitop/sys/coll.h"

static void barrier_recursive_doubling_plan(const struct hitop_coll_args *a,
                                            struct hitop_sched *sched)
{
    const struct hitop_span nothing = hitop_span_work(0, 0);
    const int n = a->size, me = a->rank;
    int power = 1;

    while (power <= n / 2) {
        power *= 2;
    }
    if (me >= power) {
        hitop_sched_send(sched, me - power, nothing);
        hitop_sched_recv(sched, me - power, nothing);
        hitop_sched_fence(sched);
        return;
    }
    if (me + power < n) {
        hitop_sched_recv(sched, me + power, nothing);
        hitop_sched_fence(sched);
    }
    for (int distance = 1; distance < power; distance *= 2) {
        hitop_sched_recv(sched, me ^ distance, nothing);
        hitop_sched_send(sched, me ^ distance, nothing);
        hitop_sched_fence(sched);
    }
    if (me + power < n) {
        hitop_sched_send(sched, me + power, nothing);
        hitop_sched_fence(sched);
    }
}

const struct hitop_coll_type hitop_barrier_recursive_doubling = {
    .name = "barrier_recursive_doubling",
    .summary = "notify each other at distance 1, 2, 4, ...",
    .family = "barrier",
    .plan = barrier_recursive_doubling_plan,
};
