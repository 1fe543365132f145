/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bcast_scatter_ring.c - the root scatters the message, a ring puts it together everywhere.
 *
 * Idea:   each rank gets one part of the message by a binomial scatter; then all parts travel around a ring.
 * Cost:   (log2 n + n - 1) latencies and 2 (n - 1) / n m bytes.
 * Use:    very long messages, and ranks of which neighbours are near.
 * Needs:  nothing. Any number of ranks, any length.
 * Source: Barnett, Gupta, Payne, Shuler, van de Geijn, Watts, Interprocessor collective communication library
 *         (SHPCC 1994); Thakur, Rabenseifner, Gropp (2005).
 */
#include <config.h>

#include "coll/algorithms/doubling.h"
#include "coll/algorithms/ring.h"

static enum hitop_status bcast_scatter_ring_plan(const struct hitop_coll_args *a,
                                                 const double *params, struct hitop_sched *sched,
                                                 struct hitop_diag *diag)
{
    const struct team team = hitop_team_of_all(a, a->root);
    const struct parts parts = parts_of_message(a, team.size);
    const struct hitop_span all = hitop_span_recv(0, a->bytes);

    (void)params;
    (void)diag;
    hitop_halving_scatter(&team, &parts, all, sched);
    hitop_ring_allgather(&team, &parts, all, sched);
    return hitop_sched_status(sched);
}

const struct hitop_coll_type hitop_bcast_scatter_ring = {
    .name = "bcast_scatter_ring",
    .summary = "scatter, then an allgather around a ring",
    .family = "bcast",
    .plan = bcast_scatter_ring_plan,
};
