/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ESTIMATE_H
#define ESTIMATE_H

/**
 * @file estimate.h
 * @brief Medians with intervals from samples, and lines from medians.
 *
 * Communication times have spikes, several modes and memory; so everything here rests on medians
 * and order statistics, and samples that follow each other are not taken for independent ones.
 *
 * @code
 * for (look = 1; !m.converged && n < rule.max_samples; look++) {
 *     n = take_samples_up_to(hitop_stop_next(&rule, look));
 *     status = hitop_stop_check(&rule, look, samples, n, &m, &diag);
 * }
 * @endcode
 */

#include "hitop/sys/model.h"

/** When to stop sampling. */
struct hitop_stop_rule {
    double eps;        /**< wanted half width of the interval, relative to the median */
    double confidence; /**< that the interval holds the median, over all looks together */
    int min_samples;   /**< samples at the first look */
    int max_samples;   /**< give up here */
    double clock_step; /**< smallest step of the clock in seconds; 0 for an exact clock */
    int batch;         /**< round trips behind one sample */
};

/** A median and how well it is known. */
struct hitop_median {
    double median;
    double lo, hi; /**< confidence interval; the extremes when there are too few samples for one */
    double se;     /**< standard error that belongs to the interval; 0 when all samples are equal */
    int nsamples;
    int effective;    /**< independent samples with as much information as these correlated ones */
    int converged;    /**< 1 when the interval is as narrow as the rule wants */
    int has_interval; /**< 0: too few samples for one, so that lo and hi are extremes */
};

/**
 * Number of samples at look 1, 2, ...: 1.5 times as many as at the look before, at most
 * max_samples.
 */
int hitop_stop_next(const struct hitop_stop_rule *rule, int look);

/**
 * Evaluate the samples so far.
 *
 * The interval is made of order statistics and holds for any distribution. The permitted error is
 * shared among the looks, so that looking often does not make a wrong interval likely.
 *
 * @param look     1 for the first look at this stream, and so on
 * @param samples  one-way times in the order in which they were taken; @p n of them, at least one
 */
HITOP_MUST_CHECK enum hitop_status hitop_stop_check(const struct hitop_stop_rule *rule, int look,
                                                    const double *samples, int n,
                                                    struct hitop_median *out,
                                                    struct hitop_diag *diag);

/**
 * Evaluate samples that were taken in passes, far apart in time. If a machine changes its speed for
 * a while, the samples of one pass are alike, however many they are. So the interval covers that of
 * order statistics of the medians of passes, and that of hitop_stop_check() if there is one. With
 * too few passes for the confidence there is no interval.
 *
 * @param ends     number of samples up to the end of each pass, ascending; the last one counts all
 * @param npasses  at least 1
 */
HITOP_MUST_CHECK enum hitop_status hitop_stop_check_passes(const struct hitop_stop_rule *rule,
                                                           int look, const double *samples,
                                                           const int *ends, int npasses,
                                                           struct hitop_median *out,
                                                           struct hitop_diag *diag);

/** Fewest passes for an interval, e.g. 6 for 0.95. @param confidence  above 0, below 1 */
int hitop_stop_fewest_passes(double confidence);

/**
 * The number of correlated samples that contain as much information as one independent sample; 1
 * for independent samples. Uses the autocorrelation of the ranks of the samples at all lags that
 * matter.
 *
 * @param ranks  n numbers, e.g. ranks of samples in time order
 */
double hitop_correlation_time(const double *ranks, int n);

/**
 * The ranks of samples; equal samples share the mean of their ranks. order holds the places of the
 * samples, ascending.
 */
void hitop_rank_in_time(const double *samples, const size_t *order, int n, double *ranks);

/** Median of @p n numbers (at least one); reorders them. */
double hitop_median_of(double *values, int n);

/**
 * Round trips to put between two readings of the clock, so that its step is at most 1/500 of what
 * is timed.
 *
 * @param round_trip  seconds of one, > 0
 */
int hitop_batch_size(double clock_step, double round_trip);

/** Refuse points of one size, or without standard error. */
HITOP_MUST_CHECK enum hitop_status hitop_line_check(const struct hitop_point *points,
                                                    size_t npoints, struct hitop_diag *diag);

/**
 * A line through times of messages by ascending size, at least two different ones; each has a
 * standard error above 0.
 *
 * @retval HITOP_ERR_INVALID  what hitop_line_check() refuses
 */
typedef enum hitop_status hitop_line_fit(const struct hitop_point *points, size_t npoints,
                                         double confidence, struct hitop_line *out,
                                         struct hitop_diag *diag);

/**
 * Weighted Theil-Sen line: slopes of all pairs of points, their weighted median, then the weighted
 * median of the intercepts. One bad point in four does little harm.
 */
HITOP_MUST_CHECK hitop_line_fit hitop_line_robust;

/** Other methods; lines.c describes them. */
HITOP_MUST_CHECK hitop_line_fit hitop_line_least_squares, hitop_line_bisquare, hitop_line_ordinary,
    hitop_line_two_ends, hitop_line_two_point;

/** A method to fit a line. */
struct hitop_line_method {
    const char *name;    /**< "two-ends", ... */
    const char *summary; /**< of one line, for help texts */
    hitop_line_fit *through;
};

/** The @p index-th one; the first is the default; NULL past the last. */
const struct hitop_line_method *hitop_line_method(size_t index);

/** Find one by name. @retval HITOP_ERR_NOTFOUND  the message lists the valid names */
HITOP_MUST_CHECK enum hitop_status hitop_line_method_find(const char *name,
                                                          const struct hitop_line_method **out,
                                                          struct hitop_diag *diag);

/**
 * Divide the points into ranges of at least four points, with a line for each range. The places
 * have the least squared deviation; segments.c describes how their number is chosen.
 *
 * @param points     by ascending size
 * @param out        room for HITOP_MAX_SEGMENTS
 * @param nsegments  receives their number, at least 1
 * @retval HITOP_ERR_INVALID  sizes do not ascend, or what hitop_line_robust() refuses
 */
HITOP_MUST_CHECK enum hitop_status hitop_segments(const struct hitop_point *points, size_t npoints,
                                                  double confidence, struct hitop_segment *out,
                                                  size_t *nsegments, struct hitop_diag *diag);

/**
 * Find the sizes at which lines begin in several curves that all change at the same sizes, such as
 * those of one operation with 2, 4 and 8 ranks.
 *
 * @param curves     of the same ascending sizes, each point with a standard error above 0
 * @param fewest     points of a line, at least 3: with fewer it would fit anything
 * @param first      receives the index of the first point of each line; room for HITOP_MAX_SEGMENTS
 * @param nsegments  receives their number, at least 1
 * @retval HITOP_ERR_INVALID  sizes differ or do not ascend
 */
HITOP_MUST_CHECK enum hitop_status hitop_segments_together(const struct hitop_curve *curves,
                                                           size_t ncurves, size_t fewest,
                                                           size_t *first, size_t *nsegments,
                                                           struct hitop_diag *diag);

/**
 * Fit the limits of the pairs of ranks of two hosts: T(k, m) = latency + m / min(node_rate / k,
 * core_rate) with the least squared deviation.
 *
 * @retval HITOP_ERR_INVALID  fewer than two numbers of pairs, two sizes or four points; times do
 *                            not rise with sizes; a point has no standard error
 */
HITOP_MUST_CHECK enum hitop_status hitop_max_rate(const struct hitop_pair_set *pair_sets,
                                                  size_t nsets, struct hitop_max_rate *out,
                                                  struct hitop_diag *diag);

/**
 * Numbers of processors of the model "lmo" from the times of all triples together; none is
 * negative.
 *
 * Links of a group may differ, and so may processors; the less information the times contain about
 * a processor, the nearer its numbers are to the mean of all. If times scatter more, or less, than
 * their standard errors, the weights follow the scatter.
 *
 * @param processors  receives the numbers
 * @param nlinks      groups of links
 * @param unlike      receives how far links are from their group, relative to their times
 * @retval HITOP_ERR_INVALID  fewer times than numbers, or a time without standard error;
 *                            @p processors does not change
 */
HITOP_MUST_CHECK enum hitop_status hitop_lmo_refine(const struct hitop_lmo_times *times,
                                                    size_t ntimes,
                                                    struct hitop_lmo_numbers *processors,
                                                    size_t nprocessors, size_t nlinks,
                                                    double *unlike, struct hitop_diag *diag);

/** The estimators for hitop_model_type.fit(). */
const struct hitop_estimators *hitop_estimators(void);

/** The same with another method for lines; NULL: the default. */
struct hitop_estimators hitop_estimators_with(const struct hitop_line_method *method);

/**
 * The median of the later one of two independent times of which the medians are known: where both
 * scatter about the same time it is later than either median, however many samples there are.
 * *error is its standard error.
 */
double hitop_later_of(const struct hitop_point *a, const struct hitop_point *b, double *error);

#endif /* ESTIMATE_H */
