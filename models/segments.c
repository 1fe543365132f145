/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * segments.c - as many straight lines as the points ask for, at the best places.
 *
 * Idea:    the best line through points i..j costs its squared deviations in units of the points' own
 *          standard errors, which adding one point at a time gives for all i and j. Dynamic
 *          programming then finds the best places for 1, 2, 3 ... lines: a true optimum. The number
 *          of lines is that with the smallest cost plus 1.5 (3 k - 1) ln n, because the noise is
 *          known; where even the best lines leave three times that noise, it is not, and the
 *          criterion of Liu, Wu and Zidek, which needs none, decides.
 * Cost:    O(n^2) for all lines, O(k n^2) for their places.
 * Source:  J. Bai and P. Perron, Computation and analysis of multiple structural change models, Journal
 *          of Applied Econometrics 18 (2003); J. Liu, S. Wu and J. Zidek, On segmented multivariate
 *          regression, Statistica Sinica 7 (1997).
 */
#include <config.h>

#include "hitop/estimate.h"

#include "moments.h"

#include <math.h>
#include <stdlib.h>

/* A line of fewer points would fit anything. */
enum { MIN_POINTS = 4 };

/* Squared deviations from the best line with neither a negative slope nor a negative intercept. */
static double cost(const struct moments *m)
{
    const double b = m->sxx > 0 ? m->sxy / m->sxx : 0;

    if (!(b > 0)) {
        return m->syy;
    }
    if (m->mean_y - b * m->mean_x < 0) {
        return fmax(0, m->wyy - m->wxy * m->wxy / m->wxx);
    }
    return fmax(0, m->syy - b * m->sxy);
}

/* The problem: costs of all stretches, best cost of the first points with k lines, and where the last
 * of these begins. */
struct plan {
    size_t n;
    double *stretch;                   /* [n][n], upper half */
    double *best[HITOP_MAX_SEGMENTS];  /* [n] */
    size_t *begin[HITOP_MAX_SEGMENTS]; /* [n] */
};

static void release(struct plan *p)
{
    free(p->stretch);
    for (size_t k = 0; k < HITOP_MAX_SEGMENTS; k++) {
        free(p->best[k]);
        free(p->begin[k]);
    }
}

static int reserve(struct plan *p)
{
    p->stretch = calloc(p->n, p->n * sizeof(double));
    for (size_t k = 0; k < HITOP_MAX_SEGMENTS; k++) {
        p->best[k] = calloc(p->n, sizeof(double));
        p->begin[k] = calloc(p->n, sizeof(size_t));
        if (!p->best[k] || !p->begin[k]) {
            return 0;
        }
    }
    return p->stretch != NULL;
}

/* Sizes in units of the largest, times in units of the longest, so that numbers are of one magnitude. */
static void price_stretches(struct plan *p, const struct hitop_point *points)
{
    const double unit_x = fmax(1, (double)points[p->n - 1].bytes);
    double unit_y = 1e-300;

    for (size_t i = 0; i < p->n; i++) {
        unit_y = fmax(unit_y, points[i].seconds);
    }
    for (size_t i = 0; i < p->n; i++) {
        struct moments m = {0};
        for (size_t j = i; j < p->n; j++) {
            const double error = points[j].se / unit_y;
            moments_add(&m, (double)points[j].bytes / unit_x, points[j].seconds / unit_y,
                        1 / (error * error));
            p->stretch[i * p->n + j] = j - i + 1 >= MIN_POINTS ? cost(&m) : HUGE_VAL;
        }
    }
}

static void place(struct plan *p)
{
    for (size_t j = 0; j < p->n; j++) {
        p->best[0][j] = p->stretch[j];
    }
    for (size_t k = 1; k < HITOP_MAX_SEGMENTS; k++) {
        for (size_t j = 0; j < p->n; j++) {
            p->best[k][j] = HUGE_VAL;
            for (size_t i = 1; i <= j; i++) {
                const double sum = p->best[k - 1][i - 1] + p->stretch[i * p->n + j];
                if (sum < p->best[k][j]) {
                    p->best[k][j] = sum;
                    p->begin[k][j] = i;
                }
            }
        }
    }
}

/* Slopes, intercepts and places of k lines. */
static double freedom(size_t k)
{
    return 3.0 * (double)k - 1;
}

static double known_noise(double f, size_t n, size_t k)
{
    return f + 1.5 * freedom(k) * log((double)n);
}

static double unknown_noise(double f, size_t n, size_t k)
{
    return (double)n * log(fmax(f, 1e-12) / (double)n) +
           0.299 * freedom(k) * pow(log((double)n), 2.1);
}

static size_t choose_by(const struct plan *p, double (*criterion)(double f, size_t n, size_t k))
{
    double least = HUGE_VAL;
    size_t chosen = 1;

    for (size_t k = 1; k <= HITOP_MAX_SEGMENTS; k++) {
        const double f = p->best[k - 1][p->n - 1];
        if (isfinite(f) && criterion(f, p->n, k) < least) {
            least = criterion(f, p->n, k);
            chosen = k;
        }
    }
    return chosen;
}

static size_t choose(const struct plan *p)
{
    const size_t k = choose_by(p, known_noise);
    const double left = (double)p->n - freedom(k);

    return left > 0 && p->best[k - 1][p->n - 1] / left > 3 ? choose_by(p, unknown_noise) : k;
}

static enum hitop_status draw_lines(const struct plan *p, const struct hitop_point *points,
                                    double confidence, size_t k, struct hitop_segment *out,
                                    struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;
    size_t last = p->n - 1;

    for (size_t s = k; s-- > 0 && status == HITOP_OK;) {
        const size_t first = s > 0 ? p->begin[s][last] : 0;
        out[s].first = first;
        out[s].last = last;
        status =
            hitop_line_robust(points + first, last - first + 1, confidence, &out[s].line, diag);
        last = first - 1;
    }
    return status;
}

enum hitop_status hitop_segments(const struct hitop_point *points, size_t npoints,
                                 double confidence, struct hitop_segment *out, size_t *nsegments,
                                 struct hitop_diag *diag)
{
    struct plan p = {.n = npoints};
    enum hitop_status status;

    *nsegments = 1;
    for (size_t i = 1; i < npoints; i++) {
        if (points[i].bytes <= points[i - 1].bytes) {
            return hitop_fail(diag, HITOP_ERR_INVALID, "segments: %zu bytes after %zu bytes",
                              points[i].bytes, points[i - 1].bytes);
        }
    }
    if (npoints < 2 * MIN_POINTS) {
        out[0].first = 0;
        out[0].last = npoints - 1;
        return hitop_line_robust(points, npoints, confidence, &out[0].line, diag);
    }
    if (!reserve(&p)) {
        status =
            hitop_fail(diag, HITOP_ERR_NOMEM, "segments: out of memory for %zu points", npoints);
    } else {
        price_stretches(&p, points);
        place(&p);
        *nsegments = choose(&p);
        status = draw_lines(&p, points, confidence, *nsegments, out, diag);
    }
    release(&p);
    return status;
}
