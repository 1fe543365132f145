/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef STATISTICS_H
#define STATISTICS_H

/* statistics.h - summary of many times of one call. */

#include "models/fit/estimate.h"

/* In the unit of the samples. */
struct benchmark_summary {
    int n;
    double median;
    double lo, hi; /* distribution-free interval; NaN: too few samples are independent for one */
    double min, q25, q75, q90, q99, max, mean;
    double halves; /* |ln| of the ratio of the medians of both halves; NaN: too few */
};

/*
 * Summarize n >= 1 samples, in the order in which they were taken, at the look-th look.
 *
 * ends, npasses  as for hitop_stop_check_passes(); 0 passes: all were taken in one go
 * step           of the samples, because of the clock; 0: they are exact. The samples of one step
 *                count as spread evenly over it, so that median and quantiles have errors below a
 *                step
 */
enum hitop_status hitop_benchmark_summarize(const struct hitop_stop_rule *rule, int look,
                                            const double *samples, int n, const int *ends,
                                            int npasses, double step, struct benchmark_summary *out,
                                            struct hitop_diag *diag);

/* The rank that is named most often, the lowest of several; *share of all n. */
int hitop_benchmark_most_often(const int *ranks, int n, int nranks, double *share);

/*
 * Megabytes (1e6) a second, of calls of a kind that send `messages` of `bytes` in one direction: 0
 * where nothing is sent.
 */
double hitop_benchmark_bandwidth(size_t bytes, int messages, double seconds);

#endif /* STATISTICS_H */
