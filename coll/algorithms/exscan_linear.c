/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * exscan_linear.c - sums pass from each rank to the next, optionally in segments.
 *
 * Idea:   a rank combines the sum of all ranks below with its own operand and passes it on; segment k + 1 arrives
 *         while segment k is combined and leaves.
 * Cost:   (n - 2 + segments) (T(segment) + one combination of it).
 * Use:    whole for few ranks, in segments for long messages.
 * Needs:  nothing. Any number of ranks; the order of operands is kept. Memory for one message.
 */
#include <config.h>

#include "coll/algorithms/prefix.h"

static const struct hitop_param exscan_linear_params[SEGMENTS_NPARAMS] = {[SEGMENTS_BYTES] =
                                                                              SEGMENTS_PARAM};

static enum hitop_status exscan_linear_plan(const struct hitop_coll_args *a, const double *params,
                                            struct hitop_sched *sched, struct hitop_diag *diag)
{
    struct segments segments;
    const enum hitop_status status = hitop_segments_init(
        &segments, "exscan_linear", a->bytes, hitop_unit(a), params[SEGMENTS_BYTES], diag);

    if (status != HITOP_OK) {
        return status;
    }
    hitop_prefix_chain(a, &segments, 1, sched);
    return hitop_sched_status(sched);
}

const struct hitop_coll_type hitop_exscan_linear = {
    .name = "exscan_linear",
    .summary = "pass sums from rank to rank, optionally in segments",
    .family = "exscan",
    .in_place = 1,
    .params = exscan_linear_params,
    .nparams = SEGMENTS_NPARAMS,
    .plan = exscan_linear_plan,
};
