/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * line_bisquare.c - the line of least squares of those points that are near it.
 *
 * Idea:    points are compared with the robust line (line_robust.c) in units of that line. Each
 *          weighs (1 - u^2)^2, where u is its deviation over 4.685 times the typical one, and
 *          nothing beyond; the line of least squares with those weights gives new deviations, and
 *          so on. Deviations relative to the measured times would be wrong: a bad point would then
 *          look good.
 * Use:     a second opinion that is nearly as precise as least squares where all points are good,
 *          and stands bad ones. Where it and the robust line differ, the points are not on one
 *          line.
 * gsl_multifit_robust() does not serve: it begins with least squares, which bad points distort, and
 * if it does not converge, GSL's error handler ends the program.
 * Source:  A. Beaton and J. Tukey, The fitting of power series, Technometrics 16 (1974); P. Huber,
 *          Robust statistics (1981), 7.6, for the standard errors.
 */
#include <config.h>

#include "models/fit/estimate.h"

#include "models/fit/line_normal.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_fit.h>

#include <math.h>
#include <stdlib.h>

/* With fewer points none is typical. MAX_STEPS is far more than are needed. */
enum { FEWEST = 5, MAX_STEPS = 50 };

/* Of the normal law: 95 % of the precision of least squares; deviation over median deviation. */
static const double tuning = 4.685, normal_mad = 1.4826;

/* Below this, relative to the times, deviations are rounding errors. */
static const double rounding = 1e-9;

/* Points in units of the largest size, each time with the scale of its deviations. */
struct problem {
    size_t n;
    double *x, *y, *scale, *weight, *work; /* [n] each */
    double a, b;
    double typical; /* deviation of a good point, in scales */
};

static double deviation(const struct problem *p, size_t i)
{
    return (p->y[i] - p->a - p->b * p->x[i]) / p->scale[i];
}

static double bisquare(double u)
{
    return fabs(u) < 1 ? (1 - u * u) * (1 - u * u) : 0;
}

static void find_typical(struct problem *p)
{
    for (size_t i = 0; i < p->n; i++) {
        p->work[i] = fabs(deviation(p, i));
    }
    p->typical = fmax(normal_mad * hitop_median_of(p->work, (int)p->n), rounding);
}

/* The covariance of a and b is that of points of deviation 1. */
static void fit_line(struct problem *p, double cov[3])
{
    double chi_squared;

    (void)gsl_fit_wlinear(p->x, 1, p->weight, 1, p->y, 1, p->n, &p->a, &p->b, &cov[0], &cov[1],
                          &cov[2], &chi_squared);
}

static void settle(struct problem *p)
{
    double cov[3];

    for (int step = 0; step < MAX_STEPS; step++) {
        const double a = p->a, b = p->b;
        find_typical(p);
        for (size_t i = 0; i < p->n; i++) {
            p->weight[i] =
                bisquare(deviation(p, i) / (tuning * p->typical)) / (p->scale[i] * p->scale[i]);
        }
        fit_line(p, cov);
        if (!isfinite(p->a) || !isfinite(p->b)) { /* the good points are of one size */
            p->a = a;
            p->b = b;
            break;
        }
        if (fabs(p->a - a) <= 1e-10 * fabs(a) && fabs(p->b - b) <= 1e-10 * fabs(b)) {
            break;
        }
    }
}

/* Variance of a deviation as the line sees it: mean square of what counts of the deviations, over
 * the squared mean of how much of a change counts. */
static double effective_variance(const struct problem *p)
{
    double squares = 0, slopes = 0;

    for (size_t i = 0; i < p->n; i++) {
        const double r = deviation(p, i), u = r / (tuning * p->typical);
        const double counts = r * bisquare(u);
        squares += counts * counts;
        slopes += fabs(u) < 1 ? (1 - u * u) * (1 - 5 * u * u) : 0;
    }
    squares /= (double)(p->n - 2);
    slopes /= (double)p->n;
    return slopes > 0.1 ? squares / (slopes * slopes) : squares;
}

static void report(struct problem *p, double unit, double z, struct hitop_line *out)
{
    const double variance = effective_variance(p);
    const double a = p->a, b = p->b;
    double cov[3];

    for (size_t i = 0; i < p->n; i++) {
        p->weight[i] = 1 / (p->scale[i] * p->scale[i]);
    }
    fit_line(p, cov); /* for the covariance that all points together give */
    *out = line_normal(a, sqrt(variance * cov[0]), b / unit, sqrt(variance * cov[2]) / unit, z);
}

/* Returns the unit of sizes. */
static double fill(const struct hitop_point *points, const struct hitop_line *first,
                   struct problem *p)
{
    double unit = 1;

    for (size_t i = 0; i < p->n; i++) {
        unit = fmax(unit, (double)points[i].bytes);
    }
    for (size_t i = 0; i < p->n; i++) {
        const double bytes = (double)points[i].bytes;
        p->x[i] = bytes / unit;
        p->y[i] = points[i].seconds;
        p->scale[i] = fmax(first->a + first->b * bytes, points[i].se);
    }
    p->a = first->a;
    p->b = first->b * unit;
    return unit;
}

enum hitop_status hitop_line_bisquare(const struct hitop_point *points, size_t npoints,
                                      double confidence, struct hitop_line *out,
                                      struct hitop_diag *diag)
{
    struct problem p = {.n = npoints};
    const enum hitop_status status = hitop_line_robust(points, npoints, confidence, out, diag);
    double unit;

    if (status != HITOP_OK || npoints < FEWEST) {
        return status;
    }
    p.x = calloc(npoints, 5 * sizeof(double));
    if (!p.x) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "line: out of memory for %zu points", npoints);
    }
    p.y = p.x + npoints;
    p.scale = p.y + npoints;
    p.weight = p.scale + npoints;
    p.work = p.weight + npoints;
    unit = fill(points, out, &p);
    settle(&p);
    report(&p, unit, gsl_cdf_ugaussian_Pinv(0.5 + 0.5 * confidence), out);
    free(p.x);
    return HITOP_OK;
}
