/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * reduce_scatter_recursive_halving.c - exchange halves, quarters, ... of the blocks, nearest ranks
 * first.
 *
 * Idea:   the first half of allreduce_rabenseifner; each rank first puts its blocks in the order
 *         of the members' places. Each surplus rank beyond a power of two sends its operands to a
 *         neighbour first and receives its block from it at the end.
 * Cost:   log2 n latencies, (n - 1) m bytes for blocks of m bytes, as many combined; with surplus
 *         ranks T(n m) + T(m) more.
 * Use:    short and medium blocks.
 * Needs:  nothing. Any number of ranks, any lengths of blocks; the order of operands is kept.
 *         Memory for twice all blocks.
 * Source: Thakur, Rabenseifner, Gropp, Optimization of collective communication operations in
 *         MPICH (2005).
 */
#include <config.h>

#include "coll/algorithms/messages.h"
#include "coll/algorithms/sums.h"

#include <stdlib.h>

/* The blocks of a member by its number: those of a pair of ranks, or of one rank. */
static struct hitop_span blocks_of(const struct hitop_coll_args *a, const struct team *team,
                                   int number)
{
    const struct parts parts = parts_of_blocks(a, team->pairs);

    return parts_span(&parts, hitop_span_send(0, 0), number, number + 1);
}

/*
 * Copy the operands of this rank in the order of places; sets starts[] to where each place begins.
 */
static void arrange(const struct hitop_coll_args *a, const struct team *team, size_t *starts,
                    struct hitop_span all, struct hitop_sched *sched)
{
    for (int place = 0; place < team->size; place++) {
        const struct hitop_span blocks = blocks_of(a, team, hitop_team_number(team, place));
        hitop_sched_copy(sched, blocks, sums_part(all, starts[place], blocks.bytes));
        starts[place + 1] = starts[place] + blocks.bytes;
    }
}

/* A member has the blocks of both ranks of its pair; its own is the first one. */
static void hand_out(const struct hitop_coll_args *a, const struct team *team,
                     struct hitop_span both, struct hitop_sched *sched)
{
    const size_t own = hitop_block_bytes(a, a->rank, 1);

    if (team->partner != HITOP_NO_RANK) {
        message_send(sched, team->partner, sums_part(both, own, both.bytes - own));
    }
    hitop_sched_copy(sched, sums_part(both, 0, own), hitop_span_recv(0, own));
}

static void reduce_scatter_recursive_halving_plan(const struct hitop_coll_args *a,
                                                  struct hitop_sched *sched)
{
    const struct team team = hitop_team_mirrored(hitop_team_of_power(a, 0));
    const size_t bytes = hitop_block_start(a, a->size);
    size_t *starts = calloc((size_t)team.size + 1, sizeof(*starts));
    const struct parts parts = {.starts = starts, .pieces = team.size};
    struct sums sums = {hitop_span_work(0, bytes), hitop_span_work(bytes, bytes), a->ordered};

    if (!starts) {
        hitop_sched_fail(sched, HITOP_ERR_NOMEM);
        return;
    }
    arrange(a, &team, starts, sums.sum, sched);
    hitop_sums_add_surplus(&sums, &team, sums.sum, sched);
    if (team.surplus) {
        message_recv(sched, team.partner, hitop_span_recv(0, hitop_block_bytes(a, a->rank, 1)));
    } else {
        hitop_sums_halve(&sums, &team, &parts, sched);
        hand_out(a, &team, parts_span(&parts, sums.sum, team.me, team.me + 1), sched);
    }
    hitop_sched_fence(sched);
    free(starts);
}

const struct hitop_coll_type hitop_reduce_scatter_recursive_halving = {
    .name = "reduce_scatter_recursive_halving",
    .summary = "exchange halves, quarters, ... of the blocks",
    .family = "reduce_scatter",
    .in_place = 1,
    .plan = reduce_scatter_recursive_halving_plan,
};
