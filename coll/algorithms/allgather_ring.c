/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * allgather_ring.c - blocks travel around a ring.
 *
 * Idea:   each rank sends the block that it received last to its right neighbour, beginning with
 *         its own.
 * Cost:   (n - 1) T(m) for blocks of m bytes: n - 1 latencies, each byte once over each link.
 * Use:    long blocks where consecutive ranks are near: messages go only between neighbours.
 * Needs:  nothing. Any number of ranks, any lengths of blocks.
 * Source: Thakur, Rabenseifner, Gropp, Optimization of collective communication operations in
 *         MPICH (2005).
 */
#include <config.h>

#include "coll/algorithms/ring.h"

static void allgather_ring_plan(const struct hitop_coll_args *a, struct hitop_sched *sched)
{
    const struct team team = hitop_team_of_all(a, 0);
    const struct parts parts = parts_of_blocks(a, 0);
    const struct hitop_span all = hitop_span_recv(0, hitop_block_start(a, a->size));

    hitop_sched_copy(sched, hitop_span_send(0, hitop_block_bytes(a, a->rank, 1)),
                     parts_span(&parts, all, a->rank, a->rank + 1));
    hitop_ring_allgather(&team, &parts, all, sched);
    hitop_sched_fence(sched); /* needed by a single rank */
}

const struct hitop_coll_type hitop_allgather_ring = {
    .name = "allgather_ring",
    .summary = "blocks travel around a ring",
    .family = "allgather",
    .in_place = 1,
    .turns = 1,
    .plan = allgather_ring_plan,
};
