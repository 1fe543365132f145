/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TIMING_MPI_H
#define TIMING_MPI_H

/**
 * @file timing_mpi.h
 * @brief How long an operation of all ranks takes.
 *
 * The operation is a function that all ranks repeat until the time is precise enough. How ranks
 * begin a repetition, and what its time is, is a timing method of timing.h. A repetition with a
 * late rank does not count, and the first repetition is discarded.
 *
 * @code
 * hitop_timing_defaults(&options);
 * status = hitop_collective_time(clock, &operation, &options, &result, &diag);
 * ... result.seconds, result.lo, result.hi ...
 * @endcode
 */

#include "models/clock/clocks_mpi.h"
#include "models/clock/timing.h"
#include "models/fit/estimate.h"
#include "models/fit/precision.h"

struct hitop_timed {
    int (*operate)(void *data); /**< called by all ranks; 0, or an error that ends everything */
    void *data;                 /**< of this rank */
    /**
     * -1, or the rank whose return ends the operation: the time is that of its own call then, by
     * any method.
     */
    int ends_at;
    int root; /**< whose call and clock count by the methods global and root */
};

struct hitop_timing_options {
    const struct hitop_timing *method;
    /** 0: stop by the rule of medians of estimate.h; 1: by that of means of precision.h */
    int by_mean;
    struct hitop_stop_rule median;
    struct hitop_precision mean;
    double budget; /**< seconds; the repetition that exceeds them is the last one */

    /**
     * Called by each rank before each repetition, outside of its time; may be NULL, on all ranks
     * alike.
     */
    void (*before)(void *data);
    void *before_data;

    /**
     * Called by rank 0 after each repetition: 1 ends the samples, e.g. when the budget is spent;
     * may be NULL.
     */
    int (*interrupted)(void *data);
    void *interrupted_data;
};

/** By the method window, median to 1 % in 20 to 2000 repetitions, 10 seconds. */
void hitop_timing_defaults(struct hitop_timing_options *options);

/** Alike on all ranks. */
struct hitop_collective_time {
    double seconds; /**< median or mean of the samples */
    double lo, hi;  /**< its confidence interval */
    double se;      /**< standard error that belongs to it */
    int nsamples;
    int converged; /**< 0: the samples or the time ended before the stop rule was satisfied */
    int nlate;     /**< repetitions that did not count, because a rank came late */
    /** That of the options, or one-barrier instead of window if ranks missed start times. */
    const struct hitop_timing *method;
};

/**
 * Time an operation. Collective over the ranks of @p clock, all with the same options, ends_at and
 * root.
 *
 * Rank 0 makes the decisions. If ranks miss start times, the next ones are farther ahead; after 30
 * late starts in a row the samples are dropped, and one-barrier is the method, in later calls with
 * this clock, too.
 *
 * @retval HITOP_ERR_MPI  communication or the operation failed
 */
HITOP_MUST_CHECK enum hitop_status hitop_collective_time(const struct hitop_common_clock *clock,
                                                         const struct hitop_timed *operation,
                                                         const struct hitop_timing_options *options,
                                                         struct hitop_collective_time *out,
                                                         struct hitop_diag *diag);

#endif /* TIMING_MPI_H */
