/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lmo_refine.c - all measured times of processors and links in one least-squares fit.
 *
 * Idea:  once it is known which of two answers of a fan comes last, every time is linear in the
 *        numbers of processors and links. Two deviations are random: that of each link from its
 *        group, and that of each processor from the mean of all; the times determine the spread of
 *        both. If links are alike, replies distinguish processors; if not, only the difference
 *        between a fan and its last answer over the same link does; and processors that noise hides
 *        count as like the others.
 * Cost:  O(r + u^3) for r times and u numbers, some forty times.
 * Source:  R. C. Paule and J. Mandel, Consensus values and weighting factors, J. Res. NBS 87
 *          (1982); D. MacKay, Bayesian interpolation, Neural Computation 4 (1992).
 */
#include <config.h>

#include "models/fit/lmo_equations.h"

#include "models/fit/estimate.h"

#include <math.h>
#include <stdlib.h>

/*
 * Limits of the deviation of links from their group, relative to their times; and a deviation with
 * which the mean of a link has nearly no weight.
 */
static const double least_unlike = 1e-6, most_unlike = 1, any_unlike = 10;

/* A relative error of a time that counts as none. */
static const double exact = 1e-4;

/* A time so many standard errors off counts less. */
static const double far_off = 2.5;

enum { BISECTIONS = 20, REPEATS = 6 };

/* The equations, and how far each time is from its own link, in standard errors. */
struct search {
    struct lmo_equations e;
    double *deviation; /* [rows] */
};

/*
 * Update the spread of processors: the observed spread over the number of processors that the times
 * determine.
 */
static void update_spread(struct lmo_equations *e)
{
    for (size_t which = 0; which < 2; which++) {
        const size_t mean = hitop_lmo_mean_index(e, which);
        const double before = e->spread[which] * e->spread[which];
        double seen = 0, known = 0;
        for (size_t i = which; i < 2 * e->nprocessors; i += 2) {
            const double variance = gsl_matrix_get(e->normal, i, i) +
                                    gsl_matrix_get(e->normal, mean, mean) -
                                    2 * gsl_matrix_get(e->normal, i, mean);
            const double d = e->value[i] - e->value[mean];
            seen += d * d;
            known += fmax(0, 1 - variance / before);
        }
        e->spread[which] = known > 0 ? sqrt(seen / known) : 0;
        e->spread[which] = fmax(e->spread[which], exact * fabs(e->value[mean]) + 1e-15);
    }
}

/*
 * How far the links are from their groups, in squared standard errors; and how far each time is
 * then from its own link, in standard errors.
 */
static double compare(struct search *s)
{
    const struct lmo_equations *e = &s->e;
    const struct lmo_row *r = e->rows->row;
    double sum = 0;

    for (size_t first = 0, end; first < e->rows->n; first = end) {
        const double unlike = hitop_lmo_unlike(e, &r[first]);
        double total = 0, mean = 0, shift;
        end = hitop_lmo_rows_end_of_link(e->rows, first);
        for (size_t i = first; i < end; i++) {
            total += hitop_lmo_weight(e, &r[i]);
            mean += hitop_lmo_weight(e, &r[i]) * hitop_lmo_residual(e, &r[i]);
        }
        shift = mean / (total + 1 / (unlike * unlike));
        mean /= total;
        sum += mean * mean / (1 / total + unlike * unlike);
        for (size_t i = first; i < end; i++) {
            s->deviation[i] =
                fabs(hitop_lmo_residual(e, &r[i]) - shift) / (sqrt(e->scale) * r[i].se);
        }
    }
    return sum;
}

static double evaluate(struct search *s)
{
    double sum;

    hitop_lmo_equations_solve(&s->e);
    update_spread(&s->e);
    sum = compare(s);
    for (size_t i = 0; i < s->e.rows->n; i++) {
        s->e.rows->row[i].trust = fmin(1, far_off / fmax(s->deviation[i], 1e-9));
    }
    return sum;
}

/* Scale the standard errors to the scatter of the times of one link. */
static void find_scale(struct search *s)
{
    const size_t n = s->e.rows->n, used = s->e.rows->nlinks + 2 * s->e.nprocessors;
    double sigma;

    s->e.unlike = any_unlike;
    for (int k = 0; k < REPEATS; k++) {
        (void)evaluate(s);
    }
    if (n <= used) {
        return;
    }
    sigma = 1.4826 * hitop_median_of(s->deviation, (int)n);
    s->e.scale = fmax(exact * exact, sigma * sigma * (double)n / (double)(n - used));
}

/* Find the spread of links that explains their observed deviations from their groups. */
static void find_unlike(struct search *s)
{
    const size_t ngroups = 2 * s->e.nlinks, nlinks = s->e.rows->nlinks;
    const double wanted = nlinks > ngroups ? (double)(nlinks - ngroups) : 1;
    double low = log(least_unlike), high = log(most_unlike);

    s->e.unlike = least_unlike;
    for (int k = 0; k < REPEATS; k++) {
        if (evaluate(s) <= wanted && k > 0) {
            return;
        }
    }
    for (int k = 0; k < BISECTIONS; k++) {
        const double middle = 0.5 * (low + high);
        s->e.unlike = exp(middle);
        if (evaluate(s) > wanted) {
            low = middle;
        } else {
            high = middle;
        }
    }
}

/* Numbers that would be negative are 0 and leave the fit; the mean over processors may be. */
static void settle(struct search *s)
{
    int again = 1;

    for (int k = 0; again || k < REPEATS; k++) {
        (void)evaluate(s);
        again = 0;
        for (size_t i = 0; i < hitop_lmo_mean_index(&s->e, 0); i++) {
            if (s->e.value[i] < 0) {
                s->e.value[i] = 0;
                s->e.is_zero[i] = 1;
                again = 1;
            }
        }
    }
}

/* Standard error of a number; that of a number that was set to 0 is the spread of processors. */
static double error_of(const struct lmo_equations *e, size_t at)
{
    return e->is_zero[at] ? e->spread[at % 2] : sqrt(gsl_matrix_get(e->normal, at, at));
}

static void store(const struct lmo_equations *e, struct hitop_lmo_numbers *to)
{
    for (size_t i = 0; i < e->nprocessors; i++) {
        const size_t at = 2 * i;
        const double unit = e->rows->unit;
        to[i].fixed = e->value[at];
        to[i].fixed_se = error_of(e, at);
        to[i].per_byte = e->value[at + 1] / unit;
        to[i].per_byte_se = error_of(e, at + 1) / unit;
    }
}

/* Find all numbers. */
static enum hitop_status find(struct search *s, struct hitop_diag *diag)
{
    const size_t nrows = s->e.rows->n;

    if (nrows < s->e.n) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "lmo: %zu times do not determine %zu numbers",
                          nrows, s->e.n);
    }
    s->deviation = calloc(nrows, sizeof(double));
    if (!s->deviation) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "lmo: out of memory for %zu times", nrows);
    }
    find_scale(s);
    find_unlike(s);
    settle(s);
    return HITOP_OK;
}

enum hitop_status hitop_lmo_refine(const struct hitop_lmo_times *times, size_t ntimes,
                                   struct hitop_lmo_numbers *processors, size_t nprocessors,
                                   size_t nlinks, double *unlike, struct hitop_diag *diag)
{
    struct lmo_rows rows = {0};
    struct search s = {0};
    enum hitop_status status = hitop_lmo_rows_fill(times, ntimes, &rows, diag);

    *unlike = 0;
    if (status == HITOP_OK) {
        status = hitop_lmo_equations_init(&s.e, &rows, nprocessors, nlinks, diag);
    }
    if (status == HITOP_OK) {
        status = find(&s, diag);
    }
    if (status == HITOP_OK) {
        store(&s.e, processors);
        *unlike = s.e.unlike;
    }
    free(s.deviation);
    hitop_lmo_equations_clear(&s.e);
    hitop_lmo_rows_clear(&rows);
    return status;
}
