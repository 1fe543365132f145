/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bcast_scatter.c - the root scatters the message, then an allgather: bcast_scatter_doubling,
 * bcast_scatter_doubling_all, bcast_scatter_ring.
 *
 * Idea:   a binomial scatter gives each rank one part of the message. ring: then all parts travel
 *         around a ring. doubling: then ranks at distance 1, 2, 4, ... exchange all they have;
 *         where the number of ranks is no power of two, each surplus rank receives the message
 *         from a neighbour at the end. doubling_all: all ranks take part: in the phase of distance
 *         d, ranks d apart exchange what their aligned intervals of d ranks have. Where the other
 *         interval is cut off at the last rank, ranks without a partner get its parts from those of
 *         their own interval, by halving.
 * Cost:   2 (n - 1) / n m bytes; ring: log2 n + n - 1 latencies; doubling: 2 log2 n latencies, with
 *         surplus ranks another T(m); doubling_all: up to 2 log2 n latencies more than
 *         doubling for a power of two, and no message of all bytes at the end.
 * Use:    ring: very long messages where consecutive ranks are near; doubling: long messages with
 *         a power of two of ranks; doubling_all: to compare with what a library does.
 * Needs:  nothing. Any number of ranks, any length; with less than one element per rank, some send
 *         nothing.
 * Source: Barnett, Gupta, Payne, Shuler, van de Geijn, Watts, Interprocessor collective
 *         communication library (SHPCC 1994); Thakur, Rabenseifner, Gropp (2005); doubling_all:
 *         scatter_allgather of Open MPI, scatter_recursive_doubling_allgather of MPICH.
 */
#include <config.h>

#include "coll/algorithms/doubling.h"
#include "coll/algorithms/messages.h"
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

static int min_int(int a, int b)
{
    return a < b ? a : b;
}

/* The first rank of the aligned interval of `length` ranks around a rank. */
static int aligned(int rank, int length)
{
    return rank & ~(length - 1);
}

/*
 * The other interval is parts `missing` and up, and has fewer than `distance` ranks: pass it on to
 * the ranks of the own interval that had no partner there.
 */
static void pass_on(const struct team *team, const struct parts *parts, struct hitop_span all,
                    int distance, int missing, struct hitop_sched *sched)
{
    const int me = team->me, served = team->size - missing;
    const struct hitop_span rest = parts_span(parts, all, missing, team->size);

    for (int half = distance / 2; half > 0; half /= 2) {
        const int peer = me ^ half, limit = aligned(me, 2 * half) + served;
        if (peer > me && me < limit && peer >= limit) {
            message_send(sched, hitop_team_rank(team, peer), rest);
        } else if (peer < me && peer < limit && me >= limit) {
            message_recv(sched, hitop_team_rank(team, peer), rest);
        }
        hitop_sched_fence(sched);
    }
}

static void bcast_scatter_doubling_all_plan(const struct hitop_coll_args *a,
                                            struct hitop_sched *sched)
{
    const struct team team = hitop_team_of_all(a, a->root);
    const struct parts parts = parts_of_message(a, team.size);
    const struct hitop_span all = hitop_span_recv(0, a->bytes);
    const int n = team.size;

    hitop_halving_scatter(&team, &parts, all, sched);
    for (int distance = 1; distance < n; distance *= 2) {
        const int peer = team.me ^ distance;
        const int mine = aligned(team.me, distance), theirs = aligned(peer, distance);
        if (peer < n) {
            const int rank = hitop_team_rank(&team, peer);
            message_recv(sched, rank,
                         parts_span(&parts, all, theirs, min_int(theirs + distance, n)));
            message_send(sched, rank, parts_span(&parts, all, mine, min_int(mine + distance, n)));
            hitop_sched_fence(sched);
        }
        if (theirs + distance > n && theirs < n) {
            pass_on(&team, &parts, all, distance, theirs, sched);
        }
    }
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

const struct hitop_coll_type hitop_bcast_scatter_doubling_all = {
    .name = "bcast_scatter_doubling_all",
    .summary = "scatter, then recursive doubling of all ranks",
    .family = "bcast",
    .by_name = 1,
    .plan = bcast_scatter_doubling_all_plan,
};
