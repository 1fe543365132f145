/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef FAN_MPI_H
#define FAN_MPI_H

/**
 * @file fan_mpi.h
 * @brief One rank with all others: the curves behind the thresholds of LMO.
 *
 * Linear scatter and gather, made of plain sends, so that nothing but their traffic counts; the
 * library's own collectives may be anything. The time is that of the root. thresholds.h finds what
 * changes along the curves.
 */

#include "models/clock/timing_mpi.h"
#include "models/fit/scatter_gather.h"
#include "models/journal/finding.h"
#include "models/transport/payload.h"

enum hitop_fan_direction {
    /** one to many: m bytes to each other rank, in order, then an empty answer from each */
    HITOP_FAN_OUT,
    /** many to one: all others send m bytes at once; the root receives them in order */
    HITOP_FAN_IN,
};

/** What to measure. */
struct hitop_fan_request {
    int root;
    const size_t *sizes; /**< of the curves; at least one */
    int nsizes;
    struct hitop_timing_options
        timing;    /**< of each point: how to begin and when to stop; round-time is best,
                                             because all send at once then */
    double budget; /**< seconds for all together, after which no point is begun; 0: no limit */
    struct hitop_payload
        *payload; /**< of the messages, of one policy on all ranks; NULL: HITOP_CACHE_HOT */

    /** Points of an earlier run, alike on all ranks, that are not measured again, each once;
     * findings of other kinds do not matter. */
    const struct hitop_finding *known;
    int nknown;

    /** Called by rank 0 for each point that was measured, so that a later run may know it; may be
     * NULL, on all ranks alike. */
    enum hitop_status (*keep)(void *data, const struct hitop_finding *finding,
                              struct hitop_diag *diag);
    void *keep_data;
};

/**
 * Time one direction at one size. Collective over the ranks of @p clock, with the same arguments on
 * all.
 *
 * @param request  its root, timing and payload
 * @param out      receives the same on all ranks; its standard error is at least a thousandth of
 *                 the time
 * @retval HITOP_ERR_INVALID  a size beyond INT_MAX, fewer than two ranks, or what
 *                            hitop_collective_time() refuses
 */
HITOP_MUST_CHECK enum hitop_status hitop_fan_time(const struct hitop_common_clock *clock,
                                                  const struct hitop_fan_request *request,
                                                  enum hitop_fan_direction direction, size_t bytes,
                                                  struct hitop_point *out, struct hitop_diag *diag);

/**
 * Both directions at all sizes, in turns, from the first one on.
 *
 * @param scatter, gather  receive up to request->nsizes points each, on all ranks alike
 * @param nmeasured        receives their number; fewer than request->nsizes when the budget was
 *                         used up
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
 * A gather escalates now and then only, which a median does not see. So the search, which begins
 * with an eighth of the largest size and ends with @p stride, goes by means, with
 * request->timing.mean.
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

/**
 * The same of an earlier run that was not cut short, without a message.
 *
 * @retval HITOP_ERR_NOTFOUND  a point is not known
 */
HITOP_MUST_CHECK enum hitop_status hitop_fan_recall(const struct hitop_fan_request *request,
                                                    size_t stride, double *out,
                                                    struct hitop_diag *diag);

#endif /* FAN_MPI_H */
