/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TIMING_MPI_H
#define TIMING_MPI_H

/**
 * @file timing_mpi.h
 * @brief How long an operation of all ranks takes.
 *
 * The operation is a function that all ranks repeat until the time is precise enough. The method
 * defines the time; see enum hitop_timing. The first repetition is discarded.
 *
 * @code
 * hitop_timing_defaults(&options);
 * options.method = HITOP_TIMING_ROUND;
 * status = hitop_collective_time(clock, &operation, &options, &result, &diag);
 * ... result.seconds, result.lo, result.hi ...
 * hitop_collective_time_fini(&result);
 * @endcode
 */

#include "models/clock/clocks_mpi.h"
#include "models/fit/estimate.h"
#include "models/fit/precision.h"

/** When the time of a repetition begins, and when it ends. */
enum hitop_timing {
    /** From an appointed moment, at which all begin, to the end of the last rank, in common time. A
     * repetition to which a rank comes late does not count. Right as far as clocks are. */
    HITOP_TIMING_ROUND,
    /** After a barrier: from the beginning of the root to the end of the last rank, in common time.
     * Ranks that leave the barrier later than the root may make it longer. */
    HITOP_TIMING_GLOBAL,
    /** After two barriers: the longest of the times that ranks take by their own clocks. It
     * includes the time that early ranks wait for the others. Needs no common time. */
    HITOP_TIMING_MAX,
    /** After a barrier: the root's time for the operation and a barrier after it, less the time of
     * a barrier alone. Too short if the barrier overlaps the operation, too long if ranks arrive
     * late at it. Needs no common time. */
    HITOP_TIMING_ROOT,
    HITOP_NTIMINGS
};

/** "round-time", "global", "max" or "root". */
const char *hitop_timing_name(enum hitop_timing method);

/** @retval HITOP_ERR_NOTFOUND  the message lists the valid names */
HITOP_MUST_CHECK enum hitop_status hitop_timing_find(const char *name, enum hitop_timing *out,
                                                     struct hitop_diag *diag);

struct hitop_timed {
    int (*operate)(void *data); /**< called by all ranks; 0, or an error that ends everything */
    void *data;                 /**< of this rank */
    int root;                   /**< the rank that begins */
    /** 1: all is over when the root's call returns; its own time is the time then */
    int ends_at_root;
};

struct hitop_timing_options {
    enum hitop_timing method;
    /** 0: stop by the rule of medians of estimate.h; 1: by that of means of precision.h */
    int by_mean;
    struct hitop_stop_rule median;
    struct hitop_precision mean;
    double budget; /**< seconds after which what is known must do */

    /** Called by each rank before each repetition, outside of its time; may be NULL, on all ranks
     * alike. */
    void (*before)(void *data);
    void *before_data;

    /** Called by rank 0 after each repetition: 1 ends the samples, e.g. when the budget is spent;
     * may be NULL. */
    int (*interrupted)(void *data);
    void *interrupted_data;
};

/** round-time, median to 1 % in 20 to 2000 repetitions, 10 seconds. */
void hitop_timing_defaults(struct hitop_timing_options *options);

/** Alike on all ranks but for own. */
struct hitop_collective_time {
    double seconds; /**< median or mean of the samples */
    double lo, hi;  /**< its confidence interval */
    double se;      /**< standard error that belongs to it */
    int nsamples;
    int converged; /**< 1 when the stop rule was satisfied, 0 when it ran out of samples or time */
    int nlate;     /**< repetitions that did not count, because a rank came late */
    /** 1: the samples began after a barrier, because ranks missed the start times */
    int after_barrier;
    double barrier;  /**< what was subtracted by HITOP_TIMING_ROOT; else 0 */
    double *samples; /**< the time of each repetition, in order */
    double *own;     /**< what the call took on this rank, by its clock */
};

/**
 * Time an operation. Collective over the ranks of @p clock, all with the same options, root and
 * ends_at_root.
 *
 * Rank 0 makes the decisions. If ranks miss start times, the next ones are farther ahead; after 30
 * late starts in a row the samples are dropped, and repetitions begin after a barrier, in later
 * calls with this clock, too.
 *
 * @param out  to be released by hitop_collective_time_fini(), also after failure
 * @retval HITOP_ERR_INVALID  an option is out of range, or the method needs clocks that were not
 *                            compared
 * @retval HITOP_ERR_MPI      communication or the operation failed
 */
HITOP_MUST_CHECK enum hitop_status hitop_collective_time(const struct hitop_common_clock *clock,
                                                         const struct hitop_timed *operation,
                                                         const struct hitop_timing_options *options,
                                                         struct hitop_collective_time *out,
                                                         struct hitop_diag *diag);

void hitop_collective_time_fini(struct hitop_collective_time *time);

#endif /* TIMING_MPI_H */
