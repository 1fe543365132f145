/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * barrier_dissemination.c - each rank notifies the ranks 1, 2, 4, ... places further.
 *
 * Idea:   after phase k a rank knows that the 2^k ranks up to itself have arrived.
 * Cost:   ceil(log2 n) latencies.
 * Use:    links that are alike.
 * Needs:  nothing. Any number of ranks.
 * Source: Hensgen, Finkel, Manber, Two algorithms for barrier synchronization (1988).
 */
#include <config.h>

#include "hitop/sys/coll.h"

static void barrier_dissemination_plan(const struct hitop_coll_args *a, struct hitop_sched *sched)
{
    for (int distance = 1; distance < a->size; distance *= 2) {
        hitop_sched_recv(sched, (a->rank + a->size - distance) % a->size, hitop_span_work(0, 0));
        hitop_sched_send(sched, (a->rank + distance) % a->size, hitop_span_work(0, 0));
        hitop_sched_fence(sched);
    }
}

const struct hitop_coll_type hitop_barrier_dissemination = {
    .name = "barrier_dissemination",
    .summary = "notify ranks at distance 1, 2, 4, ...",
    .family = "barrier",
    .plan = barrier_dissemination_plan,
};
