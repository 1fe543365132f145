/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * scatter_split.c - the root sends a piece of each block to everybody, then the next piece.
 *
 * Idea:   a linear scatter of long blocks may cost more than several of short ones.
 * Cost:   a linear scatter for each piece.
 * Use:    blocks beyond the size S at which the model LMO has a leap of one-to-many.
 * Needs:  nothing. Any number of ranks, any lengths of blocks.
 * Source: Lastovetsky, Rychkov, O'Flynn, LMO; CPM, LMO_Scatter_split_flat.
 */
#include <config.h>

#include "coll/algorithms/messages.h"
#include "coll/algorithms/split.h"

static const struct hitop_param scatter_split_params[SPLIT_NPARAMS] = {[SPLIT_PIECE] = SPLIT_PARAM};

static enum hitop_status scatter_split_plan(const struct hitop_coll_args *a, const double *params,
                                            struct hitop_sched *sched, struct hitop_diag *diag)
{
    const size_t own = hitop_block_bytes(a, a->rank, 1);
    const struct hitop_span result = hitop_span_recv(0, own);
    struct segments rounds;
    const enum hitop_status status =
        hitop_split_init(&rounds, "scatter_split", a, params[SPLIT_PIECE], diag);

    if (status != HITOP_OK) {
        return status;
    }
    if (a->rank == a->root) {
        hitop_sched_copy(sched, hitop_span_send(hitop_block_start(a, a->rank), own), result);
    }
    for (size_t k = 0; k < rounds.count; k++) {
        for (int i = 1; i < a->size && a->rank == a->root; i++) {
            const int to = (a->root + i) % a->size;
            message_deliver(sched, to, hitop_split_piece(&rounds, a, hitop_span_send(0, 0), to, k));
        }
        if (a->rank != a->root) {
            message_recv(sched, a->root, segments_cut(&rounds, result, k));
        }
        hitop_sched_fence(sched);
    }
    return hitop_sched_status(sched);
}

const struct hitop_coll_type hitop_scatter_split = {
    .name = "scatter_split",
    .summary = "linear scatters of pieces of the blocks",
    .family = "scatter",
    .in_place = 1,
    .params = scatter_split_params,
    .nparams = SPLIT_NPARAMS,
    .plan = scatter_split_plan,
};
