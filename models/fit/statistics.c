/* SPDX-License-Identifier: BSD-3-Clause */
/* statistics.c - see statistics.h. */
#include <config.h>

#include "models/fit/statistics.h"

#include "models/fit/quantile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FEWEST_OF_A_HALF = 5 };

/* Leaves `work` sorted in parts; NaN if there are too few samples. */
static double compare_halves(const double *samples, int n, double *work)
{
    const int half = n / 2;
    double first, second;

    if (half < FEWEST_OF_A_HALF) {
        return NAN;
    }
    memcpy(work, samples, (size_t)n * sizeof(*work));
    first = hitop_median_of(work, half);
    second = hitop_median_of(work + n - half, half);
    return first > 0 && second > 0 ? fabs(log(first / second)) : NAN;
}

/*
 * A quantile of sorted samples with steps: samples of one step count as spread evenly over it. The
 * result is between `least`, a lower quantile, and the largest sample.
 */
static double quantile_in_step(const double *sorted, int n, double q, double step, double least)
{
    const double low = sorted[(int)(q * n)] - step / 2, high = low + step;
    int below = 0, within = 0;

    for (int i = 0; i < n; i++) {
        below += sorted[i] < low;
        within += sorted[i] >= low && sorted[i] <= high;
    }
    return fmin(fmax(low + step * (q * n - below) / within, least), sorted[n - 1]);
}

/* Set the quantiles of sorted samples; the median only if the samples have steps. */
static void set_quantiles(const double *sorted, int n, double step, struct benchmark_summary *out)
{
    if (step == 0) {
        out->q25 = quantile_of_sorted(sorted, n, 0.25);
        out->q75 = quantile_of_sorted(sorted, n, 0.75);
        out->q90 = quantile_of_sorted(sorted, n, 0.9);
        out->q99 = quantile_of_sorted(sorted, n, 0.99);
        return;
    }
    out->q25 = quantile_in_step(sorted, n, 0.25, step, out->min);
    out->median = quantile_in_step(sorted, n, 0.5, step, out->q25);
    out->q75 = quantile_in_step(sorted, n, 0.75, step, out->median);
    out->q90 = quantile_in_step(sorted, n, 0.9, step, out->q75);
    out->q99 = quantile_in_step(sorted, n, 0.99, step, out->q90);
}

enum hitop_status hitop_benchmark_summarize(const struct hitop_stop_rule *rule, int look,
                                            const double *samples, int n, const int *ends,
                                            int npasses, double step, struct benchmark_summary *out,
                                            struct hitop_diag *diag)
{
    double *work = malloc((size_t)n * sizeof(*work)), sum = 0;
    struct hitop_median m;
    enum hitop_status status;

    *out = (struct benchmark_summary){.n = n};
    if (!work) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "no memory for %d samples", n);
    }
    status = npasses > 0 ? hitop_stop_check_passes(rule, look, samples, ends, npasses, &m, diag)
                         : hitop_stop_check(rule, look, samples, n, &m, diag);
    if (status == HITOP_OK) {
        out->halves = compare_halves(samples, n, work);
        memcpy(work, samples, (size_t)n * sizeof(*work));
        out->median = m.median;
        out->min = quantile(work, n, 0);
        out->max = quantile_of_sorted(work, n, 1);
        set_quantiles(work, n, step, out);
        out->lo = m.has_interval ? fmin(m.lo, out->median) : NAN;
        out->hi = m.has_interval ? fmax(m.hi, out->median) : NAN;
        for (int i = 0; i < n; i++) {
            sum += work[i];
        }
        out->mean = sum / n;
    }
    free(work);
    return status;
}

int hitop_benchmark_most_often(const int *ranks, int n, int nranks, double *share)
{
    int *times = calloc((size_t)nranks, sizeof(*times));
    int best = 0;

    *share = 0;
    if (!times || n < 1) {
        free(times);
        return 0;
    }
    for (int i = 0; i < n; i++) {
        times[ranks[i]]++;
    }
    for (int r = 1; r < nranks; r++) {
        best = times[r] > times[best] ? r : best;
    }
    *share = (double)times[best] / n;
    free(times);
    return best;
}

double hitop_benchmark_bandwidth(size_t bytes, int messages, double seconds)
{
    return seconds > 0 ? 1e-6 * (double)bytes * messages / seconds : 0;
}
