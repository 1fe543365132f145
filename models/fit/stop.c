/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stop.c - sample until the median is known well enough.
 *
 * Idea:  the interval between two order statistics holds the median with a probability that only
 *        the binomial distribution decides. Look k may err with probability alpha 6 / (pi^2 k^2),
 *        so that all looks together err with at most alpha. The same two order statistics of the
 *        medians of passes allow for a machine whose speed differs from pass to pass: its times are
 *        independent between passes only.
 *
 * Source:  H. A. David, H. N. Nagaraja, Order Statistics (2003), 7.1: distribution-free intervals
 *          of quantiles.
 */
#include <config.h>

#include "models/fit/estimate.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_math.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

int hitop_stop_next(const struct hitop_stop_rule *rule, int look)
{
    double n = rule->min_samples;

    for (; look > 1 && n < rule->max_samples; look--) {
        n = ceil(1.5 * n);
    }
    return n < rule->max_samples ? (int)n : rule->max_samples;
}

/* Greatest r >= 1 whose order statistics r and m + 1 - r hold the median, or 0 when none does. */
static int order_statistic(int m, double alpha)
{
    int r = 0;

    if (m > 1000) { /* start near the answer: the normal approximation, less a little */
        r = (int)(0.5 * m - 0.5 * gsl_cdf_ugaussian_Qinv(0.5 * alpha) * sqrt(m)) - 3;
    }
    while (gsl_cdf_binomial_P((unsigned int)r, 0.5, (unsigned int)m) <= 0.5 * alpha) {
        r++;
    }
    return r;
}

static void interval(const double *sorted, int n, int m, double alpha, struct hitop_median *out)
{
    const int r = order_statistic(m, alpha);

    if (r == 0) {
        out->lo = sorted[0];
        out->hi = sorted[n - 1];
    } else if (m == n) {
        out->lo = sorted[r - 1];
        out->hi = sorted[n - r];
    } else {
        const double q = (r - 0.5) / m;
        out->lo = gsl_stats_quantile_from_sorted_data(sorted, 1, (size_t)n, q);
        out->hi = gsl_stats_quantile_from_sorted_data(sorted, 1, (size_t)n, 1 - q);
    }
    out->se = (out->hi - out->lo) / (2 * gsl_cdf_ugaussian_Qinv(0.5 * alpha));
    out->converged = out->has_interval = r > 0;
}

/* Is the interval as narrow as is wanted? */
static int is_precise(const struct hitop_stop_rule *rule, const struct hitop_median *m)
{
    const double wanted = fmax(rule->eps * m->median, rule->clock_step / (4.0 * rule->batch));

    return 0.5 * (m->hi - m->lo) <= wanted;
}

enum hitop_status hitop_stop_check(const struct hitop_stop_rule *rule, int look,
                                   const double *samples, int n, struct hitop_median *out,
                                   struct hitop_diag *diag)
{
    const double alpha = (1 - rule->confidence) * 6 / (M_PI * M_PI * look * look);
    const size_t count = (size_t)n;
    size_t *order = calloc(count, sizeof(*order));
    double *work = calloc(count, sizeof(*work));

    if (!order || !work) {
        free(work);
        free(order);
        return hitop_fail(diag, HITOP_ERR_NOMEM, "stop rule: out of memory for %d samples", n);
    }
    gsl_sort_index(order, samples, 1, count);
    hitop_rank_in_time(samples, order, n, work);
    out->nsamples = n;
    out->effective = (int)(n / hitop_correlation_time(work, n));
    for (size_t i = 0; i < count; i++) {
        work[i] = samples[order[i]];
    }
    if (work[n - 1] - work[0] <= 0.1 * rule->eps * work[0]) {
        out->effective = n; /* rounding errors may be correlated; it does not matter */
    }
    out->median = gsl_stats_median_from_sorted_data(work, 1, count);
    interval(work, n, out->effective, alpha, out);
    out->converged = out->converged && is_precise(rule, out);
    free(work);
    free(order);
    return HITOP_OK;
}

enum hitop_status hitop_stop_check_passes(const struct hitop_stop_rule *rule, int look,
                                          const double *samples, const int *ends, int npasses,
                                          struct hitop_median *out, struct hitop_diag *diag)
{
    const double alpha = 1 - rule->confidence;
    const int n = ends[npasses - 1];
    double *medians, *work;
    struct hitop_median of_passes;
    enum hitop_status status = hitop_stop_check(rule, look, samples, n, out, diag);

    if (status != HITOP_OK) {
        return status;
    }
    medians = calloc((size_t)npasses, sizeof(*medians));
    work = calloc((size_t)n, sizeof(*work));
    if (!medians || !work) {
        free(work);
        free(medians);
        return hitop_fail(diag, HITOP_ERR_NOMEM, "stop rule: out of memory for %d passes", npasses);
    }
    memcpy(work, samples, (size_t)n * sizeof(*work));
    for (int i = 0; i < npasses; i++) {
        const int begin = i > 0 ? ends[i - 1] : 0;
        medians[i] = hitop_median_of(work + begin, ends[i] - begin);
    }
    if (!out->has_interval) { /* samples of a pass are too alike to count by themselves */
        out->lo = out->hi = out->median;
    }
    gsl_sort(medians, 1, (size_t)npasses);
    interval(medians, npasses, npasses, alpha, &of_passes);
    out->has_interval = of_passes.has_interval;
    out->lo = fmin(out->lo, of_passes.lo);
    out->hi = fmax(out->hi, of_passes.hi);
    out->se = fmax(out->se, of_passes.se);
    out->converged = out->has_interval && is_precise(rule, out);
    free(work);
    free(medians);
    return HITOP_OK;
}

int hitop_stop_fewest_passes(double confidence)
{
    int n = 1;

    while (order_statistic(n, 1 - confidence) == 0) {
        n++;
    }
    return n;
}

double hitop_median_of(double *values, int n)
{
    gsl_sort(values, 1, (size_t)n);
    return gsl_stats_median_from_sorted_data(values, 1, (size_t)n);
}

int hitop_batch_size(double clock_step, double round_trip)
{
    const double wanted = ceil(500 * clock_step / round_trip);

    return wanted > 1e6 ? 1000000 : wanted > 1 ? (int)wanted : 1;
}
