/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * max_rate.c - fit the rate of one pair of ranks and the rate of all pairs of two hosts together.
 *
 * Idea:    T(k, m) = a + m max(u, k v) for k pairs, with u = 1 / rate of a pair and v = 1 / rate of
 *          the hosts. T is linear in a, u and v once the number of pairs from which the hosts limit
 *          is known. Each possible number is tried: with the hosts limiting beyond it, and with
 *          both limits equal at it (u = k v). The solution with the least weighted squared
 *          deviation is therefore the exact minimum. Each limit adds a penalty, as in segments.c,
 *          and is dropped if it reduces the deviation by less.
 * Cost:    O(d n) for n points of d numbers of pairs.
 * Source:  W. Gropp, L. Olson and P. Samfass, Modeling MPI communication performance on SMP nodes:
 *          is it time to retire the ping pong test, EuroMPI (2016).
 */
#include <config.h>

#include "models/fit/estimate.h"

#include <gsl/gsl_multifit.h>

#include <math.h>
#include <stdint.h>

enum { A, U, V, NUNKNOWNS };

/*
 * The rate of each pair limits up to `last` pairs, the rate of the hosts beyond. is_even: both
 * limits are equal at `last`.
 */
struct regime {
    double last;
    int is_even;     /* u = last v */
    int has_latency; /* else a = 0 */
};

/* A solution; unknowns that the regime does not determine are 0. */
struct guess {
    double value[NUNKNOWNS], var[NUNKNOWNS], cov_uv;
    double cost;
};

struct problem {
    const struct hitop_pair_set *set;
    size_t nsets, n;
    double unit; /* of sizes, in bytes */
    gsl_matrix *rows, *cov;
    gsl_vector *times, *weights, *unknowns;
    gsl_multifit_linear_workspace *work;
};

/* Coefficients of u and v in the time per unit of size. */
static void parts(const struct regime *r, double pairs, double *u, double *v)
{
    *u = !r->is_even && pairs <= r->last ? 1 : 0;
    *v = r->is_even ? fmax(pairs, r->last) : pairs > r->last ? pairs : 0;
}

/* Sum of weighted squared deviations from T(k, m), in any regime. */
static double deviations(const struct problem *p, const double *value)
{
    double sum = 0;

    for (size_t c = 0; c < p->nsets; c++) {
        const double slope = fmax(value[U], p->set[c].pairs * value[V]);
        for (size_t i = 0; i < p->set[c].curve.npoints; i++) {
            const struct hitop_point *at = &p->set[c].curve.points[i];
            const double x = (double)at->bytes / p->unit;
            const double d = (at->seconds - value[A] - slope * x) / at->se;
            sum += d * d;
        }
    }
    return sum;
}

static struct guess solve(const struct problem *p, const struct regime *r)
{
    struct guess g = {.cost = 0};
    int is_in[NUNKNOWNS] = {[A] = r->has_latency};
    double chi_squared, u, v;
    size_t row = 0;

    for (size_t c = 0; c < p->nsets; c++) {
        parts(r, p->set[c].pairs, &u, &v);
        is_in[U] = is_in[U] || u > 0;
        is_in[V] = is_in[V] || v > 0;
        for (size_t i = 0; i < p->set[c].curve.npoints; i++, row++) {
            const double x = (double)p->set[c].curve.points[i].bytes / p->unit;
            gsl_matrix_set(p->rows, row, A, r->has_latency);
            gsl_matrix_set(p->rows, row, U, u * x);
            gsl_matrix_set(p->rows, row, V, v * x);
        }
    }
    /* GSL uses singular values, so that a column of zeros is allowed */
    (void)gsl_multifit_wlinear(p->rows, p->weights, p->times, p->unknowns, p->cov, &chi_squared,
                               p->work);
    for (size_t i = 0; i < NUNKNOWNS; i++) {
        g.value[i] = is_in[i] ? gsl_vector_get(p->unknowns, i) : 0;
        g.var[i] = is_in[i] ? gsl_matrix_get(p->cov, i, i) : 0;
    }
    g.cov_uv = is_in[U] && is_in[V] ? gsl_matrix_get(p->cov, U, V) : 0;
    if (r->is_even) {
        g.value[U] = r->last * g.value[V];
        g.var[U] = r->last * r->last * g.var[V];
        g.cov_uv = r->last * g.var[V];
    }
    g.cost =
        deviations(p, g.value) + 1.5 * log((double)p->n) * ((g.value[U] > 0) + (g.value[V] > 0));
    if (g.value[A] < 0 || g.value[U] < 0 || g.value[V] < 0 || g.value[U] + g.value[V] <= 0) {
        g.cost = HUGE_VAL;
    }
    return g;
}

static struct guess find_best(const struct problem *p)
{
    struct guess best = {.cost = HUGE_VAL};

    for (size_t c = 0; c <= p->nsets; c++) { /* c = 0: hosts limit one pair */
        const double last = c > 0 ? p->set[c - 1].pairs : 0;
        for (int is_even = 0; is_even < 1 + (c > 0); is_even++) {
            for (int has_latency = 0; has_latency < 2; has_latency++) {
                const struct regime r = {last, is_even, has_latency};
                const struct guess g = solve(p, &r);
                if (g.cost < best.cost) {
                    best = g;
                }
            }
        }
    }
    return best;
}

/*
 * Convert to bytes and seconds. A rate that limits at no measured number of pairs is only known to
 * be at least the value; its standard error is NaN.
 */
static void report(const struct problem *p, const struct guess *g, struct hitop_max_rate *out)
{
    const double u = g->value[U] / p->unit, v = g->value[V] / p->unit;
    const double u_se = sqrt(g->var[U]) / p->unit, v_se = sqrt(g->var[V]) / p->unit;
    const double most = p->set[p->nsets - 1].pairs;

    out->latency = g->value[A];
    out->latency_se = sqrt(g->var[A]);
    out->core_se = out->node_se = out->pairs_se = NAN;
    if (u > 0) {
        out->core_rate = 1 / u;
        out->core_se = u_se / (u * u);
    }
    if (v > 0) {
        out->node_rate = 1 / v;
        out->node_se = v_se / (v * v);
    }
    if (u > 0 && v > 0) {
        const double both = g->cov_uv / (p->unit * p->unit) / (u * v);
        const double variance = u_se * u_se / (u * u) + v_se * v_se / (v * v) - 2 * both;
        out->pairs = u / v;
        out->pairs_se = out->pairs * sqrt(fmax(0, variance));
    } else if (u > 0) {
        out->node_rate = most * out->core_rate;
        out->pairs = most;
    } else {
        out->core_rate = out->node_rate;
        out->pairs = 1;
    }
}

static enum hitop_status check(const struct hitop_pair_set *set, size_t nsets, size_t *n,
                               double *unit, struct hitop_diag *diag)
{
    size_t smallest = SIZE_MAX;

    *n = 0;
    *unit = 1;
    for (size_t c = 0; c < nsets; c++) {
        if (set[c].pairs < 1 || (c > 0 && set[c].pairs <= set[c - 1].pairs)) {
            return hitop_fail(diag, HITOP_ERR_INVALID,
                              "max_rate: %d pairs; numbers of pairs must ascend from 1 or more",
                              set[c].pairs);
        }
        for (size_t i = 0; i < set[c].curve.npoints; i++, (*n)++) {
            const struct hitop_point *p = &set[c].curve.points[i];
            if (!(p->se > 0 && isfinite(p->se) && isfinite(p->seconds))) {
                return hitop_fail(diag, HITOP_ERR_INVALID,
                                  "max_rate: the point at %zu bytes is %g s with standard error %g",
                                  p->bytes, p->seconds, p->se);
            }
            *unit = fmax(*unit, (double)p->bytes);
            smallest = p->bytes < smallest ? p->bytes : smallest;
        }
    }
    if (nsets < 2 || *n < 4 || (double)smallest == *unit) {
        return hitop_fail(
            diag, HITOP_ERR_INVALID,
            "max_rate: needs times of two numbers of pairs and two sizes at least; has "
            "%zu of %zu",
            *n, nsets);
    }
    return HITOP_OK;
}

enum hitop_status hitop_max_rate(const struct hitop_pair_set *pair_sets, size_t nsets,
                                 struct hitop_max_rate *out, struct hitop_diag *diag)
{
    struct problem p = {.set = pair_sets, .nsets = nsets};
    enum hitop_status status = check(pair_sets, nsets, &p.n, &p.unit, diag);
    struct guess best;
    size_t row = 0;

    *out = (struct hitop_max_rate){0};
    if (status != HITOP_OK) {
        return status;
    }
    p.rows = gsl_matrix_alloc(p.n, NUNKNOWNS);
    p.cov = gsl_matrix_alloc(NUNKNOWNS, NUNKNOWNS);
    p.times = gsl_vector_alloc(p.n);
    p.weights = gsl_vector_alloc(p.n);
    p.unknowns = gsl_vector_alloc(NUNKNOWNS);
    p.work = gsl_multifit_linear_alloc(p.n, NUNKNOWNS);
    if (!p.rows || !p.cov || !p.times || !p.weights || !p.unknowns || !p.work) {
        status = hitop_fail(diag, HITOP_ERR_NOMEM, "max_rate: out of memory for %zu points", p.n);
        goto out;
    }
    for (size_t c = 0; c < nsets; c++) {
        for (size_t i = 0; i < pair_sets[c].curve.npoints; i++, row++) {
            const struct hitop_point *at = &pair_sets[c].curve.points[i];
            gsl_vector_set(p.times, row, at->seconds);
            gsl_vector_set(p.weights, row, 1 / (at->se * at->se));
        }
    }
    best = find_best(&p);
    if (isfinite(best.cost)) {
        report(&p, &best, out);
    } else {
        status = hitop_fail(diag, HITOP_ERR_INVALID, "max_rate: times do not rise with sizes");
    }

out:
    gsl_multifit_linear_free(p.work);
    gsl_vector_free(p.unknowns);
    gsl_vector_free(p.weights);
    gsl_vector_free(p.times);
    gsl_matrix_free(p.cov);
    gsl_matrix_free(p.rows);
    return status;
}
