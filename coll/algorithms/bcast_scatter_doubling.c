/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bcast_scatter_doubling.c - the root scatters the message, recursive doubling puts it together everywhere.
 *
 * Idea:   each rank gets one part of the message by a binomial scatter; then ranks at distance 1, 2, 4, ... exchange all they
 *         have. Where their number is no power of two, a neighbour sends each surplus rank the message in the end.
 * Cost:   2 log2 n latencies and 2 (n - 1) / n m bytes; with surplus ranks another T(m).
 * Use:    long messages with a power of two of ranks.
 * Needs:  nothing. Any number of ranks, any length.
 * Source: van de Geijn, as bcast_scatter_ring; Thakur, Rabenseifner, Gropp (2005).
 */
#include <config.h>

#include "coll/algorithms/doubling.h"

static enum hitop_status bcast_scatter_doubling_plan(const struct hitop_coll_args *a,
                                                     const double *params,
                                                     struct hitop_sched *sched,
                                                     struct hitop_diag *diag)
{
    const struct team team = hitop_team_of_power(a, a->root);
    const struct parts parts = parts_of_message(a, team.size);
    const struct hitop_span all = hitop_span_recv(0, a->bytes);

    (void)params;
    (void)diag;
    if (!team.surplus) {
        hitop_halving_scatter(&team, &parts, all, sched);
        hitop_doubling_allgather(&team, &parts, all, sched);
    }
    hitop_doubling_share(&team, all, sched);
    hitop_sched_fence(sched);
    return hitop_sched_status(sched);
}

const struct hitop_coll_type hitop_bcast_scatter_doubling = {
    .name = "bcast_scatter_doubling",
    .summary = "scatter, then an allgather by recursive doubling",
    .family = "bcast",
    .plan = bcast_scatter_doubling_plan,
};
