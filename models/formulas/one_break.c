/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * one_break.c - the best place for one break in a curve.
 *
 * Idea:    a place is as good as the squared deviations from one fit before it and one behind it
 *          are small; adding points one by one from either end gives them for all places. The best
 *          place is a break if its F statistic, F = ((one - two) / k) / (two / (n - 2 k)) with k
 *          parameters on either side, exceeds the critical value of the largest F.
 * Cost:    O(n).
 * Source:  D. Andrews, Tests for parameter instability and structural change with unknown change
 *          point, Econometrica 61 (1993), for the test; J. Bai and P. Perron, Computation and
 *          analysis of multiple structural change models, Journal of Applied Econometrics 18
 *          (2003).
 */
#include <config.h>

#include "models/fit/scatter_gather.h"

#include "models/fit/moments.h"

#include <math.h>
#include <stdlib.h>

/*
 * Critical values at 5 % of k times the largest F, with at least 15 % of the points on either side:
 * Andrews' table I. The corrigendum, Econometrica 71 (2003), has 8.68 and 11.72; 60000 simulated
 * Brownian bridges of 4000 steps gave 8.76 and 11.76.
 */
static const double critical[] = {[HITOP_BREAK_LEVEL] = 8.85, [HITOP_BREAK_LINE] = 11.79};

static double deviations(const struct moments *m, enum hitop_break_kind kind)
{
    const double explained = kind == HITOP_BREAK_LINE && m->sxx > 0 ? m->sxy * m->sxy / m->sxx : 0;

    return fmax(0, m->syy - explained);
}

/* Squared deviations below this share of the squared values are rounding errors. */
static const double rounding = 1e-13;

static void add_point(struct moments *m, const struct hitop_point *p)
{
    moments_add(m, (double)p->bytes, p->seconds, 1 / (p->se * p->se));
}

static enum hitop_status check(const struct hitop_point *p, size_t n, enum hitop_break_kind kind,
                               struct hitop_diag *diag)
{
    if (n < 2 * ((size_t)kind + 1)) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "break: %zu points, at least %d are needed", n,
                          2 * ((int)kind + 1));
    }
    for (size_t i = 0; i < n; i++) {
        if (!(p[i].se > 0 && isfinite(p[i].se) && isfinite(p[i].seconds))) {
            return hitop_fail(diag, HITOP_ERR_INVALID,
                              "break: the point at %zu bytes is %g s with standard error %g",
                              p[i].bytes, p[i].seconds, p[i].se);
        }
        if (i > 0 && p[i].bytes <= p[i - 1].bytes) {
            return hitop_fail(diag, HITOP_ERR_INVALID, "break: %zu bytes after %zu bytes",
                              p[i].bytes, p[i - 1].bytes);
        }
    }
    return HITOP_OK;
}

/* Fit a constant or a line to points first .. last - 1. */
static void fit(const struct hitop_point *points, size_t first, size_t last,
                enum hitop_break_kind kind, double *a, double *b)
{
    struct moments m = {0};

    for (size_t i = first; i < last; i++) {
        add_point(&m, &points[i]);
    }
    *b = kind == HITOP_BREAK_LINE ? m.sxy / m.sxx : 0;
    *a = m.mean_y - *b * m.mean_x;
}

enum hitop_status hitop_break_find(const struct hitop_point *points, size_t npoints,
                                   enum hitop_break_kind kind, struct hitop_break *out,
                                   struct hitop_diag *diag)
{
    const size_t trimmed = npoints * 15 / 100, fewest = (size_t)kind + 1;
    const size_t margin = trimmed > fewest ? trimmed : fewest;
    const double k = kind, freedom = (double)npoints - 2 * k;
    struct moments before = {0}, behind = {0};
    enum hitop_status status = check(points, npoints, kind, diag);
    double *right;

    *out = (struct hitop_break){.two = HUGE_VAL};
    if (status != HITOP_OK) {
        return status;
    }
    right = calloc(npoints, sizeof(*right));
    if (!right) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "break: out of memory for %zu points", npoints);
    }
    for (size_t i = npoints; i-- > 0;) {
        add_point(&behind, &points[i]);
        right[i] = deviations(&behind, kind);
    }
    for (size_t i = 0; i + margin <= npoints; i++) {
        const double sum = deviations(&before, kind) + right[i];
        if (i >= margin && sum < out->two) {
            out->two = sum;
            out->first = i;
        }
        add_point(&before, &points[i]);
    }
    out->one = right[0];
    free(right);
    out->sup_f = out->two > 0   ? (out->one - out->two) / k / (out->two / freedom)
                 : out->one > 0 ? HUGE_VAL
                                : 0;
    out->found = k * out->sup_f > critical[kind] && out->one > rounding * behind.wyy;
    fit(points, 0, out->first, kind, &out->a[0], &out->b[0]);
    fit(points, out->first, npoints, kind, &out->a[1], &out->b[1]);
    return HITOP_OK;
}
