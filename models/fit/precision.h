/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PRECISION_H
#define PRECISION_H

/**
 * @file precision.h
 * @brief Repetitions by the rule of MPIBlib.
 *
 * For comparison with what MPIBlib and CPM report: the mean of the samples with Student's interval,
 * which must be narrower than a share of the mean. estimate.h has a rule that tolerates outliers.
 *
 * @code
 * while (!mean.finished) {
 *     samples[n++] = take_sample();
 *     mean = hitop_precision_check(&precision, samples, n);
 * }
 * @endcode
 */

/** How often to repeat; equal min_reps and max_reps fix the number of repetitions. */
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
    double ci;     /**< half width of the two-sided interval of the mean; 0 for one sample */
    int converged; /**< 1 when the interval is narrow enough */
    int finished;  /**< 1 when there is nothing more to do: converged, or max_reps reached */
};

/**
 * Evaluate the samples so far. Fewer than three samples do not converge, nor does a mean of 0,
 * which is below the resolution of the clock.
 *
 * @param n  at least 1
 */
struct hitop_mean hitop_precision_check(const struct hitop_precision *precision,
                                        const double *samples, int n);

/**
 * Half width of the two-sided interval of the mean of @p n >= 2 samples, in standard errors:
 * Student's t for n - 1 degrees of freedom.
 */
double hitop_student_width(double cl, int n);

#endif /* PRECISION_H */
