/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gather_linear_sync.c - the root asks each rank for its block, one after the other.
 *
 * Idea:   the root sends an empty message to the next rank, which then sends its block in two
 *         parts; the root goes on when the first part is there. So only one rank at a time sends
 *         much to the root.
 * Cost:   (n - 1) (T(0) + T(first part)) + T(second part).
 * Use:    long blocks, where many concurrent messages to one rank would be slow.
 * Needs:  nothing. Any number of ranks, any lengths of blocks.
 * Source: the algorithm of Open MPI (coll/base) of this name.
 */
#include <config.h>

#include "coll/algorithms/segments.h"

/* The first part of a block of `bytes`: segment 0, which is the whole block without segments. */
static size_t first_part(const struct hitop_coll_args *a, size_t bytes)
{
    const size_t unit = hitop_unit(a), wanted = (size_t)a->params[0];
    const size_t first = wanted > 0 ? ((wanted - 1) / unit + 1) * unit : bytes;

    return first < bytes ? first : bytes;
}

static void gather_linear_sync_plan(const struct hitop_coll_args *a, struct hitop_sched *sched)
{
    const struct hitop_span nothing = hitop_span_work(0, 0);
    const size_t own = hitop_block_bytes(a, a->rank, 1), part = first_part(a, own);

    if (a->rank != a->root) {
        hitop_sched_recv(sched, a->root, nothing);
        hitop_sched_fence(sched);
        hitop_sched_send(sched, a->root, hitop_span_send(0, part));
        hitop_sched_send(sched, a->root, hitop_span_send(part, own - part));
        hitop_sched_fence(sched);
        return;
    }
    for (int i = 0; i < a->size; i++) {
        const size_t start = hitop_block_start(a, i), bytes = hitop_block_bytes(a, i, 1);
        const size_t first = first_part(a, bytes);
        if (i == a->root) {
            continue;
        }
        hitop_sched_recv(sched, i, hitop_span_recv(start, first));
        hitop_sched_recv(sched, i, hitop_span_recv(start + first, bytes - first));
        hitop_sched_send(sched, i, nothing);
        hitop_sched_fence(sched);
    }
    hitop_sched_copy(sched, hitop_span_send(0, own),
                     hitop_span_recv(hitop_block_start(a, a->root), own));
    hitop_sched_fence(sched);
}

const struct hitop_coll_type hitop_gather_linear_sync = {
    .name = "gather_linear_sync",
    .summary = "the root asks one rank after the other for its block",
    .family = "gather",
    .params = hitop_segment_param,
    .nparams = 1,
    .by_name = 1,
    .plan = gather_linear_sync_plan,
};
