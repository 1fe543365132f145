/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * model_loggp.c - latency, overheads of both sides, gap per message and per byte.
 *
 * Formula:  T(m) = os + L + (m - 1) G + or; the sender is free again after max(os, g + (m - 1)
 *           G), and the receiver is busy for the last max(or, g + (m - 1) G), because the gap
 *           separates receptions, too.
 * Units:    L, os, or and g in seconds, G in seconds per byte.
 * Fit:      os and or are the times of the send and receive calls of an empty message; L = R(0) / 2
 *           - os - or, with R(0) the round trip of empty messages; g is the gap of a train of empty
 *           messages; G is the slope of round trips with an empty answer over the size. If a send
 *           waits for its receiver, both calls last during the whole message: then L is negative,
 *           the time for which the calls overlap, and T(0) = R(0) / 2 still.
 * Source:   A. Alexandrov et al., LogGP: incorporating long messages into the LogP model, SPAA
 *           (1995).
 */
#include <config.h>

#include "models/fit/fit_store.h"
#include "models/formulas/link_label.h"

#include <math.h>

enum { P_L, P_OS, P_OR, P_G, P_BIG_G, NPARAMS };

static const struct hitop_param params[NPARAMS] = {
    [P_L] = {"L", "latency in seconds; negative if calls overlap", 1e-6, -1000, 1000, "s"},
    [P_OS] = {"os", "overhead of sending in seconds", 1e-7, 0, 1000, "s"},
    [P_OR] = {"or", "overhead of receiving in seconds", 1e-7, 0, 1000, "s"},
    [P_G] = {"g", "gap per message in seconds", 5e-7, 0, 1000, "s"},
    [P_BIG_G] = {"G", "gap per byte in seconds", 1e-10, 0, 1, "s/B"},
};

static double bytes_after_first(size_t bytes)
{
    return bytes > 0 ? (double)(bytes - 1) : 0;
}

static double loggp_p2p(const struct hitop_terms *t, size_t bytes)
{
    const double *p = t->link;

    return fmax(0, p[P_OS] + p[P_L] + p[P_OR]) + bytes_after_first(bytes) * p[P_BIG_G];
}

/*
 * Time for which one end is busy: its overhead or the gap, whichever is longer, and no longer than
 * the message takes.
 */
static double busy(const struct hitop_terms *t, double overhead, size_t bytes)
{
    const double gap = t->link[P_G] + bytes_after_first(bytes) * t->link[P_BIG_G];

    return fmin(fmax(overhead, gap), loggp_p2p(t, bytes));
}

static double loggp_occupancy(const struct hitop_terms *t, size_t bytes)
{
    return busy(t, t->link[P_OS], bytes);
}

static double loggp_reception(const struct hitop_terms *t, size_t bytes)
{
    return busy(t, t->link[P_OR], bytes);
}

static const struct hitop_point *empty_message(const struct hitop_curve *c)
{
    return c->npoints > 0 && c->points->bytes == 0 ? c->points : NULL;
}

static void store_point(const struct hitop_fit *out, size_t p, const struct hitop_point *point)
{
    fit_store(out, p, point->seconds, point->se, point->lo, point->hi);
}

static enum hitop_status loggp_fit(const struct hitop_evidence *e,
                                   const struct hitop_estimators *tools, struct hitop_fit *out,
                                   struct hitop_diag *diag)
{
    const struct hitop_point *reply = empty_message(&e->curve[HITOP_REPLY]);
    const struct hitop_point *send = empty_message(&e->curve[HITOP_SEND_CALL]);
    const struct hitop_point *receive = empty_message(&e->curve[HITOP_RECEIVE_CALL]);
    const struct hitop_point *train = empty_message(&e->curve[HITOP_GAP]);
    struct hitop_line line;
    double latency, error;
    enum hitop_status status;

    if (!reply || !send || !receive || !train) {
        return hitop_fail(diag, HITOP_ERR_INVALID,
                          "loggp: the sizes must include 0, for round trips, trains and calls");
    }
    status = tools->line(e->curve[HITOP_REPLY].points, e->curve[HITOP_REPLY].npoints, e->confidence,
                         &line, diag);
    if (status != HITOP_OK) {
        return status;
    }
    latency = 0.5 * reply->seconds - send->seconds - receive->seconds;
    error = hypot(0.5 * reply->se, hypot(send->se, receive->se));
    fit_store(out, P_L, latency, error, 0.5 * reply->lo - send->hi - receive->hi,
              0.5 * reply->hi - send->lo - receive->lo);
    store_point(out, P_OS, send);
    store_point(out, P_OR, receive);
    store_point(out, P_G, train);
    fit_store_slope(out, P_BIG_G, &line);
    return HITOP_OK;
}

static void loggp_label(const struct hitop_terms *t, char *out, size_t length)
{
    hitop_link_label(loggp_p2p(t, 0), t->link[P_BIG_G], out, length);
}

const struct hitop_model_type hitop_model_loggp = {
    .name = "loggp",
    .summary = "T(m) = os + L + (m - 1) G + or",
    .params = params,
    .nparams = NPARAMS,
    .p2p = loggp_p2p,
    .grows = 1,
    .occupancy = loggp_occupancy,
    .reception = loggp_reception,
    .needs = 1u << HITOP_REPLY | 1u << HITOP_GAP | 1u << HITOP_SEND_CALL | 1u << HITOP_RECEIVE_CALL,
    .fit = loggp_fit,
    .label = loggp_label,
};
