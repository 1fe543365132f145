/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * alltoall_linear.c - all messages at once, each rank beginning with its neighbour.
 *
 * Idea:   a rank posts all receives and sends the blocks one after another, first to the rank behind it, so that not all
 *         begin with the same receiver.
 * Cost:   (n - 1) T(m) for blocks of m bytes where only senders are busy: nobody waits for anybody.
 * Use:    few ranks, and networks that bear many messages to one receiver.
 * Needs:  nothing. Any lengths of blocks, which the two ends of a message must know.
 */
#include <config.h>

#include "coll/algorithms/blocks.h"
#include "coll/algorithms/messages.h"

static enum hitop_status alltoall_linear_plan(const struct hitop_coll_args *a, const double *params,
                                              struct hitop_sched *sched, struct hitop_diag *diag)
{
    const int n = a->size, me = a->rank;

    (void)params;
    (void)diag;
    for (int k = 1; k < n; k++) {
        message_recv(sched, (me + n - k) % n, blocks_in(a, (me + n - k) % n));
    }
    hitop_sched_copy(sched, blocks_out(a, me), blocks_in(a, me));
    for (int k = 1; k < n; k++) {
        message_deliver(sched, (me + k) % n, blocks_out(a, (me + k) % n));
    }
    hitop_sched_fence(sched);
    return hitop_sched_status(sched);
}

const struct hitop_coll_type hitop_alltoall_linear = {
    .name = "alltoall_linear",
    .summary = "all messages at once",
    .family = "alltoall",
    .plan = alltoall_linear_plan,
};
