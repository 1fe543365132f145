/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * reduce_rabenseifner.c - a reduce-scatter by recursive halving, a binomial gather to the root.
 *
 * Idea:   ranks exchange halves, quarters, ... of the message, nearest ranks first, and combine
 *         them, until each rank has the sum of its part; the root gathers the parts. Each surplus
 *         rank beyond a power of two first sends its operand to a neighbour.
 * Cost:   2 log2 n latencies, 2 (n - 1) / n m bytes and (n - 1) / n m bytes combined; with surplus
 *         ranks T(m) more. Where operands do not commute and another rank acts for the root,
 *         another T(m).
 * Use:    long messages.
 * Needs:  nothing. Any number of ranks; the order of operands is kept. Memory for two messages.
 * Source: Rabenseifner, Optimization of collective reduction operations (ICCS 2004).
 */
#include <config.h>

#include "coll/algorithms/messages.h"
#include "coll/algorithms/sums.h"

/* Gather all parts at the root's place: in `all` there, in the memory of the sum elsewhere. */
static void gather(const struct team *team, const struct parts *parts, int root_place,
                   struct hitop_span all, struct hitop_sched *sched)
{
    const int away = team->me ^ root_place;

    for (int length = 1; length < team->size; length *= 2) {
        const int mine = team->me & ~(length - 1), theirs = mine ^ length;
        const int peer = hitop_team_rank(team, team->me ^ length);
        if (away & length) {
            message_send(sched, peer, parts_span(parts, all, mine, mine + length));
            break;
        }
        message_recv(sched, peer, parts_span(parts, all, theirs, theirs + length));
        hitop_sched_fence(sched);
    }
}

static void reduce_rabenseifner_plan(const struct hitop_coll_args *a, struct hitop_sched *sched)
{
    const struct team team = hitop_team_mirrored(hitop_team_of_power(a, a->ordered ? 0 : a->root));
    const struct parts parts = parts_of_message(a, team.size);
    const int root_place = hitop_team_place(&team, a->root);
    const int agent =
        hitop_team_rank(&team, root_place); /* the root, or the rank that acts for it */
    const struct hitop_span result = hitop_span_recv(0, a->bytes);
    struct sums sums = {hitop_span_work(0, a->bytes), hitop_span_work(a->bytes, a->bytes),
                        a->ordered};

    hitop_sums_begin(&sums, &team, sched);
    if (!team.surplus) {
        struct hitop_span all, own;
        hitop_sums_halve(&sums, &team, &parts, sched);
        all = a->rank == a->root ? result : sums.sum;
        own = parts_span(&parts, all, team.me, team.me + 1);
        hitop_sums_settle(&sums, sched, all, own.offset - all.offset, own.bytes);
        gather(&team, &parts, root_place, all, sched);
        if (a->rank == agent && agent != a->root) {
            message_send(sched, a->root, all);
        }
    } else if (a->rank == a->root) {
        message_recv(sched, agent, result);
    }
    hitop_sched_fence(sched);
}

const struct hitop_coll_type hitop_reduce_rabenseifner = {
    .name = "reduce_rabenseifner",
    .summary = "reduce-scatter by recursive halving, binomial gather",
    .family = "reduce",
    .in_place = 1,
    .plan = reduce_rabenseifner_plan,
};
