/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * line_two_ends.c - latency from short messages, time per byte from long ones.
 *
 * Idea:  the intercept of the messages within a quarter of the fastest time, and the slope of those
 *        of eight times it; each of three points at least. A change of protocol or of cache between
 *        the two spoils neither; the sizes in between fit less well.
 */
#include <config.h>

#include "models/fit/estimate.h"

#include <math.h>

/* A robust line needs so many points. */
enum { FEWEST = 3 };

static double fastest(const struct hitop_point *points, size_t npoints)
{
    double best = HUGE_VAL;

    for (size_t i = 0; i < npoints; i++) {
        best = fmin(best, points[i].seconds);
    }
    return best;
}

/* How many of the first points are short messages. */
static size_t count_short(const struct hitop_point *points, size_t npoints)
{
    const double limit = 1.25 * fastest(points, npoints);
    size_t n = 0;

    while (n < npoints && (n < FEWEST || points[n].seconds <= limit)) {
        n++;
    }
    return n;
}

/* How many of the last points are long messages. */
static size_t count_long(const struct hitop_point *points, size_t npoints)
{
    const double limit = 8 * fastest(points, npoints);
    size_t n = 0;

    while (n < npoints && (n < FEWEST || points[npoints - 1 - n].seconds >= limit)) {
        n++;
    }
    return n;
}

enum hitop_status hitop_line_two_ends(const struct hitop_point *points, size_t npoints,
                                      double confidence, struct hitop_line *out,
                                      struct hitop_diag *diag)
{
    const size_t nlong = count_long(points, npoints);
    struct hitop_line high;
    enum hitop_status status =
        hitop_line_robust(points, count_short(points, npoints), confidence, out, diag);

    if (status == HITOP_OK) {
        status = hitop_line_robust(points + npoints - nlong, nlong, confidence, &high, diag);
    }
    if (status == HITOP_OK) {
        out->b = high.b;
        out->b_se = high.b_se;
        out->b_lo = high.b_lo;
        out->b_hi = high.b_hi;
    }
    return status;
}
