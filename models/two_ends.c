/* SPDX-License-Identifier: BSD-3-Clause */
/* two_ends.c - latency from short messages, time per byte from long ones. */
#include <config.h>

#include "two_ends.h"

#include <math.h>

/* A robust line needs so many points. */
enum { FEWEST = 3 };

static double fastest(const struct hitop_curve *c)
{
    double best = HUGE_VAL;

    for (size_t i = 0; i < c->npoints; i++) {
        best = fmin(best, c->points[i].seconds);
    }
    return best;
}

/* How many of the first points are short messages. */
static size_t count_short(const struct hitop_curve *c)
{
    const double limit = 1.25 * fastest(c);
    size_t n = 0;

    while (n < c->npoints && (n < FEWEST || c->points[n].seconds <= limit)) {
        n++;
    }
    return n;
}

/* How many of the last points are long messages. */
static size_t count_long(const struct hitop_curve *c)
{
    const double limit = 8 * fastest(c);
    size_t n = 0;

    while (n < c->npoints && (n < FEWEST || c->points[c->npoints - 1 - n].seconds >= limit)) {
        n++;
    }
    return n;
}

enum hitop_status fit_two_ends(const struct hitop_curve *curve, double confidence,
                               const struct hitop_estimators *tools, struct hitop_line *out,
                               struct hitop_diag *diag)
{
    const size_t nlong = count_long(curve);
    struct hitop_line high;
    enum hitop_status status =
        tools->robust_line(curve->points, count_short(curve), confidence, out, diag);

    if (status == HITOP_OK) {
        status = tools->robust_line(curve->points + curve->npoints - nlong, nlong, confidence,
                                    &high, diag);
    }
    if (status == HITOP_OK) {
        out->b = high.b;
        out->b_se = high.b_se;
        out->b_lo = high.b_lo;
        out->b_hi = high.b_hi;
    }
    return status;
}
