/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * line_ordinary.c - the line of least squares, all points alike.
 *
 * Use:     to compare with old reports only. Deviations count in seconds, so the longest messages decide, and the
 *          latency is what is left over; it may even come out negative, which becomes 0.
 * Errors:  from the scatter of the points about the line; none of two points.
 */
#include <config.h>

#include "models/fit/estimate.h"

#include "models/fit/line_normal.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_fit.h>

#include <math.h>
#include <stdlib.h>

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
