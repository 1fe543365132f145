/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * line_robust.c - a line that a few bad points do not bend.
 *
 * Idea:    slope b = weighted median of the slopes of all pairs of points; intercept a = weighted
 *          median of y - b x. A pair weighs its distance over its combined error, a point 1 /
 *          error.
 * Cost:    O(n^2 log n) for n points.
 * Source:  H. Theil, A rank-invariant method of linear and polynomial regression analysis (1950);
 *          P. Sen, Estimates of the regression coefficient based on Kendall's tau, JASA 63 (1968).
 */
#include <config.h>

#include "models/fit/estimate.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>

#include <math.h>
#include <stdlib.h>

/* Values with weights, in the order of the values. */
struct sorted {
    size_t n;
    double *value, *weight;
    size_t *order;
    double total;
};

static void sort(struct sorted *s)
{
    gsl_sort_index(s->order, s->value, 1, s->n);
    s->total = 0;
    for (size_t i = 0; i < s->n; i++) {
        s->total += s->weight[i];
    }
}

/* Smallest value below which lies at least the given share of the weight. */
static double quantile(const struct sorted *s, double share)
{
    double below = 0;

    for (size_t i = 0; i + 1 < s->n; i++) {
        below += s->weight[s->order[i]];
        if (below >= share * s->total) {
            return s->value[s->order[i]];
        }
    }
    return s->value[s->order[s->n - 1]];
}

/* Middle of the lower and the upper median, which differ when the weight splits in two halves. */
static double median(const struct sorted *s)
{
    const double half = 0.5 * s->total;
    double below = 0;

    for (size_t i = 0; i + 1 < s->n; i++) {
        below += s->weight[s->order[i]];
        if (fabs(below - half) <= 1e-12 * s->total) {
            return 0.5 * (s->value[s->order[i]] + s->value[s->order[i + 1]]);
        }
        if (below > half) {
            return s->value[s->order[i]];
        }
    }
    return s->value[s->order[s->n - 1]];
}

static void fill_slopes(const struct hitop_point *p, size_t n, struct sorted *s)
{
    s->n = 0;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = i + 1; j < n; j++) {
            const double dx = (double)p[j].bytes - (double)p[i].bytes;
            if (dx != 0) {
                s->value[s->n] = (p[j].seconds - p[i].seconds) / dx;
                s->weight[s->n++] = fabs(dx) / hypot(p[i].se, p[j].se);
            }
        }
    }
}

/*
 * Variance of Kendall's statistic with weights, the sum of the weights of the slopes above b less
 * that of those below. Slopes through one point are correlated, more so if it is noisy. Therefore
 * the signed weights are summed for each point, and the squares of these sums are added. The result
 * is at least that of independent slopes.
 */
static double variance(const struct hitop_point *p, size_t n, const struct sorted *s, double b,
                       double *part)
{
    double parts = 0, apart = 0;
    size_t k = 0;

    for (size_t i = 0; i < n; i++) {
        part[i] = 0;
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t j = i + 1; j < n; j++) {
            if (p[j].bytes != p[i].bytes) {
                const double w = s->weight[k], signed_w = s->value[k] > b ? w : -w;
                apart += w * w;
                part[i] += s->value[k] == b ? 0 : signed_w;
                part[j] += s->value[k] == b ? 0 : signed_w;
                k++;
            }
        }
    }
    for (size_t i = 0; i < n; i++) {
        parts += part[i] * part[i];
    }
    return fmax(parts, apart);
}

/*
 * Interval of the slope: quantiles of the weight, as far apart as the variance of Kendall's
 * statistic requires. With too few points for that, it covers all slopes and the error of the most
 * precise pair.
 */
static void slope_interval(const struct sorted *s, double z, double kendall, double best_weight,
                           struct hitop_line *out)
{
    const double share = 0.5 * z * sqrt(kendall) / s->total;

    if (share < 0.5) {
        out->b_lo = quantile(s, 0.5 - share);
        out->b_hi = quantile(s, 0.5 + share);
    } else {
        out->b_lo = fmin(s->value[s->order[0]], out->b - z / best_weight);
        out->b_hi = fmax(s->value[s->order[s->n - 1]], out->b + z / best_weight);
    }
    out->b_lo = fmin(out->b_lo, out->b);
    out->b_hi = fmax(out->b_hi, out->b);
}

/*
 * Interval of the intercept: quantiles of the weight, as far apart as its effective number of
 * points requires.
 */
static void intercept_interval(const struct sorted *s, double z, struct hitop_line *out)
{
    double squares = 0, share;

    for (size_t i = 0; i < s->n; i++) {
        squares += s->weight[i] * s->weight[i];
    }
    share = 0.5 * z * sqrt(squares) / s->total;
    out->a_lo = fmin(quantile(s, 0.5 - share), out->a);
    out->a_hi = fmax(quantile(s, 0.5 + share), out->a);
}

static double largest(const double *values, size_t n)
{
    double best = 0;

    for (size_t i = 0; i < n; i++) {
        best = fmax(best, values[i]);
    }
    return best;
}

static void fit(const struct hitop_point *p, size_t n, double z, struct sorted *s, double *part,
                struct hitop_line *out)
{
    sort(s);
    out->b = median(s);
    slope_interval(s, z, variance(p, n, s, out->b, part), largest(s->weight, s->n), out);
    out->b = fmax(out->b, 0);
    out->b_lo = fmax(out->b_lo, 0);
    out->b_hi = fmax(out->b_hi, 0);
    out->b_se = (out->b_hi - out->b_lo) / (2 * z);

    s->n = n;
    for (size_t i = 0; i < n; i++) {
        s->value[i] = p[i].seconds - out->b * (double)p[i].bytes;
        s->weight[i] = 1 / p[i].se;
    }
    sort(s);
    out->a = median(s);
    intercept_interval(s, z, out);
    out->a = fmax(out->a, 0);
    out->a_lo = fmax(out->a_lo, 0);
    out->a_hi = fmax(out->a_hi, 0);
    out->a_se = (out->a_hi - out->a_lo) / (2 * z);
}

enum hitop_status hitop_line_check(const struct hitop_point *points, size_t n,
                                   struct hitop_diag *diag)
{
    size_t different = 0;

    for (size_t i = 0; i < n; i++) {
        different += points[i].bytes != points[0].bytes;
        if (!(points[i].se > 0 && isfinite(points[i].se) && isfinite(points[i].seconds))) {
            return hitop_fail(diag, HITOP_ERR_INVALID,
                              "line: the point at %zu bytes is %g s with standard error %g",
                              points[i].bytes, points[i].seconds, points[i].se);
        }
    }
    return different > 0 ? HITOP_OK
                         : hitop_fail(diag, HITOP_ERR_INVALID,
                                      "line: %zu points have fewer than two different sizes", n);
}

enum hitop_status hitop_line_robust(const struct hitop_point *points, size_t npoints,
                                    double confidence, struct hitop_line *out,
                                    struct hitop_diag *diag)
{
    const size_t room = npoints * npoints / 2 + npoints + 1;
    double *part = calloc(npoints + 1, sizeof(double));
    struct sorted s = {.value = calloc(room, sizeof(double)),
                       .weight = calloc(room, sizeof(double)),
                       .order = calloc(room, sizeof(size_t))};
    enum hitop_status status = hitop_line_check(points, npoints, diag);

    *out = (struct hitop_line){0};
    if (status == HITOP_OK && (!part || !s.value || !s.weight || !s.order)) {
        status = hitop_fail(diag, HITOP_ERR_NOMEM, "line: out of memory for %zu points", npoints);
    }
    if (status == HITOP_OK) {
        fill_slopes(points, npoints, &s);
        fit(points, npoints, gsl_cdf_ugaussian_Pinv(0.5 + 0.5 * confidence), &s, part, out);
    }
    free(s.order);
    free(s.weight);
    free(s.value);
    free(part);
    return status;
}
