/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef FAN_MPI_H
#define FAN_MPI_H

/**
 * @file fan_mpi.h
 * @brief One rank with all others: the curves behind the thresholds of LMO.
 *
 * Linear scatter and gather consist of plain sends, because the algorithms of MPI's own collectives
 * are unknown. Scatter: the root sends m bytes to each other rank, in order, then receives an empty
 * answer from each. Gather: all others send m bytes at once; the root receives them in order. The
 * time is that of the root.
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
    double budget; /**< seconds for all together, after which no point is begun; 0: no limit */
    struct hitop_payload *payload; /**< of one policy on all ranks; NULL: HITOP_CACHE_HOT */

    /** Points of an earlier run, the same on all ranks, which are not measured again; each serves
     * once. Findings of other kinds are ignored. */
    const struct hitop_finding *known;
    int nknown;

    /** Called by rank 0 for each measured point, which a later run may have as known; NULL on all
     * ranks: no. */
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
 * @retval HITOP_ERR_INVALID  a size beyond INT_MAX, fewer than two ranks, or what
 *                            hitop_collective_time() refuses
 */
HITOP_MUST_CHECK enum hitop_status hitop_fan_curves(const struct hitop_common_clock *clock,
                                                    const struct hitop_fan_request *request,
                                                    struct hitop_point *scatter,
                                                    struct hitop_point *gather, int *nmeasured,
                                                    struct hitop_diag *diag);

/**
 * The thresholds of LMO: both curves, a search for the smallest size at which gather escalates
 * tenfold, and what hitop_thresholds_fit() makes of them.
 *
 * Only some gathers of a size escalate, so that their median does not show it. The search, which
 * begins with an eighth of the largest size and ends with @p stride, therefore uses means, as
 * request->timing.mean says.
 *
 * @param request  sizes ascend; curves come first, so that the search ends sooner where the budget
 *                 does
 * @param stride   1 to an eighth of the largest size; the threshold is cut to 1024 bytes anyway
 * @param out      receives HITOP_NTHRESHOLDS numbers, on all ranks alike; NaN where there is none
 */
HITOP_MUST_CHECK enum hitop_status hitop_fan_thresholds(const struct hitop_common_clock *clock,
                                                        const struct hitop_fan_request *request,
                                                        size_t stride, double *out,
                                                        struct hitop_diag *diag);

#endif /* FAN_MPI_H */
