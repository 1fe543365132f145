/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PRECISION_H
#define PRECISION_H

/**
 * @file precision.h
 * @brief Repetitions and message sizes by the rules of MPIBlib.
 *
 * For comparison with what MPIBlib and CPM report, and for those who know their options: the mean
 * of the samples with Student's interval, which must be narrower than a share of the mean; sizes by
 * halving of intervals, or as MPIBlib walked over them. estimate.h has a rule that stands outliers, hitop_sizes_refine() a
 * choice of sizes that knows about noise.
 *
 * @code
 * while (!mean.finished) {
 *     samples[n++] = take_sample();
 *     status = hitop_precision_check(&precision, samples, n, &mean, &diag);
 * }
 * @endcode
 */

#include "hitop/status.h"

#include <stddef.h>

/** How often to repeat; equal numbers of repetitions make their number fixed. */
struct hitop_precision {
    int min_reps, max_reps; /**< 1 <= min_reps <= max_reps */
    double cl;              /**< confidence level, in (0, 1) */
    double eps;             /**< wanted half width of the interval over the mean, >= 0 */
};

/** 5 to 100 repetitions, 0.95, 0.025. */
void hitop_precision_defaults(struct hitop_precision *precision);

/** A mean and how well it is known. */
struct hitop_mean {
    double mean;
    double sd; /**< standard deviation of the samples; 0 for one sample */
    double ci; /**< half width of the two-sided interval of the mean; 0 for one sample */
    int reps;
    int converged; /**< 1 when the interval is narrow enough */
    int finished;  /**< 1 when there is nothing more to do: converged, or max_reps reached */
};

/**
 * Evaluate the samples so far. Nothing converges with fewer than three, or with a mean of 0, which
 * the clock cannot tell from nothing.
 *
 * @retval HITOP_ERR_INVALID  the precision is out of range, or @p n < 1
 */
HITOP_MUST_CHECK enum hitop_status hitop_precision_check(const struct hitop_precision *precision,
                                                         const double *samples, int n,
                                                         struct hitop_mean *out,
                                                         struct hitop_diag *diag);

/** Half width of the two-sided interval of the mean of @p n >= 2 samples, in standard errors: Student's t
 * for n - 1 degrees of freedom. */
double hitop_student_width(double cl, int n);

/** How sizes follow from times. */
enum hitop_message_choice {
    /** The middles of intervals, the widest first: a jump ends up between two sizes one stride apart. */
    HITOP_CHOICE_HALVES,

    /**
     * As MPIBlib walked, to have the sizes that it had: forward in doubled steps while times are on a line, back
     * by half a step where they are not. It has two defects: it goes on before it knows where a jump is,
     * and it may measure a size twice.
     */
    HITOP_CHOICE_MPIBLIB
};

/** Which sizes to measure. */
struct hitop_message_set {
    size_t min_size,
        max_size;    /**< both are measured; by HITOP_CHOICE_MPIBLIB, sizes up to the second */
    double max_diff; /**< relative deviation from a straight line that asks for more, > 0 */
    size_t
        min_stride; /**< intervals narrower than twice this are not halved; the first step; >= 1 */
    size_t max_num; /**< at most so many sizes, >= 2 */
    enum hitop_message_choice choice;
};

/** 0 to 204800 bytes, 0.1, 64, 100, halves. */
void hitop_message_set_defaults(struct hitop_message_set *set);

/** A size and its time. */
struct hitop_message {
    size_t bytes;
    double seconds;
};

/** Deviation of a time from the line through two others, which differ in size, relative to that line. */
double hitop_message_deviation(const struct hitop_message *x, const struct hitop_message *y,
                               const struct hitop_message *between);

/**
 * Measure sizes. By HITOP_CHOICE_HALVES: the smallest, the powers of 4 of the stride, the largest; then the
 * middles of intervals, the widest first, as long as the last middle was off the line between the ends.
 *
 * @param time  measures one size
 * @param data  handed to @p time
 * @param out   receives the messages in the order in which they were measured; room for
 *              set->max_num
 * @param n     receives their number; on failure of @p time, that of those before
 * @retval HITOP_ERR_INVALID  the set is out of range
 */
HITOP_MUST_CHECK enum hitop_status hitop_message_set_walk(
    const struct hitop_message_set *set,
    enum hitop_status (*time)(void *data, size_t bytes, double *seconds, struct hitop_diag *diag),
    void *data, struct hitop_message *out, size_t *n, struct hitop_diag *diag);

#endif /* PRECISION_H */
