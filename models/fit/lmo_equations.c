/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lmo_equations.c - least-squares equations for the numbers of processors and links.
 *
 * Idea:  each time of a triple is the time of one link: the sum of multiples of numbers, of the
 *        deviation of the link from its group, and of noise. The times of one link share its
 *        deviation. So the noise alone weighs their differences; noise and deviation weigh their
 *        mean.
 */
#include <config.h>

#include "models/fit/lmo_equations.h"

#include "hitop/status.h"

#include <gsl/gsl_linalg.h>

#include <math.h>
#include <stdlib.h>

static int compare_pairs(const struct lmo_row *x, const struct lmo_row *y)
{
    for (int k = 0; k < 2; k++) {
        if (x->pair[k] != y->pair[k]) {
            return x->pair[k] < y->pair[k] ? -1 : 1;
        }
    }
    return (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

static int compare_rows(const void *a, const void *b)
{
    const struct lmo_row *x = a, *y = b;
    const int order = compare_pairs(x, y);

    if (order != 0) {
        return order;
    }
    if (x->leader != y->leader) {
        return x->leader < y->leader ? -1 : 1;
    }
    return (x->seconds > y->seconds) - (x->seconds < y->seconds);
}

static int is_time(const struct hitop_lmo_time *t)
{
    return t->se > 0 && isfinite(t->se) && isfinite(t->seconds);
}

static void add_row(struct lmo_rows *rows, const struct hitop_lmo_times *t, int other, int leader,
                    const struct hitop_lmo_time *time)
{
    const int to = t->to[other];

    rows->row[rows->n++] =
        (struct lmo_row){.pair = {t->from < to ? t->from : to, t->from < to ? to : t->from},
                         .link = t->link[other],
                         .bytes = t->bytes,
                         .leader = leader,
                         .seconds = time->seconds,
                         .se = time->se,
                         .trust = 1};
    rows->unit = fmax(rows->unit, (double)t->bytes);
    rows->longest = fmax(rows->longest, time->seconds);
}

enum hitop_status hitop_lmo_rows_fill(const struct hitop_lmo_times *times, size_t ntimes,
                                      struct lmo_rows *out, struct hitop_diag *diag)
{
    *out = (struct lmo_rows){
        .row = calloc(3 * ntimes + 1, sizeof(*out->row)), .unit = 1, .longest = 1e-12};
    if (!out->row) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "lmo: out of memory for %zu times", 3 * ntimes);
    }
    for (size_t i = 0; i < ntimes; i++) {
        const struct hitop_lmo_times *t = &times[i];
        const struct hitop_lmo_time *all[] = {&t->fan, &t->reply[0], &t->reply[1]};
        for (size_t k = 0; k < 3; k++) {
            if (!is_time(all[k])) {
                return hitop_fail(diag, HITOP_ERR_INVALID,
                                  "lmo: a time of %g s with standard error %g", all[k]->seconds,
                                  all[k]->se);
            }
        }
        add_row(out, t, 0, -1, &t->reply[0]);
        add_row(out, t, 1, -1, &t->reply[1]);
        add_row(out, t, t->reply[1].seconds > t->reply[0].seconds, t->from, &t->fan);
    }
    qsort(out->row, out->n, sizeof(*out->row), compare_rows);
    for (size_t i = 0; i < out->n; i = hitop_lmo_rows_end_of_link(out, i)) {
        out->nlinks++;
    }
    return HITOP_OK;
}

void hitop_lmo_rows_clear(struct lmo_rows *rows)
{
    free(rows->row);
    *rows = (struct lmo_rows){0};
}

size_t hitop_lmo_rows_end_of_link(const struct lmo_rows *rows, size_t first)
{
    size_t end = first + 1;

    while (end < rows->n && compare_pairs(&rows->row[first], &rows->row[end]) == 0) {
        end++;
    }
    return end;
}

static size_t of_link(const struct lmo_equations *e, int index)
{
    return 2 * (e->nprocessors + (size_t)index);
}

size_t hitop_lmo_mean_index(const struct lmo_equations *e, size_t which)
{
    return 2 * (e->nprocessors + e->nlinks) + which;
}

/* Least seconds of a message. */
static const double instant = 1e-12;

/* The numbers in a time, and the factor of each. */
enum { PARTS = 6 };

struct parts {
    size_t at[PARTS];
    double much[PARTS];
};

static struct parts parts_of(const struct lmo_equations *e, const struct lmo_row *r)
{
    const double x = (double)r->bytes / e->rows->unit;
    const size_t first[] = {2 * (size_t)r->pair[0], 2 * (size_t)r->pair[1], of_link(e, r->link)};
    struct parts parts;

    for (size_t k = 0; k < 3; k++) {
        const int leads = k < 2 && r->leader == r->pair[k] ? 2 : 1;
        parts.at[2 * k] = first[k];
        parts.at[2 * k + 1] = first[k] + 1;
        parts.much[2 * k] = 2 * leads;
        parts.much[2 * k + 1] = x * leads;
    }
    return parts;
}

double hitop_lmo_residual(const struct lmo_equations *e, const struct lmo_row *r)
{
    const struct parts parts = parts_of(e, r);
    double seconds = r->seconds;

    for (size_t k = 0; k < PARTS; k++) {
        seconds -= parts.much[k] * e->value[parts.at[k]];
    }
    return seconds;
}

double hitop_lmo_weight(const struct lmo_equations *e, const struct lmo_row *r)
{
    return r->trust / (e->scale * r->se * r->se);
}

double hitop_lmo_unlike(const struct lmo_equations *e, const struct lmo_row *r)
{
    return e->unlike * fmax(r->seconds, instant);
}

static void add(gsl_matrix *m, size_t i, size_t j, double value)
{
    *gsl_matrix_ptr(m, i, j) += value;
}

/* Add a time to the equations: the sum of numbers with factors `much`, with weight w. */
static void add_time(struct lmo_equations *e, const size_t *at, const double *much, double seconds,
                     double w)
{
    for (size_t k = 0; k < PARTS; k++) {
        for (size_t l = 0; l < PARTS; l++) {
            add(e->normal, at[k], at[l], w * much[k] * much[l]);
        }
        *gsl_vector_ptr(e->right, at[k]) += w * much[k] * seconds;
    }
}

/*
 * Add the times of one link at one size, which share the deviation of the link from its group:
 * their differences from their mean, weighted by the noise, and the mean, weighted by noise and
 * deviation.
 */
static void add_link(struct lmo_equations *e, size_t first, size_t end)
{
    const struct lmo_row *r = e->rows->row;
    const double unlike = hitop_lmo_unlike(e, &r[first]);
    double much[PARTS] = {0}, seconds = 0, total = 0;

    for (size_t i = first; i < end; i++) {
        const struct parts parts = parts_of(e, &r[i]);
        const double w = hitop_lmo_weight(e, &r[i]);
        total += w;
        seconds += w * (r[i].seconds - seconds) / total;
        for (size_t k = 0; k < PARTS; k++) {
            much[k] += w * (parts.much[k] - much[k]) / total;
        }
    }
    for (size_t i = first; i < end; i++) {
        struct parts parts = parts_of(e, &r[i]);
        for (size_t k = 0; k < PARTS; k++) {
            parts.much[k] -= much[k];
        }
        add_time(e, parts.at, parts.much, r[i].seconds - seconds, hitop_lmo_weight(e, &r[i]));
    }
    add_time(e, parts_of(e, &r[first]).at, much, seconds, 1 / (1 / total + unlike * unlike));
}

/* Add that processors scatter around their mean. */
static void add_processors(struct lmo_equations *e)
{
    for (size_t i = 0; i < 2 * e->nprocessors; i++) {
        const size_t mean = hitop_lmo_mean_index(e, i % 2);
        const double w = 1 / (e->spread[i % 2] * e->spread[i % 2]);
        add(e->normal, i, i, w);
        add(e->normal, mean, mean, w);
        add(e->normal, i, mean, -w);
        add(e->normal, mean, i, -w);
    }
}

/*
 * Remove the numbers that are not free from the equations, and scale the others to a diagonal of
 * slightly more than 1, so that a number that the times do not determine is no failure.
 */
static void prepare(struct lmo_equations *e)
{
    for (size_t i = 0; i < e->n; i++) {
        const double d = gsl_matrix_get(e->normal, i, i);
        gsl_vector_set(e->size, i, e->is_zero[i] || d <= 0 ? 0 : 1 / sqrt(d));
    }
    for (size_t i = 0; i < e->n; i++) {
        for (size_t k = 0; k < e->n; k++) {
            *gsl_matrix_ptr(e->normal, i, k) *=
                gsl_vector_get(e->size, i) * gsl_vector_get(e->size, k);
        }
        gsl_matrix_set(e->normal, i, i, 1 + 1e-12);
        *gsl_vector_ptr(e->right, i) *= gsl_vector_get(e->size, i);
    }
}

void hitop_lmo_equations_solve(struct lmo_equations *e)
{
    gsl_matrix_set_zero(e->normal);
    gsl_vector_set_zero(e->right);
    for (size_t i = 0, end; i < e->rows->n; i = end) {
        end = hitop_lmo_rows_end_of_link(e->rows, i);
        add_link(e, i, end);
    }
    add_processors(e);
    prepare(e);
    (void)gsl_linalg_cholesky_decomp1(e->normal);
    (void)gsl_linalg_cholesky_svx(e->normal, e->right);
    (void)gsl_linalg_cholesky_invert(e->normal);
    for (size_t i = 0; i < e->n; i++) {
        const double size = gsl_vector_get(e->size, i);
        e->value[i] = gsl_vector_get(e->right, i) * size;
        for (size_t k = 0; k < e->n; k++) {
            *gsl_matrix_ptr(e->normal, i, k) *= size * gsl_vector_get(e->size, k);
        }
    }
}

enum hitop_status hitop_lmo_equations_init(struct lmo_equations *e, struct lmo_rows *rows,
                                           size_t nprocessors, size_t nlinks,
                                           struct hitop_diag *diag)
{
    *e = (struct lmo_equations){.rows = rows,
                                .nprocessors = nprocessors,
                                .nlinks = nlinks,
                                .n = 2 * (nprocessors + nlinks) + 2,
                                .scale = 1,
                                .spread = {rows->longest, rows->longest}};
    e->value = calloc(e->n, sizeof(double));
    e->is_zero = calloc(e->n, 1);
    e->normal = gsl_matrix_alloc(e->n, e->n);
    e->right = gsl_vector_alloc(e->n);
    e->size = gsl_vector_alloc(e->n);
    return e->value && e->is_zero && e->normal && e->right && e->size
               ? HITOP_OK
               : hitop_fail(diag, HITOP_ERR_NOMEM, "lmo: out of memory for %zu numbers", e->n);
}

void hitop_lmo_equations_clear(struct lmo_equations *e)
{
    gsl_vector_free(e->size);
    gsl_vector_free(e->right);
    gsl_matrix_free(e->normal);
    free(e->is_zero);
    free(e->value);
}
