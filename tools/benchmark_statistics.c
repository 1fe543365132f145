/* SPDX-License-Identifier: BSD-3-Clause */
/* benchmark_statistics.c - see benchmark_statistics.h. */
#include <config.h>

#include "benchmark_statistics.h"

#include "quantile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FEWEST_OF_A_HALF = 5 };

/* Leaves `work` sorted in parts; NaN where there are too few to tell. */
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

enum hitop_status benchmark_summarize(const struct hitop_stop_rule *rule, int look,
                                      const double *samples, int n, const int *ends, int npasses,
                                      struct benchmark_summary *out, struct hitop_diag *diag)
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
        out->lo = m.has_interval ? m.lo : NAN;
        out->hi = m.has_interval ? m.hi : NAN;
        out->min = quantile(work, n, 0);
        out->q25 = quantile(work, n, 0.25);
        out->q75 = quantile(work, n, 0.75);
        out->q90 = quantile(work, n, 0.9);
        out->q99 = quantile(work, n, 0.99);
        out->max = quantile(work, n, 1);
        for (int i = 0; i < n; i++) {
            sum += work[i];
        }
        out->mean = sum / n;
    }
    free(work);
    return status;
}

int benchmark_most_often(const int *ranks, int n, int nranks, double *share)
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

double benchmark_bandwidth(size_t bytes, int messages, double seconds)
{
    return seconds > 0 ? 1e-6 * (double)bytes * messages / seconds : 0;
}
