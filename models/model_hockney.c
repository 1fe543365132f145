/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * model_hockney.c - latency plus bytes over bandwidth.
 *
 * Formula:  T(m) = alpha + beta m
 * Units:    alpha in seconds, beta in seconds per byte.
 * Fit:      alpha is the intercept of the short messages, beta the slope of the long ones. They part
 *           at Hockney's half-performance length, where a message takes twice the latency. So a change
 *           of protocol between the two spoils neither; the sizes about it fit less well.
 * Needs:    points of two different sizes.
 * Source:   R. Hockney, The communication challenge for MPP: Intel Paragon and Meiko CS-2, Parallel
 *           Computing 20 (1994).
 */
#include <config.h>

#include "link_label.h"

#include "hitop/sys/model.h"

#include <stdio.h>
#include <stdlib.h>

enum { P_ALPHA, P_BETA, NPARAMS };

static const struct hitop_param params[NPARAMS] = {
    [P_ALPHA] = {"alpha", "latency in seconds", 1e-6, 0, 1000},
    [P_BETA] = {"beta", "seconds per byte", 1e-10, 0, 1},
};

static double hockney_p2p(const double *p, size_t bytes)
{
    return p[P_ALPHA] + p[P_BETA] * (double)bytes;
}

/* The robust line of the short or the long messages; of all where those are fewer than three. */
static enum hitop_status fit_part(const struct hitop_point *points, size_t npoints, int want_long,
                                  double confidence, const struct hitop_estimators *tools,
                                  struct hitop_line *line, struct hitop_diag *diag)
{
    struct hitop_point *part = calloc(npoints + 1, sizeof(*part));
    double fastest = npoints > 0 ? points[0].seconds : 0;
    enum hitop_status status;
    size_t n = 0;

    if (!part) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "hockney: out of memory for %zu points", npoints);
    }
    for (size_t i = 1; i < npoints; i++) {
        fastest = points[i].seconds < fastest ? points[i].seconds : fastest;
    }
    for (size_t i = 0; i < npoints; i++) {
        if ((points[i].seconds >= 2 * fastest) == want_long) {
            part[n++] = points[i];
        }
    }
    status = n < 3 ? tools->robust_line(points, npoints, confidence, line, diag)
                   : tools->robust_line(part, n, confidence, line, diag);
    free(part);
    return status;
}

static enum hitop_status hockney_fit(const struct hitop_point *points, size_t npoints,
                                     double confidence, const struct hitop_estimators *tools,
                                     struct hitop_fit *out, struct hitop_diag *diag)
{
    struct hitop_line low, high;
    enum hitop_status status = fit_part(points, npoints, 0, confidence, tools, &low, diag);

    if (status == HITOP_OK) {
        status = fit_part(points, npoints, 1, confidence, tools, &high, diag);
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
