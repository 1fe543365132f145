/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * segments.c - the best number of straight lines through consecutive points, at the best places.
 *
 * Idea:    the best line through points i..j costs its squared deviations in units of the points'
 *          own standard errors, which adding one point at a time gives for all i and j. Dynamic
 *          programming then finds the best places for 1, 2, 3 ... lines: a true optimum. The number
 *          of lines is that with the smallest cost plus 1.5 (3 k - 1) ln n, because the noise is
 *          known; if even the best lines leave three times that noise, it is not known; then the
 *          criterion of Liu, Wu and Zidek, which does not need it, decides.
 * Cost:    O(n^2) for all lines, O(k n^2) for their places.
 * Source:  J. Bai and P. Perron, Computation and analysis of multiple structural change models,
 *          Journal of Applied Econometrics 18 (2003); J. Liu, S. Wu and J. Zidek, On segmented
 *          multivariate regression, Statistica Sinica 7 (1997).
 */
#include <config.h>

#include "models/fit/estimate.h"

#include "models/fit/moments.h"

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

/*
 * The problem: costs of all stretches, best cost of the first points with k lines, and where the
 * last of these begins.
 */
struct plan {
    size_t n, ncurves, fewest;
    double *stretch;                   /* [n][n], upper half; of all curves together */
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

/*
 * Sizes in units of the largest, times in units of the longest, so that numbers are of one
 * magnitude.
 */
static void add_stretches(struct plan *p, const struct hitop_point *points)
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
            p->stretch[i * p->n + j] += j - i + 1 >= p->fewest ? cost(&m) : HUGE_VAL;
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

/* The number of parameters: slopes and intercepts of k lines of each curve, and their places. */
static double freedom(const struct plan *p, size_t k)
{
    return 2.0 * (double)(k * p->ncurves) + (double)k - 1;
}

/* Points of all curves. */
static double count(const struct plan *p)
{
    return (double)(p->n * p->ncurves);
}

static double known_noise(const struct plan *p, double f, size_t k)
{
    return f + 1.5 * freedom(p, k) * log(count(p));
}

static double unknown_noise(const struct plan *p, double f, size_t k)
{
    return count(p) * log(fmax(f, 1e-12) / count(p)) +
           0.299 * freedom(p, k) * pow(log(count(p)), 2.1);
}

static size_t choose_by(const struct plan *p,
                        double (*criterion)(const struct plan *p, double f, size_t k))
{
    double least = HUGE_VAL;
    size_t chosen = 1;

    for (size_t k = 1; k <= HITOP_MAX_SEGMENTS; k++) {
        const double f = p->best[k - 1][p->n - 1];
        if (isfinite(f) && criterion(p, f, k) < least) {
            least = criterion(p, f, k);
            chosen = k;
        }
    }
    return chosen;
}

static size_t choose(const struct plan *p)
{
    const size_t k = choose_by(p, known_noise);
    const double left = count(p) - freedom(p, k);

    return left > 0 && p->best[k - 1][p->n - 1] / left > 3 ? choose_by(p, unknown_noise) : k;
}

/* Where each line begins, from the last one back. */
static void walk_back(const struct plan *p, size_t k, size_t *first)
{
    size_t last = p->n - 1;

    for (size_t s = k; s-- > 0; last = first[s] - 1) {
        first[s] = s > 0 ? p->begin[s][last] : 0;
    }
}

static enum hitop_status check_sizes(const struct hitop_curve *curves, size_t ncurves,
                                     struct hitop_diag *diag)
{
    for (size_t c = 0; c < ncurves; c++) {
        if (curves[c].npoints != curves[0].npoints) {
            return hitop_fail(diag, HITOP_ERR_INVALID,
                              "segments: a curve of %zu sizes beside one of %zu", curves[c].npoints,
                              curves[0].npoints);
        }
        for (size_t i = 0; i < curves[c].npoints; i++) {
            const size_t bytes = curves[c].points[i].bytes;
            if (i > 0 && bytes <= curves[c].points[i - 1].bytes) {
                return hitop_fail(diag, HITOP_ERR_INVALID, "segments: %zu bytes after %zu bytes",
                                  bytes, curves[c].points[i - 1].bytes);
            }
            if (bytes != curves[0].points[i].bytes) {
                return hitop_fail(diag, HITOP_ERR_INVALID,
                                  "segments: %zu bytes where another curve has %zu", bytes,
                                  curves[0].points[i].bytes);
            }
        }
    }
    return HITOP_OK;
}

enum hitop_status hitop_segments_together(const struct hitop_curve *curves, size_t ncurves,
                                          size_t fewest, size_t *first, size_t *nsegments,
                                          struct hitop_diag *diag)
{
    struct plan p = {
        .n = ncurves > 0 ? curves[0].npoints : 0, .ncurves = ncurves, .fewest = fewest};
    enum hitop_status status = check_sizes(curves, ncurves, diag);

    *nsegments = 1;
    first[0] = 0;
    if (status != HITOP_OK || p.n < 2 * fewest) {
        return status;
    }
    if (!reserve(&p)) {
        status = hitop_fail(diag, HITOP_ERR_NOMEM, "segments: out of memory for %zu points", p.n);
    } else {
        for (size_t c = 0; c < ncurves; c++) {
            add_stretches(&p, curves[c].points);
        }
        place(&p);
        *nsegments = choose(&p);
        walk_back(&p, *nsegments, first);
    }
    release(&p);
    return status;
}

enum hitop_status hitop_segments(const struct hitop_point *points, size_t npoints,
                                 double confidence, struct hitop_segment *out, size_t *nsegments,
                                 struct hitop_diag *diag)
{
    const struct hitop_curve curve = {points, npoints};
    size_t first[HITOP_MAX_SEGMENTS];
    enum hitop_status status =
        hitop_segments_together(&curve, 1, MIN_POINTS, first, nsegments, diag);

    for (size_t s = 0; s < *nsegments && status == HITOP_OK; s++) {
        const size_t end = s + 1 < *nsegments ? first[s + 1] : npoints;
        out[s].first = first[s];
        out[s].last = end - 1;
        status =
            hitop_line_robust(points + first[s], end - first[s], confidence, &out[s].line, diag);
    }
    return status;
}
