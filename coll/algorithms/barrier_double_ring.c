/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * barrier_double_ring.c - a message travels around a ring of ranks twice.
 *
 * Idea:   the message leaves rank 0 and returns to it when all ranks have arrived; the second
 *         round notifies them.
 * Cost:   2 n latencies.
 * Use:    to compare with what a library does.
 * Needs:  nothing. Any number of ranks.
 * Source: the barrier of Open MPI (coll/base) of this name.
 */
#include <config.h>

#include "hitop/sys/coll.h"

static void barrier_double_ring_plan(const struct hitop_coll_args *a, struct hitop_sched *sched)
{
    const struct hitop_span nothing = hitop_span_work(0, 0);
    const int n = a->size, left = (a->rank + n - 1) % n, right = (a->rank + 1) % n;

    for (int round = 0; round < 2 && n > 1; round++) {
        if (a->rank > 0) {
            hitop_sched_recv(sched, left, nothing);
            hitop_sched_fence(sched);
        }
        hitop_sched_send(sched, right, nothing);
        if (a->rank == 0) {
            hitop_sched_recv(sched, left, nothing);
        }
        hitop_sched_fence(sched);
    }
}

const struct hitop_coll_type hitop_barrier_double_ring = {
    .name = "barrier_double_ring",
    .summary = "around a ring twice",
    .family = "barrier",
    .by_name = 1,
    .plan = barrier_double_ring_plan,
};
