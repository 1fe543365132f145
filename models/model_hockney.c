/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * model_hockney.c - latency plus bytes over bandwidth.
 *
 * Formula:  T(m) = alpha + beta m
 * Units:    alpha in seconds, beta in seconds per byte.
 * Needs:    points of two different sizes.
 * Source:   R. Hockney, The communication challenge for MPP: Intel Paragon and Meiko CS-2, Parallel
 *           Computing 20 (1994).
 */
#include <config.h>

#include "hitop/sys/model.h"

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

static enum hitop_status hockney_fit(const struct hitop_point *points, size_t npoints,
                                     double confidence, const struct hitop_estimators *tools,
                                     struct hitop_fit *out, struct hitop_diag *diag)
{
    struct hitop_line line;
    const enum hitop_status status = tools->robust_line(points, npoints, confidence, &line, diag);

    if (status != HITOP_OK) {
        return status;
    }
    out->params[P_ALPHA] = line.a;
    out->se[P_ALPHA] = line.a_se;
    out->lo[P_ALPHA] = line.a_lo;
    out->hi[P_ALPHA] = line.a_hi;
    out->params[P_BETA] = line.b;
    out->se[P_BETA] = line.b_se;
    out->lo[P_BETA] = line.b_lo;
    out->hi[P_BETA] = line.b_hi;
    return HITOP_OK;
}

static void hockney_label(const double *p, char *out, size_t length)
{
    if (p[P_BETA] > 0) {
        (void)snprintf(out, length, "%.3g us, %.3g MB/s", p[P_ALPHA] * 1e6, 1e-6 / p[P_BETA]);
    } else {
        (void)snprintf(out, length, "%.3g us", p[P_ALPHA] * 1e6);
    }
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
