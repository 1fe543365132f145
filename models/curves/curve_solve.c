/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * curve_solve.c - the sum of terms with factors above 0 that is nearest to measured times.
 *
 * Idea:    weighted least squares; a point whose deviation is large compared with the typical one
 *          weighs less, so that few outliers do little harm (Huber). With at most four terms, all
 *          sets of terms are tried: the best sum without negative factors is the least-squares sum
 *          of one of them.
 * Cost:    15 small problems of linear algebra, a few times each.
 * Source:  C. Lawson and R. Hanson, Solving Least Squares Problems (1974), 23, for the conditions;
 *          P. Huber, Robust statistics (1981), 7, for the weights.
 */
#include <config.h>

#include "models/curves/curve_fit.h"

#include "models/fit/estimate.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_multifit.h>

#include <math.h>
#include <stdlib.h>

enum { STEPS = 12 };

/*
 * tuning: 95 % efficiency of least squares with normal errors; normal_mad: standard deviation over
 * median deviation.
 */
static const double tuning = 1.345, normal_mad = 1.4826;

/* Smallest singular value over the largest that linearly independent terms have. */
static const double tolerance = 1e-9;

struct solver {
    size_t capacity;
    gsl_multifit_linear_workspace *work;
    double *rows;                              /* [room][HITOP_FIT_MAX_TERMS] */
    double *weights, *times, *residual, *sort; /* [room] each */
};

struct solver *hitop_solver_create(size_t max_points)
{
    struct solver *s = calloc(1, sizeof(*s));

    if (!s) {
        return NULL;
    }
    s->capacity = max_points > HITOP_FIT_MAX_TERMS ? max_points : HITOP_FIT_MAX_TERMS;
    s->rows = calloc(s->capacity, (HITOP_FIT_MAX_TERMS + 4) * sizeof(double));
    s->work = gsl_multifit_linear_alloc(s->capacity, HITOP_FIT_MAX_TERMS);
    if (!s->rows || !s->work) {
        hitop_solver_free(s);
        return NULL;
    }
    s->weights = s->rows + s->capacity * HITOP_FIT_MAX_TERMS;
    s->times = s->weights + s->capacity;
    s->residual = s->times + s->capacity;
    s->sort = s->residual + s->capacity;
    return s;
}

void hitop_solver_free(struct solver *s)
{
    if (s) {
        if (s->work) {
            gsl_multifit_linear_free(s->work);
        }
        free(s->rows);
        free(s);
    }
}

/* A problem of so many points and terms, in the solver's memory, and its solution. */
struct problem {
    size_t n, p;
    double unit[HITOP_FIT_MAX_TERMS]; /* largest value of each term: columns of one magnitude */
    double unit_time;
    double factor[HITOP_FIT_MAX_TERMS], cov[HITOP_FIT_MAX_TERMS * HITOP_FIT_MAX_TERMS];
    double typical; /* deviation, in standard errors; at least 1 */
    double loss;
};

static void fill(struct solver *s, const struct timed_point *points, const struct term_set *set,
                 struct problem *q)
{
    q->unit_time = 0;
    for (size_t i = 0; i < q->n; i++) {
        q->unit_time = fmax(q->unit_time, points[i].seconds);
    }
    for (size_t k = 0; k < q->p; k++) {
        q->unit[k] = 0;
        for (size_t i = 0; i < q->n; i++) {
            s->rows[i * q->p + k] = set->term[k]->value((double)points[i].bytes, points[i].ranks);
            q->unit[k] = fmax(q->unit[k], s->rows[i * q->p + k]);
        }
        for (size_t i = 0; q->unit[k] > 0 && i < q->n; i++) {
            s->rows[i * q->p + k] /= q->unit[k];
        }
    }
    for (size_t i = 0; i < q->n; i++) {
        const double se = points[i].se / q->unit_time;
        s->times[i] = points[i].seconds / q->unit_time;
        s->weights[i] = 1 / (se * se);
    }
}

/* 0 where the terms are linearly dependent. */
static int solve_weighted(struct solver *s, struct problem *q)
{
    gsl_matrix_view rows = gsl_matrix_view_array(s->rows, q->n, q->p);
    gsl_vector_view weights = gsl_vector_view_array(s->weights, q->n);
    gsl_vector_view times = gsl_vector_view_array(s->times, q->n);
    gsl_vector_view factor = gsl_vector_view_array(q->factor, q->p);
    gsl_matrix_view cov = gsl_matrix_view_array(q->cov, q->p, q->p);
    double chi_squared;
    size_t rank;

    return gsl_multifit_wlinear_tsvd(&rows.matrix, &weights.vector, &times.vector, tolerance,
                                     &factor.vector, &cov.matrix, &chi_squared, &rank,
                                     s->work) == 0 &&
           rank == q->p;
}

/* Deviations in standard errors, and their typical size. */
static void find_residuals(struct solver *s, const struct timed_point *points, struct problem *q)
{
    for (size_t i = 0; i < q->n; i++) {
        double sum = 0;
        for (size_t k = 0; k < q->p; k++) {
            sum += s->rows[i * q->p + k] * q->factor[k];
        }
        s->residual[i] = (s->times[i] - sum) * q->unit_time / points[i].se;
        s->sort[i] = fabs(s->residual[i]);
    }
    q->typical = fmax(1, normal_mad * hitop_median_of(s->sort, (int)q->n));
}

/* Huber's loss: quadratic near 0, linear beyond. */
static void find_loss(const struct solver *s, struct problem *q)
{
    const double edge = tuning * q->typical;

    q->loss = 0;
    for (size_t i = 0; i < q->n; i++) {
        const double r = fabs(s->residual[i]);
        q->loss += r <= edge ? r * r : edge * (2 * r - edge);
    }
}

static int solve_robust(struct solver *s, const struct timed_point *points, struct problem *q)
{
    for (int step = 0; step < STEPS; step++) {
        const double before = q->loss;
        if (!solve_weighted(s, q)) {
            return 0;
        }
        find_residuals(s, points, q);
        find_loss(s, q);
        if (step > 0 && fabs(q->loss - before) <= 1e-6 * q->loss) {
            break;
        }
        for (size_t i = 0; i < q->n; i++) {
            const double se = points[i].se / q->unit_time, r = fabs(s->residual[i]);
            s->weights[i] = fmin(1, tuning * q->typical / fmax(r, 1e-300)) / (se * se);
        }
    }
    return 1;
}

/* Deviations beyond the standard errors widen the intervals. */
static void report(const struct problem *q, const struct term_set *set, double confidence,
                   struct hitop_fit_piece *out)
{
    const double freedom = (double)(q->n - q->p);
    const double scale = freedom > 0 ? sqrt(fmax(1, q->loss / freedom)) : 1;
    const double width = freedom > 0 ? gsl_cdf_tdist_Pinv(0.5 + 0.5 * confidence, freedom)
                                     : gsl_cdf_ugaussian_Pinv(0.5 + 0.5 * confidence);

    out->width = width;
    out->deviation = scale;
    for (size_t k = 0; k < q->p; k++) {
        const double unit = q->unit_time / q->unit[k];
        const double half = width * scale * sqrt(fmax(0, q->cov[k * q->p + k]));
        out->term[k] = (struct hitop_fit_coefficient){
            set->term[k], q->factor[k] * unit,
            fmax(set->may_fall ? -HUGE_VAL : 0, q->factor[k] - half) * unit,
            (q->factor[k] + half) * unit};
        for (size_t l = 0; l < q->p; l++) {
            out->covariance[k][l] =
                scale * scale * q->cov[k * q->p + l] * unit * q->unit_time / q->unit[l];
        }
    }
    out->nterms = (int)q->p;
}

static void find_range(const struct timed_point *points, size_t n, struct hitop_fit_piece *out)
{
    out->min_bytes = out->max_bytes = n > 0 ? points[0].bytes : 0;
    for (size_t i = 0; i < n; i++) {
        out->min_bytes = points[i].bytes < out->min_bytes ? points[i].bytes : out->min_bytes;
        out->max_bytes = points[i].bytes > out->max_bytes ? points[i].bytes : out->max_bytes;
    }
}

int hitop_solve_all_of(struct solver *s, const struct timed_point *points, size_t n,
                       const struct term_set *set, double confidence, struct hitop_fit_piece *out,
                       double *loss)
{
    struct problem q = {.n = n, .p = (size_t)set->n};

    *out = (struct hitop_fit_piece){.nterms = 0};
    find_range(points, n, out);
    if (q.p == 0 || n < q.p || n > s->capacity) {
        return 0;
    }
    fill(s, points, set, &q);
    if (!solve_robust(s, points, &q)) {
        return 0;
    }
    for (size_t k = 0; k < q.p; k++) {
        if (!(q.unit[k] > 0 && isfinite(q.factor[k]) && (q.factor[k] > 0 || set->may_fall))) {
            return 0;
        }
    }
    report(&q, set, confidence, out);
    *loss = q.loss;
    return 1;
}

struct term_set hitop_term_subset(const struct term_set *set, unsigned bits)
{
    struct term_set out = {.may_fall = set->may_fall};

    for (int k = 0; k < set->n; k++) {
        if (bits >> k & 1) {
            out.term[out.n++] = set->term[k];
        }
    }
    return out;
}

int hitop_solve_some_of(struct solver *s, const struct timed_point *points, size_t n,
                        const struct term_set *set, double confidence, struct hitop_fit_piece *out)
{
    double least = HUGE_VAL;

    *out = (struct hitop_fit_piece){.nterms = 0};
    find_range(points, n, out);
    for (unsigned bits = 1; bits < 1u << set->n; bits++) {
        const struct term_set some = hitop_term_subset(set, bits);
        struct hitop_fit_piece piece;
        double loss;
        if (hitop_solve_all_of(s, points, n, &some, confidence, &piece, &loss) && loss < least) {
            least = loss;
            *out = piece;
        }
    }
    return out->nterms > 0;
}
