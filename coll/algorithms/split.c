/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * split.c - the root exchanges blocks with all other ranks in pieces: gather_split, scatter_split.
 *
 * Idea:   in each round the root exchanges one piece of the block of every rank. A linear scatter
 *         of long blocks can cost more than several scatters of short ones. A linear gather of
 *         medium blocks can cost far more, as concurrent messages exceed what the network can
 *         buffer on the way to the root.
 * Cost:   one linear scatter or gather for each piece.
 * Use:    scatter: blocks beyond the size S at which the LMO model has a leap of one-to-many.
 *         gather: blocks between the sizes M1 and M2 of the LMO model, where many-to-one has
 *         escalations, in pieces of M1.
 * Needs:  nothing. Any number of ranks, any lengths of blocks.
 * Source: Lastovetsky, Rychkov, O'Flynn, LMO; CPM, LMO_Scatter_split_flat and
 *         LMO_Gather_split_flat.
 */
#include <config.h>

#include "coll/algorithms/messages.h"
#include "coll/algorithms/parts.h"
#include "coll/algorithms/segments.h"

static const struct hitop_param split_param[] = {
    {"piece", "bytes of a block per round; 0: by the sizes of a model, else whole blocks", 0, 0,
     1e12, "B"}};

/* `all` holds the blocks of all ranks, at the root; `own` is the block of this rank. */
static void plan_rounds(const struct hitop_coll_args *a, int is_gather, struct hitop_span all,
                        struct hitop_span own, struct hitop_sched *sched)
{
    const struct parts blocks = parts_of_blocks(a, 0);
    const struct segments rounds = hitop_segments_make(a, parts_longest(&blocks), sched);
    const struct hitop_span mine = parts_span(&blocks, all, a->rank, a->rank + 1);

    if (a->rank == a->root) {
        hitop_sched_copy(sched, is_gather ? own : mine, is_gather ? mine : own);
    }
    for (size_t k = 0; k < rounds.count; k++) {
        for (int i = 1; i < a->size && a->rank == a->root; i++) {
            const int peer = (a->root + i) % a->size;
            const struct hitop_span piece =
                segments_cut(&rounds, parts_span(&blocks, all, peer, peer + 1), k);
            if (is_gather) {
                message_recv(sched, peer, piece);
            } else {
                message_deliver(sched, peer, piece);
            }
        }
        if (a->rank != a->root && is_gather) {
            message_send(sched, a->root, segments_cut(&rounds, own, k));
        } else if (a->rank != a->root) {
            message_recv(sched, a->root, segments_cut(&rounds, own, k));
        }
        hitop_sched_fence(sched);
    }
}

static void gather_split_plan(const struct hitop_coll_args *a, struct hitop_sched *sched)
{
    plan_rounds(a, 1, hitop_span_recv(0, 0), hitop_span_send(0, hitop_block_bytes(a, a->rank, 1)),
                sched);
}

static void scatter_split_plan(const struct hitop_coll_args *a, struct hitop_sched *sched)
{
    plan_rounds(a, 0, hitop_span_send(0, 0), hitop_span_recv(0, hitop_block_bytes(a, a->rank, 1)),
                sched);
}

const struct hitop_coll_type hitop_gather_split = {
    .name = "gather_split",
    .summary = "linear gathers of pieces of the blocks",
    .family = "gather",
    .in_place = 1,
    .params = split_param,
    .nparams = 1,
    .plan = gather_split_plan,
};

const struct hitop_coll_type hitop_scatter_split = {
    .name = "scatter_split",
    .summary = "linear scatters of pieces of the blocks",
    .family = "scatter",
    .in_place = 1,
    .params = split_param,
    .nparams = 1,
    .plan = scatter_split_plan,
};
