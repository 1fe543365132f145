/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pool_launches.c - merge the times of one size in several launches.
 *
 * Idea:    each launch places pages and ranks anew. Its median is one sample; the median of these
 *          samples is the time. Two order statistics of the samples bound its interval. If there
 * are too few samples for the level, the interval spans the intervals of all launches. It then
 *          misses the median with a probability of at most 2 / 2^n, if all launches are on one side
 *          of it.
 * Source:  S. Hunold and A. Carpen-Amarie, Reproducible MPI benchmarking is still not as easy as
 *          you think, IEEE Transactions on Parallel and Distributed Systems 27 (2016), for the
 *          launch as the unit of claims.
 */
#include <config.h>

#include "models/results/merge_impl.h"

#include "models/fit/quantile.h"

#include "models/fit/estimate.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* Half width of a 95 % interval of a normal distribution in standard errors, for all levels. */
static const double half_width = 1.96;

int hitop_results_pool_rank(int n, double level)
{
    double term = pow(0.5, n),
           sum = term; /* probability that exactly, and at most, k launches are below */
    int k = 0;

    while (2 * sum <= 1 - level && k < n / 2) {
        k++;
        term *= (double)(n - k + 1) / k;
        sum += term;
    }
    return k;
}

double hitop_results_pool_level(int n, double level)
{
    return hitop_results_pool_rank(n, level) > 0 ? level : fmin(level, 1 - 2 * pow(0.5, n));
}

/* Collect one member of the points of all launches. */
static void collect(const struct results_point *const *launch, int n, size_t member, double *out)
{
    for (int i = 0; i < n; i++) {
        memcpy(&out[i], (const char *)launch[i] + member, sizeof(*out));
    }
}

/* The median of one member over all launches; NaN if a launch does not report it. */
static double median_of(const struct results_point *const *launch, int n, size_t member)
{
    double value[RESULTS_MAX_LAUNCHES] = {0};

    collect(launch, n, member, value);
    for (int i = 0; i < n; i++) {
        if (!isfinite(value[i])) {
            return NAN;
        }
    }
    return hitop_median_of(value, n);
}

static double extreme_of(const struct results_point *const *launch, int n, size_t member,
                         int largest)
{
    double value[RESULTS_MAX_LAUNCHES] = {0}, found;

    collect(launch, n, member, value);
    found = value[0];
    for (int i = 1; i < n; i++) {
        found = largest ? fmax(found, value[i]) : fmin(found, value[i]);
    }
    return found;
}

/* The mean of one member, weighted by the repetitions of each launch. */
static double mean_of(const struct results_point *const *launch, int n, size_t member)
{
    double value[RESULTS_MAX_LAUNCHES] = {0}, sum = 0, weights = 0;

    collect(launch, n, member, value);
    for (int i = 0; i < n; i++) {
        const double weight = fmax(1, launch[i]->repetitions);
        sum += weight * value[i];
        weights += weight;
    }
    return sum / weights;
}

static double lower_end(const struct results_point *p)
{
    return isfinite(p->time.lo) ? p->time.lo : p->time.median;
}

static double upper_end(const struct results_point *p)
{
    return isfinite(p->time.hi) ? p->time.hi : p->time.median;
}

static void find_interval(const struct results_point *const *launch, int n, double level,
                          struct results_times *out)
{
    const int rank = hitop_results_pool_rank(n, level);
    double medians[RESULTS_MAX_LAUNCHES] = {0};

    if (rank > 0) {
        collect(launch, n, offsetof(struct results_point, time.median), medians);
        qsort(medians, (size_t)n, sizeof(*medians), quantile_by_value);
        out->lo = medians[rank - 1];
        out->hi = medians[n - rank];
        return;
    }
    out->lo = HUGE_VAL;
    out->hi = 0;
    for (int i = 0; i < n; i++) {
        out->lo = fmin(out->lo, lower_end(launch[i]));
        out->hi = fmax(out->hi, upper_end(launch[i]));
    }
}

/*
 * Standard deviation of the logarithms of the medians of launches, divided by the one that their
 * intervals imply: about 1 if launches do not differ.
 */
static double find_excess(const struct results_point *const *launch, int n)
{
    double mean = 0, between = 0, within = 0;

    for (int i = 0; i < n; i++) {
        const struct results_times *t = &launch[i]->time;
        double half;
        if (!(t->median > 0 && t->lo > 0 && t->hi > 0)) {
            return NAN;
        }
        half = log(t->hi / t->lo) / 2;
        within += half * half / (half_width * half_width) / n;
        mean += log(t->median) / n;
    }
    for (int i = 0; i < n; i++) {
        const double off = log(launch[i]->time.median) - mean;
        between += off * off / (n - 1);
    }
    return within > 0 ? sqrt(between / within) : NAN;
}

/* The median over all pairs of launches of |ln| of the ratio of their medians. */
static double find_noise(const struct results_point *const *launch, int n)
{
    double apart[RESULTS_MAX_LAUNCHES * (RESULTS_MAX_LAUNCHES - 1) / 2];
    int pairs = 0;

    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i; k++) {
            const double a = launch[i]->time.median, b = launch[k]->time.median;
            if (a > 0 && b > 0) {
                apart[pairs++] = fabs(log(a / b));
            }
        }
    }
    return pairs > 0 ? hitop_median_of(apart, pairs) : NAN;
}

/*
 * Find the rank that is last most often. Each launch reports only one rank, so the share of a rank
 * is a lower bound.
 */
static void find_slowest(const struct results_point *const *launch, int n,
                         struct results_point *out)
{
    double most = -1;

    out->slowest_rank = -1;
    out->slowest_share = NAN;
    for (int i = 0; i < n; i++) {
        double share = 0;
        for (int k = 0; k < n && launch[i]->slowest_rank >= 0; k++) {
            if (launch[k]->slowest_rank == launch[i]->slowest_rank) {
                share += launch[k]->slowest_share / n;
            }
        }
        if (launch[i]->slowest_rank >= 0 && share > most) {
            most = out->slowest_share = share;
            out->slowest_rank = launch[i]->slowest_rank;
        }
    }
}

static void add_counts(const struct results_point *const *launch, int n, struct results_point *out)
{
    for (int i = 1; i < n; i++) {
        const struct results_point *p = launch[i];
        out->repetitions += p->repetitions;
        out->rejected += p->rejected;
        out->wrong += p->wrong;
        out->checked = p->checked < out->checked ? p->checked : out->checked;
        if (strcmp(p->state, "converged") != 0) {
            out->state = p->state;
        }
    }
}

void hitop_results_pool(const struct results_point *const *launch, int n, double level,
                        struct results_point *out)
{
    static const size_t middles[] = {
        offsetof(struct results_point, time.median), offsetof(struct results_point, time.q25),
        offsetof(struct results_point, time.q75),    offsetof(struct results_point, time.q90),
        offsetof(struct results_point, time.q99),    offsetof(struct results_point, spread)};
    const size_t time = offsetof(struct results_point, time.median);
    const double median = launch[0]->time.median;
    const double least = extreme_of(launch, n, time, 0), most = extreme_of(launch, n, time, 1);

    *out = *launch[0];
    for (size_t i = 0; i < sizeof(middles) / sizeof(middles[0]); i++) {
        const double middle = median_of(launch, n, middles[i]);
        memcpy((char *)out + middles[i], &middle, sizeof(middle));
    }
    out->time.min = extreme_of(launch, n, offsetof(struct results_point, time.min), 0);
    out->time.max = extreme_of(launch, n, offsetof(struct results_point, time.max), 1);
    out->time.mean = mean_of(launch, n, offsetof(struct results_point, time.mean));
    out->own_mean = mean_of(launch, n, offsetof(struct results_point, own_mean));
    find_interval(launch, n, level, &out->time);
    find_slowest(launch, n, out);
    add_counts(launch, n, out);
    out->one_way *= median / out->time.median;
    out->both_ways *= median / out->time.median;
    out->apart = least > 0 ? most / least : 1;
    out->noise = find_noise(launch, n);
    out->excess = find_excess(launch, n);
}
