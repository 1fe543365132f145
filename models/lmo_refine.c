/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lmo_refine.c - all measured times of processors and links in one least-squares fit.
 *
 * Idea:  once it is known which of two answers of a fan comes last, every time is linear in the numbers of
 *        processors and links. So that is assumed from the numbers so far, the weighted squared
 *        deviations of all times are made least, and both repeated until nothing changes. Numbers that
 *        become negative are 0 and leave the fit. What the times leave open keeps its value, because the
 *        change is fitted, with the least norm.
 * Cost:  O(r u^2) for r times and u numbers.
 */
#include <config.h>

#include "hitop/estimate.h"

#include <gsl/gsl_multifit.h>

#include <math.h>
#include <stdlib.h>

enum { MAX_STEPS = 5 };

/* The numbers stand as fixed and per-byte ones of processors, then of links. */
struct problem {
    const struct hitop_lmo_row *row;
    size_t nrows, nprocessors, n;
    double chi_squared;
    double unit; /* of sizes: per-byte numbers are times of so many bytes */
    double *value, *se;
    char *is_zero;
    gsl_matrix *x, *cov;
    gsl_vector *left, *weight, *change;
    gsl_multifit_linear_workspace *work;
};

static size_t of_processor(int index)
{
    return 2 * (size_t)index;
}

static size_t of_link(const struct problem *p, int index)
{
    return 2 * (p->nprocessors + (size_t)index);
}

/* How often each number is in a time, if the answer of to[last] is the last one. */
static void fill_row(const struct problem *p, const struct hitop_lmo_row *r, int last, double *out)
{
    const double x = (double)r->bytes / p->unit;
    const double trips = r->what == HITOP_ECHO ? 1 : 2; /* of the fixed parts */
    const size_t other[] = {of_processor(r->to[last]), of_link(p, r->link[last])};
    const size_t mine = of_processor(r->from);

    for (size_t i = 0; i < p->n; i++) {
        out[i] = 0;
    }
    for (size_t k = 0; k < 2; k++) {
        out[other[k]] += trips;
        out[other[k] + 1] += x;
    }
    out[mine] += r->what == HITOP_FAN ? 4 : trips;
    out[mine + 1] += r->what == HITOP_FAN ? 2 * x : x;
}

static double time_of(const struct problem *p, const double *coefficient)
{
    double sum = 0;

    for (size_t i = 0; i < p->n; i++) {
        sum += coefficient[i] * p->value[i];
    }
    return sum;
}

/* Rows for the numbers so far. */
static void fill(struct problem *p)
{
    for (size_t i = 0; i < p->nrows; i++) {
        const struct hitop_lmo_row *r = &p->row[i];
        double *at = gsl_matrix_ptr(p->x, i, 0);
        double seconds;
        fill_row(p, r, 0, at);
        seconds = time_of(p, at);
        if (r->what == HITOP_FAN) {
            fill_row(p, r, 1, at);
            if (time_of(p, at) < seconds) {
                fill_row(p, r, 0, at);
            } else {
                seconds = time_of(p, at);
            }
        }
        gsl_vector_set(p->left, i, r->seconds - seconds);
        for (size_t k = 0; k < p->n; k++) {
            at[k] = p->is_zero[k] ? 0 : at[k];
        }
    }
}

/* One step; returns the largest change relative to the longest number. Sets those that would be negative to 0,
 * one round at a time, and sets *again when there were any. */
static double step(struct problem *p, int *again)
{
    double most = 0, largest = 0;

    fill(p);
    (void)gsl_multifit_wlinear(p->x, p->weight, p->left, p->change, p->cov, &p->chi_squared,
                               p->work);
    *again = 0;
    for (size_t i = 0; i < p->n; i++) {
        *again = *again || (!p->is_zero[i] && p->value[i] + gsl_vector_get(p->change, i) < 0);
    }
    for (size_t i = 0; i < p->n; i++) {
        const double change = gsl_vector_get(p->change, i);
        if (p->is_zero[i]) {
            continue;
        }
        if (p->value[i] + change < 0) {
            p->value[i] = 0;
            p->is_zero[i] = 1;
        } else if (!*again) {
            p->value[i] += change;
            p->se[i] = sqrt(fmax(0, gsl_matrix_get(p->cov, i, i)));
            most = fmax(most, fabs(change));
            largest = fmax(largest, p->value[i]);
        }
    }
    return largest > 0 ? most / largest : 0;
}

static void settle(struct problem *p)
{
    for (int k = 0, again; k < MAX_STEPS; k += !again) {
        const double change = step(p, &again);
        if (!again && change < 1e-9) {
            break;
        }
    }
}

static enum hitop_status reserve(struct problem *p, struct hitop_diag *diag)
{
    p->value = calloc(p->n, sizeof(double));
    p->se = calloc(p->n, sizeof(double));
    p->is_zero = calloc(p->n, 1);
    p->x = gsl_matrix_alloc(p->nrows, p->n);
    p->cov = gsl_matrix_alloc(p->n, p->n);
    p->left = gsl_vector_alloc(p->nrows);
    p->weight = gsl_vector_alloc(p->nrows);
    p->change = gsl_vector_alloc(p->n);
    p->work = gsl_multifit_linear_alloc(p->nrows, p->n);
    if (!p->value || !p->se || !p->is_zero || !p->x || !p->cov || !p->left || !p->weight ||
        !p->change || !p->work) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "lmo: out of memory for %zu times", p->nrows);
    }
    return HITOP_OK;
}

static void release(struct problem *p)
{
    gsl_multifit_linear_free(p->work);
    gsl_vector_free(p->change);
    gsl_vector_free(p->weight);
    gsl_vector_free(p->left);
    gsl_matrix_free(p->cov);
    gsl_matrix_free(p->x);
    free(p->is_zero);
    free(p->se);
    free(p->value);
}

/* Copy numbers in, with per-byte ones as times. */
static void load(struct problem *p, const struct hitop_lmo_numbers *from, size_t n, size_t first)
{
    for (size_t i = 0; i < n; i++) {
        p->value[first + 2 * i] = from[i].fixed;
        p->value[first + 2 * i + 1] = from[i].per_byte * p->unit;
    }
}

static void store(const struct problem *p, struct hitop_lmo_numbers *to, size_t n, size_t first)
{
    for (size_t i = 0; i < n; i++) {
        to[i].fixed = p->value[first + 2 * i];
        to[i].fixed_se = p->se[first + 2 * i];
        to[i].per_byte = p->value[first + 2 * i + 1] / p->unit;
        to[i].per_byte_se = p->se[first + 2 * i + 1] / p->unit;
    }
}

enum hitop_status hitop_lmo_refine(const struct hitop_lmo_row *rows, size_t nrows,
                                   struct hitop_lmo_numbers *processors, size_t nprocessors,
                                   struct hitop_lmo_numbers *links, size_t nlinks, double *misfit,
                                   struct hitop_diag *diag)
{
    struct problem p = {.row = rows,
                        .nrows = nrows,
                        .nprocessors = nprocessors,
                        .n = 2 * (nprocessors + nlinks),
                        .unit = 1};
    enum hitop_status status;

    *misfit = HUGE_VAL;
    if (nrows < p.n || p.n == 0) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "lmo: %zu times do not determine %zu numbers",
                          nrows, p.n);
    }
    status = reserve(&p, diag);
    for (size_t i = 0; status == HITOP_OK && i < nrows; i++) {
        if (!(rows[i].se > 0 && isfinite(rows[i].se) && isfinite(rows[i].seconds))) {
            status =
                hitop_fail(diag, HITOP_ERR_INVALID, "lmo: a time of %g s with standard error %g",
                           rows[i].seconds, rows[i].se);
        } else {
            gsl_vector_set(p.weight, i, 1 / (rows[i].se * rows[i].se));
            p.unit = fmax(p.unit, (double)rows[i].bytes);
        }
    }
    if (status == HITOP_OK) {
        load(&p, processors, nprocessors, 0);
        load(&p, links, nlinks, 2 * nprocessors);
        settle(&p);
        *misfit = p.chi_squared / (double)(nrows > p.n ? nrows - p.n : 1);
        store(&p, processors, nprocessors, 0);
        store(&p, links, nlinks, 2 * nprocessors);
    }
    release(&p);
    return status;
}
