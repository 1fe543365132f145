/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * alltoall_pairwise.c - in phase k each rank sends to the one k behind it and receives from the one k before it.
 *
 * Idea:   every rank sends and receives one block at a time, so that no receiver is wanted by two.
 * Cost:   (n - 1) T(m) for blocks of m bytes.
 * Use:    long blocks.
 * Needs:  nothing. Any number of ranks; any lengths of blocks, which the two ends of a message must know.
 * Source: Thakur, Rabenseifner, Gropp, Optimization of collective communication operations in MPICH (2005).
 */
#include <config.h>

#include "coll/algorithms/blocks.h"
#include "coll/algorithms/messages.h"

static enum hitop_status alltoall_pairwise_plan(const struct hitop_coll_args *a,
                                                const double *params, struct hitop_sched *sched,
                                                struct hitop_diag *diag)
{
    const int n = a->size, me = a->rank;

    (void)params;
    (void)diag;
    hitop_sched_copy(sched, blocks_out(a, me), blocks_in(a, me));
    for (int k = 1; k < n; k++) {
        const int to = (me + k) % n, from = (me + n - k) % n;
        message_recv(sched, from, blocks_in(a, from));
        message_send(sched, to, blocks_out(a, to));
        hitop_sched_fence(sched);
    }
    hitop_sched_fence(sched); /* of a single rank the only one */
    return hitop_sched_status(sched);
}

const struct hitop_coll_type hitop_alltoall_pairwise = {
    .name = "alltoall_pairwise",
    .summary = "exchange with one pair of ranks after the other",
    .family = "alltoall",
    .plan = alltoall_pairwise_plan,
};
