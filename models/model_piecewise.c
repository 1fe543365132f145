/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * model_piecewise.c - one line below a size at which the protocol changes, another one from there.
 *
 * Formula:  T(m) = alpha + beta m             for m < switch
 *           T(m) = alpha2 + beta2 m           from there, but never less than just below
 * Units:    alpha in seconds, beta in seconds per byte, switch in bytes.
 * Fit:      every gap between two measured sizes is tried; the two robust lines with the smallest sum
 *           of absolute deviations, each in units of its standard error, win.
 * Use:      MPI libraries send long messages only after asking, which costs one more round trip.
 * Needs:    three different sizes on either side; with fewer, one line serves for both.
 */
#include <config.h>

#include "link_label.h"

#include "hitop/sys/model.h"

#include <math.h>
#include <stdio.h>

enum { P_ALPHA, P_BETA, P_SWITCH, P_ALPHA2, P_BETA2, NPARAMS };

/* Splits tried at most; each costs two fits. */
enum { MAX_SPLITS = 32 };

static const struct hitop_param params[NPARAMS] = {
    [P_ALPHA] = {"alpha", "latency of short messages in seconds", 1e-6, 0, 1000},
    [P_BETA] = {"beta", "seconds per byte of short messages", 1e-10, 0, 1},
    [P_SWITCH] = {"switch", "first size in bytes that is a long message", 65536, 0, 1e15},
    [P_ALPHA2] = {"alpha2", "latency of long messages in seconds", 2e-6, 0, 1000},
    [P_BETA2] = {"beta2", "seconds per byte of long messages", 1e-10, 0, 1},
};

static double piecewise_p2p(const double *p, size_t bytes)
{
    const double m = (double)bytes;
    const double before = p[P_ALPHA] + p[P_BETA] * fmin(m, p[P_SWITCH]);

    return m < p[P_SWITCH] ? before : fmax(before, p[P_ALPHA2] + p[P_BETA2] * m);
}

/* Sum of deviations from a line, each in units of its standard error. */
static double deviation(const struct hitop_point *points, size_t n, const struct hitop_line *line)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++) {
        const double expected = line->a + line->b * (double)points[i].bytes;
        sum += fabs(points[i].seconds - expected) / points[i].se;
    }
    return sum;
}

static void store(const struct hitop_line *line, int a, int b, struct hitop_fit *out)
{
    out->params[a] = line->a;
    out->se[a] = line->a_se;
    out->lo[a] = line->a_lo;
    out->hi[a] = line->a_hi;
    out->params[b] = line->b;
    out->se[b] = line->b_se;
    out->lo[b] = line->b_lo;
    out->hi[b] = line->b_hi;
}

static enum hitop_status piecewise_fit(const struct hitop_point *points, size_t npoints,
                                       double confidence, const struct hitop_estimators *tools,
                                       struct hitop_fit *out, struct hitop_diag *diag)
{
    const size_t step = 1 + npoints / MAX_SPLITS;
    struct hitop_line low, high;
    enum hitop_status status = tools->robust_line(points, npoints, confidence, &low, diag);
    double best;

    if (status != HITOP_OK) {
        return status;
    }
    for (size_t i = 1; i < npoints; i++) {
        if (points[i].bytes <= points[i - 1].bytes) {
            return hitop_fail(diag, HITOP_ERR_INVALID, "piecewise: the sizes must ascend");
        }
    }
    best = deviation(points, npoints, &low);
    store(&low, P_ALPHA, P_BETA, out);
    store(&low, P_ALPHA2, P_BETA2, out);
    out->params[P_SWITCH] = out->lo[P_SWITCH] = out->hi[P_SWITCH] = 0;
    out->se[P_SWITCH] = NAN;
    for (size_t k = 3; status == HITOP_OK && k + 3 <= npoints; k += step) {
        double sum;
        status = tools->robust_line(points, k, confidence, &low, diag);
        if (status == HITOP_OK) {
            status = tools->robust_line(points + k, npoints - k, confidence, &high, diag);
        }
        sum = status == HITOP_OK
                  ? deviation(points, k, &low) + deviation(points + k, npoints - k, &high)
                  : best;
        if (sum < best) {
            best = sum;
            store(&low, P_ALPHA, P_BETA, out);
            store(&high, P_ALPHA2, P_BETA2, out);
            out->params[P_SWITCH] = out->hi[P_SWITCH] = (double)points[k].bytes;
            out->lo[P_SWITCH] = (double)points[k - 1].bytes;
        }
    }
    return status;
}

static void piecewise_label(const double *p, char *out, size_t length)
{
    link_label(p[P_ALPHA], p[P_BETA2], out, length);
}

const struct hitop_model_type hitop_model_piecewise = {
    .name = "piecewise",
    .summary = "T(m) = alpha + beta m below a switch, alpha2 + beta2 m from there",
    .params = params,
    .nparams = NPARAMS,
    .p2p = piecewise_p2p,
    .fit = piecewise_fit,
    .label = piecewise_label,
};
