/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * model_hockney.c - latency plus bytes over bandwidth.
 *
 * Formula:  T(m) = alpha + beta m
 * Units:    alpha in seconds, beta in seconds per byte.
 * Fit:      alpha is the intercept of the short messages, those within a quarter of the fastest time;
 *           beta the slope of the long ones, those of eight times it; but of three points at least. So
 *           a change of protocol or of cache between the two spoils neither; the sizes in between fit
 *           less well.
 * Needs:    points of two different sizes.
 * Source:   R. Hockney, The communication challenge for MPP: Intel Paragon and Meiko CS-2, Parallel
 *           Computing 20 (1994).
 */
#include <config.h>

#include "link_label.h"

#include "hitop/sys/model.h"

#include <math.h>
#include <stdio.h>

enum { P_ALPHA, P_BETA, NPARAMS };

static const struct hitop_param params[NPARAMS] = {
    [P_ALPHA] = {"alpha", "latency in seconds", 1e-6, 0, 1000},
    [P_BETA] = {"beta", "seconds per byte", 1e-10, 0, 1},
};

static double hockney_p2p(const double *p, size_t bytes)
{
    return p[P_ALPHA] + p[P_BETA] * (double)bytes;
}

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

static enum hitop_status hockney_fit(const struct hitop_point *points, size_t npoints,
                                     double confidence, const struct hitop_estimators *tools,
                                     struct hitop_fit *out, struct hitop_diag *diag)
{
    const size_t nlong = count_long(points, npoints);
    struct hitop_line low, high;
    enum hitop_status status =
        tools->robust_line(points, count_short(points, npoints), confidence, &low, diag);

    if (status == HITOP_OK) {
        status = tools->robust_line(points + npoints - nlong, nlong, confidence, &high, diag);
    }
    if (status != HITOP_OK) {
        return status;
    }
    out->params[P_ALPHA] = low.a;
    out->se[P_ALPHA] = low.a_se;
    out->lo[P_ALPHA] = low.a_lo;
    out->hi[P_ALPHA] = low.a_hi;
    out->params[P_BETA] = high.b;
    out->se[P_BETA] = high.b_se;
    out->lo[P_BETA] = high.b_lo;
    out->hi[P_BETA] = high.b_hi;
    return HITOP_OK;
}

static void hockney_label(const double *p, char *out, size_t length)
{
    link_label(p[P_ALPHA], p[P_BETA], out, length);
}

const struct hitop_model_type hitop_model_hockney = {
    .name = "hockney",
    .summary = "T(m) = alpha + beta m",
    .params = params,
    .nparams = NPARAMS,
    .p2p = hockney_p2p,
    .fit = hockney_fit,
    .label = hockney_label,
};
