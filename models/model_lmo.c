/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * model_lmo.c - what processors cost, told apart from what the network costs.
 *
 * Formula:  T(m) = C_i + L + C_j + m (t_i + beta + t_j); the sender i is free again after C_i + m t_i.
 * Units:    C and L in seconds, t and beta in seconds per byte (beta is 1 / beta of the paper, which
 *           has a rate there).
 * Fit:      the latency and the time per byte of the link (two_ends.h) less what its processors take,
 *           which comes from experiments with three processors.
 * Source:   A. Lastovetsky, V. Rychkov and M. O'Flynn, Accurate heterogeneous communication models and
 *           a software tool for their efficient estimation, IJHPCA 24 (2010).
 */
#include <config.h>

#include "fit_store.h"
#include "link_label.h"
#include "two_ends.h"

#include <math.h>

enum { P_L, P_BETA, NPARAMS };
enum { Q_C, Q_T, NPROCESSOR_PARAMS };

static const struct hitop_param params[NPARAMS] = {
    [P_L] = {"L", "latency of the network in seconds", 1e-6, 0, 1000},
    [P_BETA] = {"beta", "seconds per byte of the network", 1e-10, 0, 1},
};

static const struct hitop_param processor_params[NPROCESSOR_PARAMS] = {
    [Q_C] = {"C", "time per message in seconds", 1e-7, 0, 1000},
    [Q_T] = {"t", "time per byte in seconds", 1e-11, 0, 1},
};

static double lmo_p2p(const struct hitop_terms *t, size_t bytes)
{
    return t->from[Q_C] + t->link[P_L] + t->to[Q_C] +
           (double)bytes * (t->from[Q_T] + t->link[P_BETA] + t->to[Q_T]);
}

static double lmo_occupancy(const struct hitop_terms *t, size_t bytes)
{
    return t->from[Q_C] + (double)bytes * t->from[Q_T];
}

static enum hitop_status lmo_fit(const struct hitop_evidence *e,
                                 const struct hitop_estimators *tools, struct hitop_fit *out,
                                 struct hitop_diag *diag)
{
    struct hitop_line line;
    double fixed, per_byte;
    enum hitop_status status;

    if (!e->from || !e->to) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "lmo: the processors are not known");
    }
    status = fit_two_ends(&e->curve[HITOP_ECHO], e->confidence, tools, &line, diag);
    if (status != HITOP_OK) {
        return status;
    }
    fixed = e->from[Q_C] + e->to[Q_C];
    per_byte = e->from[Q_T] + e->to[Q_T];
    fit_store(out, P_L, fmax(0, line.a - fixed), line.a_se, fmax(0, line.a_lo - fixed),
              fmax(0, line.a_hi - fixed));
    fit_store(out, P_BETA, fmax(0, line.b - per_byte), line.b_se, fmax(0, line.b_lo - per_byte),
              fmax(0, line.b_hi - per_byte));
    return HITOP_OK;
}

static void lmo_label(const struct hitop_terms *t, char *out, size_t length)
{
    link_label(t->link[P_L], t->link[P_BETA], out, length);
}

const struct hitop_model_type hitop_model_lmo = {
    .name = "lmo",
    .summary = "T(m) = C_i + L + C_j + m (t_i + beta + t_j)",
    .params = params,
    .nparams = NPARAMS,
    .processor_params = processor_params,
    .nprocessor_params = NPROCESSOR_PARAMS,
    .p2p = lmo_p2p,
    .occupancy = lmo_occupancy,
    .needs = 1u << HITOP_ECHO,
    .fit = lmo_fit,
    .label = lmo_label,
};
