/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * model_lmo.c - separate costs of processors and of the network.
 *
 * Formula:  T(m) = C_i + L + C_j + m (t_i + beta + t_j); the sender i is free again after C_i + m
 *           t_i, and the receiver j is busy for the last C_j + m t_j. On one host T(m) = L + m
 *           beta, during which both are busy.
 * Units:    C and L in seconds, t and beta in seconds per byte (beta is 1 / beta of the paper,
 *           which has a rate there).
 * Fit:      of a link, its latency and time per byte (line_two_ends.c, unless the caller chooses
 *           another estimator), less the costs of its two processors. Those come from experiments
 *           with three ranks: i sends to j and k; Q is the time until both have answered with an
 *           empty message, R_j and R_k are the times with j or k alone. Then Q(0) = max R(0) +
 *           2 C_i and Q(m) = max R(m) + 2 C_i + m t_i. One fit of all times gives C and t
 *           (lmo_refine.c); with very many processors, medians over triples do. Finally the costs
 *           of two processors are reduced to at most those of a message between them. If empty
 *           sends wait for their receivers, as the times of send calls show, processors cannot be
 *           separated: T(m) = L + m beta, during which both are busy.
 * Source:   A. Lastovetsky, V. Rychkov and M. O'Flynn, Accurate heterogeneous communication models
 *           and a software tool for their efficient estimation, IJHPCA 24 (2010).
 */
#include <config.h>

#include "models/fit/fit_store.h"
#include "models/formulas/link_label.h"

#include "hitop/model.h"

#include <math.h>
#include <stdlib.h>

enum { P_L, P_BETA, NPARAMS };
enum { Q_C, Q_T, NPROCESSOR_PARAMS };

/* Default, minimum, maximum and unit of a parameter. SIZE allows what a table may hold. */
#define SIZE 65536, 0, 1e15, "B"
#define FIXED 1e-4, 0, 1000, "s"
#define PER_BYTE 1e-8, 0, 1, "s/B"

static const struct hitop_param params[NPARAMS] = {
    [P_L] = {"L", "latency of the network in seconds", 1e-6, 0, 1000, "s"},
    [P_BETA] = {"beta", "seconds per byte of the network", 1e-10, 0, 1, "s/B"},
};

static const struct hitop_param processor_params[NPROCESSOR_PARAMS] = {
    [Q_C] = {"C", "time per message in seconds", 1e-7, 0, 1000, "s"},
    [Q_T] = {"t", "time per byte in seconds", 1e-11, 0, 1, "s/B"},
};

static const struct hitop_param collective_params[HITOP_NTHRESHOLDS] = {
    [HITOP_S] = {"S", "size from which one to many takes longer", SIZE},
    [HITOP_M1] = {"M1", "size from which many to one is erratic", SIZE},
    [HITOP_M2] = {"M2", "size from which it is regular again", SIZE},
    [HITOP_SCATTER_SMALL_A] = {"one2many_small_alpha", "one to many below S, seconds", FIXED},
    [HITOP_SCATTER_SMALL_B] = {"one2many_small_beta", "and seconds per byte", PER_BYTE},
    [HITOP_SCATTER_LARGE_A] = {"one2many_large_alpha", "one to many from S on, seconds", FIXED},
    [HITOP_SCATTER_LARGE_B] = {"one2many_large_beta", "and seconds per byte", PER_BYTE},
    [HITOP_GATHER_SMALL_A] = {"many2one_small_alpha", "many to one below M1, seconds", FIXED},
    [HITOP_GATHER_SMALL_B] = {"many2one_small_beta", "and seconds per byte", PER_BYTE},
    [HITOP_GATHER_LARGE_A] = {"many2one_large_alpha", "many to one from M2 on, seconds", FIXED},
    [HITOP_GATHER_LARGE_B] = {"many2one_large_beta", "and seconds per byte", PER_BYTE},
};

/* Cost of both processors; 0 on one host, where a message costs L and beta only. */
static double of_both(const double *from, const double *to, size_t p)
{
    return from && to ? from[p] + to[p] : 0;
}

static double lmo_p2p(const struct hitop_terms *t, size_t bytes)
{
    return of_both(t->from, t->to, Q_C) + t->link[P_L] +
           (double)bytes * (of_both(t->from, t->to, Q_T) + t->link[P_BETA]);
}

static double lmo_occupancy(const struct hitop_terms *t, size_t bytes)
{
    return t->from ? t->from[Q_C] + (double)bytes * t->from[Q_T] : lmo_p2p(t, bytes);
}

static double lmo_reception(const struct hitop_terms *t, size_t bytes)
{
    return t->to ? t->to[Q_C] + (double)bytes * t->to[Q_T] : lmo_p2p(t, bytes);
}

/* Reduce two parameters in proportion so that their sum is at most `sum`. */
static void bound(const struct hitop_fit *from, const struct hitop_fit *to, size_t p, double sum)
{
    const double share = sum / (from->params[p] + to->params[p]);

    if (share < 1) {
        from->params[p] *= share;
        to->params[p] *= share;
        from->lo[p] = fmin(from->lo[p], from->params[p]);
        to->lo[p] = fmin(to->lo[p], to->params[p]);
    }
}

static enum hitop_status lmo_bound_processors(const struct hitop_evidence *e,
                                              const struct hitop_estimators *tools,
                                              const struct hitop_fit *from,
                                              const struct hitop_fit *to, struct hitop_diag *diag)
{
    struct hitop_line line;
    const enum hitop_status status = tools->line(
        e->curve[HITOP_ECHO].points, e->curve[HITOP_ECHO].npoints, e->confidence, &line, diag);

    if (status == HITOP_OK) {
        bound(from, to, Q_C, line.a);
        bound(from, to, Q_T, line.b);
    }
    return status;
}

static enum hitop_status lmo_fit(const struct hitop_evidence *e,
                                 const struct hitop_estimators *tools, struct hitop_fit *out,
                                 struct hitop_diag *diag)
{
    struct hitop_line line;
    double fixed, per_byte;
    enum hitop_status status;

    status = tools->line(e->curve[HITOP_ECHO].points, e->curve[HITOP_ECHO].npoints, e->confidence,
                         &line, diag);
    if (status != HITOP_OK) {
        return status;
    }
    fixed = of_both(e->from, e->to, Q_C);
    per_byte = of_both(e->from, e->to, Q_T);
    fit_store(out, P_L, fmax(0, line.a - fixed), line.a_se, fmax(0, line.a_lo - fixed),
              fmax(0, line.a_hi - fixed));
    fit_store(out, P_BETA, fmax(0, line.b - per_byte), line.b_se, fmax(0, line.b_lo - per_byte),
              fmax(0, line.b_hi - per_byte));
    return HITOP_OK;
}

/* Time of a fan beyond that of the later one of its two replies, at one size. */
static double excess(const struct hitop_triple_evidence *e, size_t size,
                     const struct hitop_estimators *tools, double *error)
{
    const struct hitop_point *fan = &e->fan.points[size];
    const double last = tools->later(&e->reply[0].points[size], &e->reply[1].points[size], error);

    *error = hypot(fan->se, *error);
    return fan->seconds - last;
}

/*
 * Store a value with the interval of a normal distribution: `width` standard errors on either side,
 * not below 0.
 */
static void store_normal(const struct hitop_fit *out, size_t p, double value, double se,
                         double width)
{
    fit_store(out, p, value, se, fmax(0, value - width * se), value + width * se);
}

/*
 * Store the median of n estimates. Its error comes from their spread, and is at least the error of
 * one estimate over sqrt(n), because few estimates can agree by chance.
 */
static void store_median(const struct hitop_fit *out, size_t p, double *estimate, size_t n,
                         double own_error, double confidence, const struct hitop_estimators *tools)
{
    const double median = tools->median(estimate, (int)n);
    const double width = tools->normal_width(confidence);
    double error;

    for (size_t i = 0; i < n; i++) {
        estimate[i] = fabs(estimate[i] - median);
    }
    /*
     * 1.4826: standard deviation over median deviation of a normal distribution; 1.2533: error of
     * its median over error of its mean
     */
    error = 1.4826 * tools->median(estimate, (int)n) * 1.2533 / sqrt((double)n);
    error = fmax(error, own_error / sqrt((double)n));
    store_normal(out, p, fmax(0, median), error, width);
}

static enum hitop_status lmo_fit_processor(const struct hitop_triple_evidence *triples,
                                           size_t ntriples, double confidence,
                                           const struct hitop_estimators *tools,
                                           struct hitop_fit *out, struct hitop_diag *diag)
{
    const struct hitop_curve *fan = &triples->fan;
    const size_t last = fan->npoints - 1;
    const double bytes = fan->npoints > 0 ? (double)fan->points[last].bytes : 0;
    double *estimate, *error;

    if (fan->npoints < 2 || fan->points->bytes != 0) {
        return hitop_fail(diag, HITOP_ERR_INVALID,
                          "lmo: needs messages of 0 bytes and of one other size");
    }
    estimate = calloc(2 * ntriples, sizeof(*estimate));
    if (!estimate) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "lmo: out of memory");
    }
    error = estimate + ntriples;
    for (size_t i = 0; i < ntriples; i++) {
        estimate[i] = excess(&triples[i], 0, tools, &error[i]) / 2;
        error[i] /= 2;
    }
    store_median(out, Q_C, estimate, ntriples, tools->median(error, (int)ntriples), confidence,
                 tools);
    for (size_t i = 0; i < ntriples; i++) {
        estimate[i] = (excess(&triples[i], last, tools, &error[i]) - 2 * out->params[Q_C]) / bytes;
        error[i] = hypot(error[i], 2 * out->se[Q_C]) / bytes;
    }
    store_median(out, Q_T, estimate, ntriples, tools->median(error, (int)ntriples), confidence,
                 tools);
    free(estimate);
    return HITOP_OK;
}

static enum hitop_status lmo_refine_processors(const struct hitop_lmo_times *times, size_t ntimes,
                                               size_t nlinks, double confidence,
                                               const struct hitop_estimators *tools,
                                               struct hitop_fit *fit, size_t n,
                                               struct hitop_diag *diag)
{
    const double width = tools->normal_width(confidence);
    struct hitop_lmo_numbers *processor = calloc(n, sizeof(*processor));
    enum hitop_status status;
    double unlike;

    if (!processor) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "lmo: out of memory");
    }
    status = tools->refine_lmo(times, ntimes, processor, n, nlinks, &unlike, diag);
    for (size_t i = 0; status == HITOP_OK && i < n; i++) {
        const struct hitop_lmo_numbers *p = &processor[i];
        store_normal(&fit[i], Q_C, p->fixed, p->fixed_se, width);
        store_normal(&fit[i], Q_T, p->per_byte, p->per_byte_se, width);
    }
    free(processor);
    return status;
}

static void lmo_label(const struct hitop_terms *t, char *out, size_t length)
{
    hitop_link_label(t->link[P_L], t->link[P_BETA], out, length);
}

const struct hitop_model_type hitop_model_lmo = {
    .name = "lmo",
    .summary = "T(m) = C_i + L + C_j + m (t_i + beta + t_j)",
    .params = params,
    .nparams = NPARAMS,
    .processor_params = processor_params,
    .nprocessor_params = NPROCESSOR_PARAMS,
    .collective_params = collective_params,
    .ncollective_params = HITOP_NTHRESHOLDS,
    .p2p = lmo_p2p,
    .grows = 1,
    .occupancy = lmo_occupancy,
    .reception = lmo_reception,
    .send_overhead = lmo_occupancy,
    .receive_overhead = lmo_reception,
    .needs = 1u << HITOP_ECHO | 1u << HITOP_SEND_CALL,
    .fit = lmo_fit,
    .fit_processor = lmo_fit_processor,
    .refine_processors = lmo_refine_processors,
    .bound_processors = lmo_bound_processors,
    .label = lmo_label,
};
