/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gather_split.c - the root receives a piece of each block from everybody, then the next piece.
 *
 * Idea:   a linear gather of blocks of middling size may cost far more than several of short ones: many messages
 *         at once are more than the way to the root can hold.
 * Cost:   a linear gather for each piece.
 * Use:    blocks between the sizes M1 and M2 within which the model LMO has escalations of many-to-one, in pieces of M1.
 * Needs:  nothing. Any number of ranks, any lengths of blocks.
 * Source: Lastovetsky, Rychkov, O'Flynn, LMO; CPM, LMO_Gather_split_flat.
 */
#include <config.h>

#include "coll/algorithms/messages.h"
#include "coll/algorithms/split.h"

static const struct hitop_param gather_split_params[SPLIT_NPARAMS] = {[SPLIT_PIECE] = SPLIT_PARAM};

static enum hitop_status gather_split_plan(const struct hitop_coll_args *a, const double *params,
                                           struct hitop_sched *sched, struct hitop_diag *diag)
{
    const struct hitop_span own = hitop_span_send(0, hitop_block_bytes(a, a->rank, 1));
    struct segments rounds;
    const enum hitop_status status =
        hitop_split_init(&rounds, "gather_split", a, params[SPLIT_PIECE], diag);

    if (status != HITOP_OK) {
        return status;
    }
    if (a->rank == a->root) {
        hitop_sched_copy(sched, own, hitop_span_recv(hitop_block_start(a, a->rank), own.bytes));
    }
    for (size_t k = 0; k < rounds.count; k++) {
        for (int i = 1; i < a->size && a->rank == a->root; i++) {
            const int from = (a->root + i) % a->size;
            message_recv(sched, from,
                         hitop_split_piece(&rounds, a, hitop_span_recv(0, 0), from, k));
        }
        if (a->rank != a->root) {
            message_send(sched, a->root, segments_cut(&rounds, own, k));
        }
        hitop_sched_fence(sched);
    }
    return hitop_sched_status(sched);
}

const struct hitop_coll_type hitop_gather_split = {
    .name = "gather_split",
    .summary = "linear gathers of pieces of the blocks",
    .family = "gather",
    .in_place = 1,
    .params = gather_split_params,
    .nparams = SPLIT_NPARAMS,
    .plan = gather_split_plan,
};
