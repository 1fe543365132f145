/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * clock_line.c - predict another clock from offsets taken over some time.
 *
 * Formula:  other(t) = t + offset + drift (t - at)
 * Fit:      weighted least squares. A weight is 1 / width^2, where width is the distance between
 *           the bounds of the offset; disturbed exchanges have wide bounds. The variances come from
 *           the residuals, not from the widths.
 */
#include <config.h>

#include "models/clock/clock.h"

#include <gsl/gsl_fit.h>

#include <math.h>
#include <stdlib.h>

/* The bounds of one offset count at least this share of the widest ones. */
static const double narrowest = 1e-3;

static enum hitop_status check(const struct hitop_clock_offset *o, int n, struct hitop_diag *diag)
{
    int differ = 0;

    if (n < 3) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "clock line: %d offsets; at least 3", n);
    }
    for (int i = 0; i < n; i++) {
        if (!(isfinite(o[i].at) && isfinite(o[i].offset) && isfinite(o[i].error) &&
              o[i].error >= 0)) {
            return hitop_fail(diag, HITOP_ERR_INVALID,
                              "clock line: offset %d is %g s at %g s, with bounds of %g s", i,
                              o[i].offset, o[i].at, o[i].error);
        }
        differ += o[i].at != o[0].at;
    }
    if (!differ) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "clock line: all %d offsets are of one moment",
                          n);
    }
    return HITOP_OK;
}

/* Times from the first offset on, so that the age of the clock does not matter. */
static void fill(const struct hitop_clock_offset *o, int n, double *x, double *y, double *w)
{
    double widest = 0;

    for (int i = 0; i < n; i++) {
        widest = fmax(widest, o[i].error);
    }
    for (int i = 0; i < n; i++) {
        const double width = widest > 0 ? fmax(o[i].error / widest, narrowest) : 1;
        x[i] = o[i].at - o[0].at;
        y[i] = o[i].offset - o[0].offset;
        w[i] = 1 / (width * width);
    }
}

enum hitop_status hitop_clock_line_fit(const struct hitop_clock_offset *offsets, int n,
                                       struct hitop_clock_line *out, struct hitop_diag *diag)
{
    enum hitop_status status = check(offsets, n, diag);
    double *x = NULL;
    double c0, c1, cov00, cov01, cov11, chi_squared;

    *out = (struct hitop_clock_line){0};
    if (status != HITOP_OK) {
        return status;
    }
    x = calloc((size_t)n, 3 * sizeof(*x));
    if (!x) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "clock line: out of memory for %d offsets", n);
    }
    fill(offsets, n, x, x + n, x + 2 * n);
    (void)gsl_fit_wlinear(x, 1, x + 2 * n, 1, x + n, 1, (size_t)n, &c0, &c1, &cov00, &cov01, &cov11,
                          &chi_squared);
    free(x);
    if (!(fabs(c1) <= 0.5)) {
        return hitop_fail(diag, HITOP_ERR_INVALID,
                          "clock line: a drift of %g s per second; at most 0.5", c1);
    }
    *out = (struct hitop_clock_line){.at = offsets[0].at,
                                     .offset = offsets[0].offset + c0,
                                     .drift = c1,
                                     .offset_variance = cov00 * chi_squared / (n - 2),
                                     .drift_variance = cov11 * chi_squared / (n - 2),
                                     .covariance = cov01 * chi_squared / (n - 2)};
    return HITOP_OK;
}

double hitop_clock_line_apply(const struct hitop_clock_line *line, double local)
{
    return local + line->offset + line->drift * (local - line->at);
}

double hitop_clock_line_invert(const struct hitop_clock_line *line, double other)
{
    return line->at + (other - line->at - line->offset) / (1 + line->drift);
}

static double variance(const struct hitop_clock_line *line, double after)
{
    return line->offset_variance + after * (2 * line->covariance + after * line->drift_variance);
}

double hitop_clock_line_error(const struct hitop_clock_line *line, double local)
{
    return sqrt(fmax(variance(line, local - line->at), 0));
}

struct hitop_clock_line hitop_clock_line_chain(const struct hitop_clock_line *first,
                                               const struct hitop_clock_line *second)
{
    const double at = first->at;
    const double after = at + first->offset - second->at; /* on the second clock */

    return (struct hitop_clock_line){
        .at = at,
        .offset = first->offset + second->offset + second->drift * after,
        .drift = first->drift + second->drift + first->drift * second->drift,
        .offset_variance = first->offset_variance + variance(second, after),
        .drift_variance = first->drift_variance + second->drift_variance,
        .covariance = first->covariance + second->covariance + second->drift_variance * after};
}
