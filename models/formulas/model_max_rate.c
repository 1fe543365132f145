/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * model_max_rate.c - a message shares the rate of its hosts with messages of other ranks.
 *
 * Formula:  T(m) = latency + m / min(node_rate / k, core_rate) while k pairs of ranks of the two
 *           hosts exchange messages; k = 1 for one message. Sender and receiver are busy during
 *           T(m), because a core copies the bytes itself.
 * Units:    latency in seconds, rates in bytes per second.
 * Fit:      times of several numbers of concurrent pairs (max_rate.c); a line where hosts have one
 *           rank. If the hosts limit at no measured number, node_rate is a lower bound without a
 *           standard error; if they limit one pair already, core_rate is.
 * Use:      hosts of many cores, one of which cannot fill the network.
 * Source:   see max_rate.c.
 */
#include <config.h>

#include "models/fit/fit_store.h"
#include "models/formulas/link_label.h"

#include <math.h>

enum { P_LATENCY, P_CORE_RATE, P_NODE_RATE, NPARAMS };

static const double highest_rate = 1e15;

static const struct hitop_param params[NPARAMS] = {
    [P_LATENCY] = {"latency", "latency in seconds", 1e-6, 0, 1000, "s"},
    [P_CORE_RATE] = {"core_rate", "bytes per second of one pair of ranks", 5e9, 1, 1e15, "B/s"},
    [P_NODE_RATE] = {"node_rate", "bytes per second of all pairs of ranks of two hosts", 12e9, 1,
                     1e15, "B/s"},
};

static double seconds_per_byte(const double *p)
{
    return fmax(1 / p[P_CORE_RATE], 1 / p[P_NODE_RATE]);
}

static double max_rate_p2p(const struct hitop_terms *t, size_t bytes)
{
    return t->link[P_LATENCY] + (double)bytes * seconds_per_byte(t->link);
}

/* Without a standard error the value is a lower bound. */
static void store_rate(const struct hitop_fit *out, size_t p, double rate, double se, double width)
{
    const double hi = isnan(se) ? highest_rate : rate + width * se;

    fit_store(out, p, rate, se, isnan(se) ? rate : fmax(0, rate - width * se), hi);
}

/* Hosts with one rank each: fit a line, whose rate is a lower bound of that of the hosts. */
static enum hitop_status fit_one_pair(const struct hitop_evidence *e,
                                      const struct hitop_estimators *tools, struct hitop_fit *out,
                                      struct hitop_diag *diag)
{
    const struct hitop_curve *echo = &e->curve[HITOP_ECHO];
    struct hitop_line line;
    enum hitop_status status =
        tools->robust_line(echo->points, echo->npoints, e->confidence, &line, diag);
    double rate;

    if (status != HITOP_OK) {
        return status;
    }
    rate = line.b > 0 ? fmin(1 / line.b, highest_rate) : highest_rate;
    fit_store_intercept(out, P_LATENCY, &line);
    fit_store(out, P_CORE_RATE, rate, line.b > 0 ? line.b_se * rate * rate : NAN,
              line.b_hi > 0 ? fmin(1 / line.b_hi, rate) : rate,
              line.b_lo > 0 ? fmin(1 / line.b_lo, highest_rate) : highest_rate);
    store_rate(out, P_NODE_RATE, rate, NAN, 0);
    return HITOP_OK;
}

static enum hitop_status max_rate_fit(const struct hitop_evidence *e,
                                      const struct hitop_estimators *tools, struct hitop_fit *out,
                                      struct hitop_diag *diag)
{
    const double width = tools->normal_width(e->confidence);
    struct hitop_max_rate found;
    enum hitop_status status;

    if (e->nsets == 0) {
        return fit_one_pair(e, tools, out, diag);
    }
    status = tools->max_rate(e->pair_sets, e->nsets, &found, diag);
    if (status != HITOP_OK) {
        return status;
    }
    fit_store(out, P_LATENCY, found.latency, found.latency_se,
              fmax(0, found.latency - width * found.latency_se),
              found.latency + width * found.latency_se);
    store_rate(out, P_CORE_RATE, found.core_rate, found.core_se, width);
    store_rate(out, P_NODE_RATE, found.node_rate, found.node_se, width);
    return HITOP_OK;
}

static void max_rate_label(const struct hitop_terms *t, char *out, size_t length)
{
    hitop_link_label(t->link[P_LATENCY], seconds_per_byte(t->link), out, length);
}

const struct hitop_model_type hitop_model_max_rate = {
    .name = "max_rate",
    .summary = "T(m) = latency + m / min(node_rate / k, core_rate) for k pairs at once",
    .params = params,
    .nparams = NPARAMS,
    .p2p = max_rate_p2p,
    .grows = 1,
    .needs = 1u << HITOP_ECHO,
    .needs_pair_sets = 1,
    .fit = max_rate_fit,
    .label = max_rate_label,
};
