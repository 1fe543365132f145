/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * model_hockney.c - latency plus bytes over bandwidth.
 *
 * Formula:  T(m) = alpha + beta m, during which sender and receiver are busy.
 * Units:    alpha in seconds, beta in seconds per byte.
 * Fit:      alpha from the short messages, beta from the long ones (line_two_ends.c, unless the
 *           caller chooses another estimator).
 * Needs:    points of two different sizes.
 * Source:   R. Hockney, The communication challenge for MPP: Intel Paragon and Meiko CS-2, Parallel
 *           Computing 20 (1994).
 */
#include <config.h>

#include "models/fit/fit_store.h"
#include "models/formulas/link_label.h"

enum { P_ALPHA, P_BETA, NPARAMS };

static const struct hitop_param params[NPARAMS] = {
    [P_ALPHA] = {"alpha", "latency in seconds", 1e-6, 0, 1000, "s"},
    [P_BETA] = {"beta", "seconds per byte", 1e-10, 0, 1, "s/B"},
};

static double hockney_p2p(const struct hitop_terms *t, size_t bytes)
{
    return t->link[P_ALPHA] + t->link[P_BETA] * (double)bytes;
}

static enum hitop_status hockney_fit(const struct hitop_evidence *e,
                                     const struct hitop_estimators *tools, struct hitop_fit *out,
                                     struct hitop_diag *diag)
{
    struct hitop_line line;
    const enum hitop_status status = tools->line(
        e->curve[HITOP_ECHO].points, e->curve[HITOP_ECHO].npoints, e->confidence, &line, diag);

    if (status == HITOP_OK) {
        fit_store_intercept(out, P_ALPHA, &line);
        fit_store_slope(out, P_BETA, &line);
    }
    return status;
}

static void hockney_label(const struct hitop_terms *t, char *out, size_t length)
{
    hitop_link_label(t->link[P_ALPHA], t->link[P_BETA], out, length);
}

const struct hitop_model_type hitop_model_hockney = {
    .name = "hockney",
    .summary = "T(m) = alpha + beta m",
    .params = params,
    .nparams = NPARAMS,
    .p2p = hockney_p2p,
    .grows = 1,
    .needs = 1u << HITOP_ECHO,
    .fit = hockney_fit,
    .label = hockney_label,
};
