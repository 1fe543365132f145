/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * line_least_squares.c - lines of least squares.
 *
 * Use:  with each point weighted by its own precision a second opinion on line_robust.c. Where the
 *       two differ, the points are not on one line or some of them are bad. With all points alike
 *       to compare with old reports only: deviations count in seconds, so the longest messages
 *       decide, and the latency is what is left over; it may even come out negative, which becomes
 *       0. Its errors are from the scatter of the points about the line; none of two points.
 */
#include <config.h>

#include "models/fit/estimate.h"
#include "models/fit/line_normal.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_fit.h>

#include <math.h>
#include <stdlib.h>

/* Sizes in units of the largest, so that the sums stay of one magnitude. */
static double fill(const struct hitop_point *points, size_t n, double *x, double *y, double *w)
{
    double unit = 1;

    for (size_t i = 0; i < n; i++) {
        unit = fmax(unit, (double)points[i].bytes);
    }
    for (size_t i = 0; i < n; i++) {
        x[i] = (double)points[i].bytes / unit;
        y[i] = points[i].seconds;
        w[i] = 1 / (points[i].se * points[i].se);
    }
    return unit;
}

static enum hitop_status check(const struct hitop_point *points, size_t n, struct hitop_diag *diag)
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
    if (different == 0) {
        return line_fail_sizes(n, diag);
    }
    return HITOP_OK;
}

enum hitop_status hitop_line_least_squares(const struct hitop_point *points, size_t npoints,
                                           double confidence, struct hitop_line *out,
                                           struct hitop_diag *diag)
{
    const double z = gsl_cdf_ugaussian_Pinv(0.5 + 0.5 * confidence);
    enum hitop_status status = check(points, npoints, diag);
    double a, b, cov_aa, cov_ab, cov_bb, chi_squared, unit;
    double *x = NULL;

    *out = (struct hitop_line){0};
    if (status != HITOP_OK) {
        return status;
    }
    x = calloc(npoints, 3 * sizeof(*x));
    if (!x) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "line: out of memory for %zu points", npoints);
    }
    unit = fill(points, npoints, x, x + npoints, x + 2 * npoints);
    (void)gsl_fit_wlinear(x, 1, x + 2 * npoints, 1, x + npoints, 1, npoints, &a, &b, &cov_aa,
                          &cov_ab, &cov_bb, &chi_squared);
    free(x);
    *out = line_normal(a, sqrt(cov_aa), b / unit, sqrt(cov_bb) / unit, z);
    return HITOP_OK;
}

/* Student's quantile, or nothing where there is no scatter to go by. */
static double half_width(size_t npoints, double confidence)
{
    return npoints > 2 ? gsl_cdf_tdist_Pinv(0.5 + 0.5 * confidence, (double)npoints - 2) : 0;
}

enum hitop_status hitop_line_ordinary(const struct hitop_point *points, size_t npoints,
                                      double confidence, struct hitop_line *out,
                                      struct hitop_diag *diag)
{
    double *x = calloc(npoints + 1, 2 * sizeof(*x)), *y = x + npoints;
    double a, b, cov_aa, cov_ab, cov_bb, rss;
    size_t different = 0;

    *out = (struct hitop_line){0};
    if (!x) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "line: out of memory for %zu points", npoints);
    }
    for (size_t i = 0; i < npoints; i++) {
        x[i] = (double)points[i].bytes;
        y[i] = points[i].seconds;
        different += points[i].bytes != points[0].bytes;
    }
    if (different == 0) {
        free(x);
        return line_fail_sizes(npoints, diag);
    }
    (void)gsl_fit_linear(x, 1, y, 1, npoints, &a, &b, &cov_aa, &cov_ab, &cov_bb, &rss);
    free(x);
    *out = line_normal(a, npoints > 2 ? sqrt(cov_aa) : 0, b, npoints > 2 ? sqrt(cov_bb) : 0,
                       half_width(npoints, confidence));
    return HITOP_OK;
}
