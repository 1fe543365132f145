/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * model_plogp.c - LogP whose gap and overheads depend on the size.
 *
 * Formula:  T(m) = L + g(m); the sender is free again after max(os(m), g(m)), and the receiver is
 *           busy for the last max(or(m), g(m)), because the gap separates receptions, too; neither
 *           is longer than T(m). os(m) is longer than g(m) if the send waits for its receiver.
 * Units:    L, os, or and g in seconds, bytes in bytes; interpolated between the sizes.
 * Fit:      R(m) is the round trip of m bytes with an empty answer; g(0) comes from a long train
 *           of empty messages. L = R(0) / 2 - g(0) and g(m) = R(m) - R(0) + g(0), so that no other
 *           size needs a train. os and or are the times of the send and receive calls.
 * Source:   T. Kielmann, H. Bal and K. Verstoep, Fast measurement of LogP parameters for message
 *           passing platforms, IPDPS workshops (2000).
 */
#include <config.h>

#include "models/fit/fit_store.h"
#include "models/formulas/link_label.h"
#include "models/model/table.h"

#include <math.h>

enum { P_L, NPARAMS };
enum { C_BYTES, C_OS, C_OR, C_G, NCOLUMNS };

static const struct hitop_param params[NPARAMS] = {
    [P_L] = {"L", "latency in seconds", 1e-6, 0, 1000, "s"},
};

static const struct hitop_param columns[NCOLUMNS] = {
    [C_BYTES] = {"bytes", "message size", 0, 0, 1e15, "B"},
    [C_OS] = {"os", "overhead of sending in seconds", 1e-7, 0, 1e6, "s"},
    [C_OR] = {"or", "overhead of receiving in seconds", 1e-7, 0, 1e6, "s"},
    [C_G] = {"g", "gap in seconds", 1e-6, 0, 1e6, "s"},
};

static double gap(const struct hitop_terms *t, size_t bytes)
{
    return hitop_table_interpolate(t, NCOLUMNS, C_G, (double)bytes);
}

static double plogp_p2p(const struct hitop_terms *t, size_t bytes)
{
    return t->link[P_L] + gap(t, bytes);
}

static double send_overhead(const struct hitop_terms *t, size_t bytes)
{
    return hitop_table_interpolate(t, NCOLUMNS, C_OS, (double)bytes);
}

static double receive_overhead(const struct hitop_terms *t, size_t bytes)
{
    return hitop_table_interpolate(t, NCOLUMNS, C_OR, (double)bytes);
}

static double plogp_occupancy(const struct hitop_terms *t, size_t bytes)
{
    return fmin(fmax(send_overhead(t, bytes), gap(t, bytes)), plogp_p2p(t, bytes));
}

static double plogp_reception(const struct hitop_terms *t, size_t bytes)
{
    return fmin(fmax(receive_overhead(t, bytes), gap(t, bytes)), plogp_p2p(t, bytes));
}

/* A curve interpolated at any size, constant beyond its ends; 0 for a curve without points. */
static double value_at(const struct hitop_curve *c, size_t bytes)
{
    size_t i = 0;

    if (c->npoints == 0) {
        return 0;
    }
    while (i < c->npoints && c->points[i].bytes < bytes) {
        i++;
    }
    if (i == 0 || i == c->npoints) {
        return c->points[i == 0 ? 0 : i - 1].seconds;
    }
    return c->points[i - 1].seconds + (c->points[i].seconds - c->points[i - 1].seconds) *
                                          (double)(bytes - c->points[i - 1].bytes) /
                                          (double)(c->points[i].bytes - c->points[i - 1].bytes);
}

static enum hitop_status plogp_fit(const struct hitop_evidence *e,
                                   const struct hitop_estimators *tools, struct hitop_fit *out,
                                   struct hitop_diag *diag)
{
    const struct hitop_curve *reply = &e->curve[HITOP_REPLY], *train = &e->curve[HITOP_GAP];
    const struct hitop_point *empty = reply->points;
    double g0, error;

    (void)tools;
    if (reply->npoints == 0 || empty->bytes != 0 || train->npoints == 0 ||
        train->points->bytes != 0) {
        return hitop_fail(diag, HITOP_ERR_INVALID,
                          "plogp: the sizes must include 0, for round trips and for trains");
    }
    g0 = fmin(train->points->seconds, 0.5 * empty->seconds);
    error = hypot(0.5 * empty->se, train->points->se);
    fit_store(out, P_L, 0.5 * empty->seconds - g0, error,
              fmax(0, 0.5 * empty->lo - train->points->hi),
              fmax(0.5 * empty->seconds - g0, 0.5 * empty->hi - train->points->lo));
    for (size_t i = 0; i < reply->npoints; i++) {
        double *row = out->table + i * NCOLUMNS;
        const size_t bytes = reply->points[i].bytes;
        row[C_BYTES] = (double)bytes;
        row[C_OS] = value_at(&e->curve[HITOP_SEND_CALL], bytes);
        row[C_OR] = value_at(&e->curve[HITOP_RECEIVE_CALL], bytes);
        row[C_G] = fmax(0, reply->points[i].seconds - empty->seconds + g0);
    }
    out->nrows = reply->npoints;
    for (size_t column = C_OS; column < NCOLUMNS; column++) {
        hitop_table_ascend(out->table, out->nrows, NCOLUMNS, column);
    }
    return HITOP_OK;
}

static void plogp_label(const struct hitop_terms *t, char *out, size_t length)
{
    const double *last = t->table + (t->nrows - 1) * NCOLUMNS;

    hitop_link_label(t->link[P_L] + t->table[C_G],
                     last[C_BYTES] > 0 ? last[C_G] / last[C_BYTES] : 0, out, length);
}

const struct hitop_model_type hitop_model_plogp = {
    .name = "plogp",
    .summary = "T(m) = L + g(m)",
    .params = params,
    .nparams = NPARAMS,
    .columns = columns,
    .ncolumns = NCOLUMNS,
    .p2p = plogp_p2p,
    .occupancy = plogp_occupancy,
    .reception = plogp_reception,
    .send_overhead = send_overhead,
    .receive_overhead = receive_overhead,
    .needs = 1u << HITOP_REPLY | 1u << HITOP_GAP | 1u << HITOP_SEND_CALL | 1u << HITOP_RECEIVE_CALL,
    .fit = plogp_fit,
    .label = plogp_label,
};
