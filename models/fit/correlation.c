/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * correlation.c - how many correlated samples contain as much information as an independent one.
 *
 * Idea:    tau = 1 + 2 sum of autocorrelations; n samples contain as much information as n / tau
 *          independent ones. The sum runs over pairs of neighbouring lags and stops before the
 *          first pair that is not positive, because the sum of a pair is positive for any
 *          reversible process, whatever the sign of its parts. Few samples make that sum too small;
 *          then (1 + r) / (1 - r), which needs the first lag r only, is larger and counts. An
 *          estimate of r is too small by (1 + 4 r) / n.
 * Source:  C. Geyer, Practical Markov chain Monte Carlo, Statistical Science 7 (1992);
 *          F. Marriott and J. Pope, Bias in the estimation of autocorrelations, Biometrika 41
 *          (1954).
 */
#include <config.h>

#include "models/fit/estimate.h"

#include <gsl/gsl_fft_halfcomplex.h>
#include <gsl/gsl_fft_real.h>
#include <math.h>
#include <stdlib.h>

/*
 * The first lags are summed one by one, which costs less than a transform; the others come from a
 * transform.
 */
enum { FEW_LAGS = 64 };

/* Sum of products of deviations at a distance in time. */
static double covariance(const double *x, int n, double mean, int lag)
{
    double sum = 0;

    for (int t = 0; t + lag < n; t++) {
        sum += (x[t] - mean) * (x[t + lag] - mean);
    }
    return sum;
}

/* The same at all distances, by a Fourier transform; the caller frees them. NULL: no memory. */
static double *all_covariances(const double *x, int n, double mean)
{
    size_t length = 2;
    double *c;

    /* with zeros at the end, because the transform is cyclic */
    while (length < 2 * (size_t)n) {
        length *= 2;
    }
    c = calloc(length, sizeof(*c));
    if (!c) {
        return NULL;
    }
    for (int t = 0; t < n; t++) {
        c[t] = x[t] - mean;
    }
    gsl_fft_real_radix2_transform(c, 1, length);
    c[0] *= c[0];
    c[length / 2] *= c[length / 2];
    for (size_t k = 1; k < length / 2; k++) {
        c[k] = c[k] * c[k] + c[length - k] * c[length - k];
        c[length - k] = 0;
    }
    gsl_fft_halfcomplex_radix2_inverse(c, 1, length);
    return c;
}

double hitop_correlation_time(const double *ranks, int n)
{
    double *all = NULL;
    double sum = 0, tau = -1;
    double mean, variance, first;

    for (int t = 0; t < n; t++) {
        sum += ranks[t];
    }
    mean = n > 0 ? sum / n : 0;
    variance = covariance(ranks, n, mean, 0);
    if (!(variance > 0)) {
        return 1;
    }
    for (int lag = 0; lag + 1 < n; lag += 2) {
        double pair;

        if (lag == FEW_LAGS) {
            all = all_covariances(ranks, n, mean);
        }
        pair = all ? all[lag] + all[lag + 1]
                   : covariance(ranks, n, mean, lag) + covariance(ranks, n, mean, lag + 1);
        if (!(pair > 0)) {
            break;
        }
        tau += 2 * pair / variance;
    }
    free(all);
    first = covariance(ranks, n, mean, 1) / variance;
    first = fmin(first + (1 + 4 * first) / n, 0.98);
    return fmax(1, fmax(tau, (1 + first) / (1 - first)));
}

void hitop_rank_in_time(const double *samples, const size_t *order, int n, double *ranks)
{
    for (int first = 0, last; first < n; first = last) {
        for (last = first + 1; last < n && samples[order[last]] == samples[order[first]]; last++) {
        }
        for (int i = first; i < last; i++) {
            ranks[order[i]] = 0.5 * (first + last - 1);
        }
    }
}
