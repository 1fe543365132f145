/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * exscan_recursive_doubling.c - each rank passes its sum to the one at distance 1, 2, 4, ... above.
 *
 * Idea:   after phase k a rank has the sum of the 2^k ranks below its own; what arrives is that of the 2^k ranks
 *         before them, and stands to their left.
 * Cost:   ceil(log2 n) T(m) for m bytes, and a combination of m bytes in each phase, or two.
 * Use:    short messages.
 * Needs:  nothing. Any number of ranks; the order of operands is kept. Memory for two messages.
 * Source: Hillis, Steele, Data parallel algorithms (CACM 1986); Sanders, Träff, Parallel prefix (scan) algorithms for MPI
 *         (EuroPVM/MPI 2006).
 */
#include <config.h>

#include "coll/algorithms/prefix.h"

static enum hitop_status exscan_recursive_doubling_plan(const struct hitop_coll_args *a,
                                                        const double *params,
                                                        struct hitop_sched *sched,
                                                        struct hitop_diag *diag)
{
    (void)params;
    (void)diag;
    hitop_prefix_doubling(a, 1, sched);
    return hitop_sched_status(sched);
}

const struct hitop_coll_type hitop_exscan_recursive_doubling = {
    .name = "exscan_recursive_doubling",
    .summary = "pass sums to ranks at distance 1, 2, 4, ...",
    .family = "exscan",
    .in_place = 1,
    .plan = exscan_recursive_doubling_plan,
};
