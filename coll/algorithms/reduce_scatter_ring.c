/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * reduce_scatter_ring.c - the sum of each block travels around a ring to its owner.
 *
 * Idea:   the sum of a block begins at the rank after its owner and travels through all ranks to
 *         the owner, in segments: one is combined while the next one arrives.
 * Cost:   (n - 1) T(m) for blocks of m bytes and (n - 1) m bytes combined.
 * Use:    long blocks where consecutive ranks are near.
 * Needs:  operands that commute. Any number of ranks, any lengths of blocks. Memory for two blocks.
 * Source: Patarasuk, Yuan, Bandwidth optimal all-reduce algorithms for clusters of workstations
 *         (JPDC 2009).
 */
#include <config.h>

#include "coll/algorithms/ring.h"

static void reduce_scatter_ring_plan(const struct hitop_coll_args *a, struct hitop_sched *sched)
{
    const struct team team = hitop_team_of_all(a, 0);
    const struct parts parts = parts_of_blocks(a, 0);
    const struct segments segments = hitop_segments_make(a, parts_longest(&parts), sched);

    hitop_sched_copy(sched, hitop_ring_reduce_scatter(&team, &parts, &segments, sched),
                     hitop_span_recv(0, hitop_block_bytes(a, a->rank, 1)));
    hitop_sched_fence(sched);
}

const struct hitop_coll_type hitop_reduce_scatter_ring = {
    .name = "reduce_scatter_ring",
    .summary = "sums travel around a ring, optionally in segments",
    .family = "reduce_scatter",
    .needs = HITOP_NEED_ANY_ORDER,
    .in_place = 1,
    .params = hitop_segment_param,
    .nparams = 1,
    .cut = HITOP_CUT_SHARE,
    .turns = 1,
    .plan = reduce_scatter_ring_plan,
};
