/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bcast_scatter.c - the root scatters the message, then an allgather: bcast_scatter_doubling,
 * bcast_scatter_ring.
 *
 * Idea:   a binomial scatter gives each rank one part of the message. ring: then all parts travel
 *         around a ring. doubling: then ranks at distance 1, 2, 4, ... exchange all they have;
 *         where the number of ranks is no power of two, each surplus rank receives the message
 *         from a neighbour at the end.
 * Cost:   2 (n - 1) / n m bytes; ring: log2 n + n - 1 latencies; doubling: 2 log2 n latencies, with
 *         surplus ranks another T(m).
 * Use:    ring: very long messages where consecutive ranks are near; doubling: long messages with
 *         a power of two of ranks.
 * Needs:  nothing. Any number of ranks, any length.
 * Source: Barnett, Gupta, Payne, Shuler, van de Geijn, Watts, Interprocessor collective
 *         communication library (SHPCC 1994); Thakur, Rabenseifner, Gropp (2005).
 */
#include <config.h>

#include "coll/algorithms/doubling.h"
#include "coll/algorithms/ring.h"

static void bcast_scatter_doubling_plan(const struct hitop_coll_args *a, struct hitop_sched *sched)
{
    const struct team team = hitop_team_of_power(a, a->root);
    const struct parts parts = parts_of_message(a, team.size);
    const struct hitop_span all = hitop_span_recv(0, a->bytes);

    if (!team.surplus) {
        hitop_halving_scatter(&team, &parts, all, sched);
        hitop_doubling_allgather(&team, &parts, all, sched);
    }
    hitop_doubling_share(&team, all, sched);
    hitop_sched_fence(sched);
}

static void bcast_scatter_ring_plan(const struct hitop_coll_args *a, struct hitop_sched *sched)
{
    const struct team team = hitop_team_of_all(a, a->root);
    const struct parts parts = parts_of_message(a, team.size);
    const struct hitop_span all = hitop_span_recv(0, a->bytes);

    hitop_halving_scatter(&team, &parts, all, sched);
    hitop_ring_allgather(&team, &parts, all, sched);
}

const struct hitop_coll_type hitop_bcast_scatter_doubling = {
    .name = "bcast_scatter_doubling",
    .summary = "scatter, then an allgather by recursive doubling",
    .family = "bcast",
    .plan = bcast_scatter_doubling_plan,
};

const struct hitop_coll_type hitop_bcast_scatter_ring = {
    .name = "bcast_scatter_ring",
    .summary = "scatter, then an allgather around a ring",
    .family = "bcast",
    .plan = bcast_scatter_ring_plan,
};
