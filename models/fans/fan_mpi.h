/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef FAN_MPI_H
#define FAN_MPI_H

/**
 * @file fan_mpi.h
 * @brief Times of linear scatter and gather, from which the thresholds of LMO are found.
 *
 * Linear scatter and gather consist of point-to-point messages, because the algorithms of the
 * collectives of MPI are unknown. Scatter: the root sends m bytes to each other rank, in order,
 * then receives an empty answer from each. Gather: all others send m bytes at the same time; the
 * root receives them in order. The root measures the time.
 */

#include "models/clock/timing_mpi.h"
#include "models/fit/scatter_gather.h"
#include "models/journal/finding.h"
#include "models/transport/payload.h"

/** What to measure. */
struct hitop_fan_request {
    int root;
    const size_t *sizes; /**< of the curves; at least one */
    int nsizes;
    struct hitop_timing_options timing; /**< of each point */
    double budget; /**< seconds for all points, after which no point is begun; 0: no limit */

    /** Called by rank 0 before each point but the first: 1 ends the search on all ranks. Or NULL.
     */
    int (*interrupted)(void *data);
    void *interrupted_data;
    struct hitop_payload *payload; /**< with the same policy on all ranks; NULL: HITOP_CACHE_HOT */

    /**
     * Points of an earlier run, the same on all ranks. Each replaces one measurement. Findings of
     * other kinds are ignored.
     */
    const struct hitop_finding *known;
    int nknown;

    /**
     * Called by rank 0 for each measured point, so that a later run can pass it in known. NULL on
     * all ranks: not called.
     */
    enum hitop_status (*keep)(void *data, const struct hitop_finding *finding,
                              struct hitop_diag *diag);
    void *keep_data;
};

/**
 * Time scatter and gather at all sizes, from the first one on. Collective over the ranks of
 * @p clock, with the same arguments on all.
 *
 * @param scatter, gather  receive up to request->nsizes points each, on all ranks alike
 * @param nmeasured        receives their number; fewer than request->nsizes when the budget was
 *                         used up
 * @retval HITOP_ERR_INVALID  a size is larger than INT_MAX, there are fewer than two ranks, or
 *                            hitop_collective_time() refuses its arguments
 */
HITOP_MUST_CHECK enum hitop_status hitop_fan_curves(const struct hitop_common_clock *clock,
                                                    const struct hitop_fan_request *request,
                                                    struct hitop_point *scatter,
                                                    struct hitop_point *gather, int *nmeasured,
                                                    struct hitop_diag *diag);

/**
 * Find the thresholds of LMO: measure both curves, search the smallest size at which the time of
 * gather becomes HITOP_ESCALATION times that of the size before, and pass them to
 * hitop_thresholds_fit().
 *
 * Only some gathers of a size escalate, so that the median does not show it. The search therefore
 * uses means, for which request->timing.mean is the rule. Its stride begins with an eighth of the
 * largest size and ends with @p stride.
 *
 * @param request  sizes ascend; the curves are measured first, so a short budget shortens the
 *                 search
 * @param stride   1 to an eighth of the largest size; hitop_thresholds_fit() rounds a threshold
 *                 above 1 KiB down to whole KiB
 * @param out      receives HITOP_NTHRESHOLDS numbers, on all ranks alike; NaN where there is none
 * @param is_whole receives on all ranks whether all points were measured that the search wanted; 0
 *                 when the budget was used up or request->interrupted() ended it; or NULL
 */
HITOP_MUST_CHECK enum hitop_status hitop_fan_thresholds(const struct hitop_common_clock *clock,
                                                        const struct hitop_fan_request *request,
                                                        size_t stride, double *out, int *is_whole,
                                                        struct hitop_diag *diag);

#endif /* FAN_MPI_H */
