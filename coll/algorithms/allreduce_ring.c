/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * allreduce_ring.c - sums of parts travel around a ring, then the results.
 *
 * Idea:   the message has one part for each rank. The sum of a part travels through all ranks in
 *         segments: one is combined while the next one arrives. Then the results travel around
 *         once more.
 * Cost:   2 (n - 1) T(m / n) for m bytes and (n - 1) / n m bytes combined.
 * Use:    very long messages where consecutive ranks are near.
 * Needs:  operands that commute. Any number of ranks. Memory for two parts.
 * Source: Patarasuk, Yuan, Bandwidth optimal all-reduce algorithms for clusters of workstations
 *         (JPDC 2009).
 */
#include <config.h>

#include "coll/algorithms/ring.h"

static void allreduce_ring_plan(const struct hitop_coll_args *a, struct hitop_sched *sched)
{
    const struct team team = hitop_team_of_all(a, 0);
    const struct parts parts = parts_of_message(a, team.size);
    const struct hitop_span all = hitop_span_recv(0, a->bytes);
    const struct segments segments = hitop_segments_make(a, parts_longest(&parts), sched);

    hitop_sched_copy(sched, hitop_ring_reduce_scatter(&team, &parts, &segments, sched),
                     parts_span(&parts, all, team.me, team.me + 1));
    hitop_ring_allgather(&team, &parts, all, sched);
    hitop_sched_fence(sched); /* needed by a single rank */
}

const struct hitop_coll_type hitop_allreduce_ring = {
    .name = "allreduce_ring",
    .summary = "reduce-scatter and allgather around a ring, optionally in segments",
    .family = "allreduce",
    .needs = HITOP_NEED_ANY_ORDER,
    .in_place = 1,
    .params = hitop_segment_param,
    .nparams = 1,
    .cut = HITOP_CUT_SHARE,
    .turns = 2,
    .plan = allreduce_ring_plan,
};
