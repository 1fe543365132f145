/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * allgather_recursive_doubling.c - ranks at distance 1, 2, 4, ... exchange all they have.
 *
 * Idea:   after phase k each rank has the 2^k blocks of an aligned interval of ranks. Where the
 *         number of ranks is no power of two, each surplus rank first sends its block to a
 *         neighbour and receives all blocks from it at the end.
 * Cost:   log2 n latencies and (n - 1) m bytes for blocks of m bytes; with surplus ranks another
 *         T(m) + T(n m).
 * Use:    short blocks with a power of two of ranks. Most bytes travel to distant ranks.
 * Needs:  nothing. Any number of ranks, any lengths of blocks.
 * Source: Thakur, Rabenseifner, Gropp (2005).
 */
#include <config.h>

#include "coll/algorithms/doubling.h"
#include "coll/algorithms/messages.h"

static void copy_own(const struct hitop_coll_args *a, struct hitop_sched *sched)
{
    const size_t bytes = hitop_block_bytes(a, a->rank, 1);

    hitop_sched_copy(sched, hitop_span_send(0, bytes),
                     hitop_span_recv(hitop_block_start(a, a->rank), bytes));
}

static void allgather_recursive_doubling_plan(const struct hitop_coll_args *a,
                                              struct hitop_sched *sched)
{
    const struct team team = hitop_team_of_power(a, 0);
    const struct parts parts = parts_of_blocks(a, team.pairs);
    const struct hitop_span all = hitop_span_recv(0, hitop_block_start(a, a->size));

    if (team.surplus) {
        message_send(sched, team.partner, hitop_span_send(0, hitop_block_bytes(a, a->rank, 1)));
        hitop_sched_fence(sched);
    } else {
        copy_own(a, sched);
        if (team.partner != HITOP_NO_RANK) {
            message_recv(sched, team.partner,
                         hitop_span_recv(hitop_block_start(a, team.partner),
                                         hitop_block_bytes(a, team.partner, 1)));
        }
        hitop_sched_fence(sched);
        hitop_doubling_allgather(&team, &parts, all, sched);
    }
    hitop_doubling_share(&team, all, sched);
    hitop_sched_fence(sched);
}

const struct hitop_coll_type hitop_allgather_recursive_doubling = {
    .name = "allgather_recursive_doubling",
    .summary = "exchange all with ranks at distance 1, 2, 4, ...",
    .family = "allgather",
    .in_place = 1,
    .plan = allgather_recursive_doubling_plan,
};
