/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lines.c - ways to draw a line through the times of messages of several sizes, by name.
 *
 * least-squares:  each point weighs by its own precision: a second opinion on line_robust.c. Where
 *                 the two differ, the points are not on one line or some of them are bad.
 * ordinary:       all points have one weight, to compare with old reports only. Deviations count in
 *                 seconds, so that the longest messages decide; a negative latency becomes 0. The
 *                 errors are from the scatter of the points about the line; two points have none.
 * bisquare:       the line of least squares of the points near the robust line. A point has weight
 *                 (1 - u^2)^2, where u is its deviation over 4.685 times the typical deviation, and
 *                 nothing beyond; the line with those weights gives new deviations, and so on.
 *                 Deviations are in units of the robust line: in units of the measured times, a bad
 *                 point would look good. gsl_multifit_robust() is of no use: it begins with least
 *                 squares, which bad points bend, and calls GSL's error handler, which ends the
 *                 program, when its steps do not converge.
 * two-ends:       the intercept of the messages that take at most 1.25 times the fastest time, and
 *                 the slope of those that take at least eight times this time; at least three
 *                 points for either. A change of protocol or of cache between the two affects
 *                 neither.
 * two-point:      the smallest and the largest size: a quick look, and what older tools did.
 *
 * Source:  A. Beaton and J. Tukey, The fitting of power series, Technometrics 16 (1974); P. Huber,
 *          Robust statistics (1981), 7.6, for the standard errors; A. Lastovetsky, V. Rychkov,
 *          M. O'Flynn, MPIBlib: benchmarking MPI communications for parallel computing on
 *          homogeneous and heterogeneous clusters, EuroPVM/MPI (2008), for two points.
 */
#include <config.h>

#include "models/fit/estimate.h"

#include "hitop/text.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_fit.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * Intercept and slope are never negative; their errors are normal, z: half width of intervals in
 * standard errors.
 */
static struct hitop_line line_normal(double a, double a_se, double b, double b_se, double z)
{
    return (struct hitop_line){.a = fmax(a, 0),
                               .a_se = a_se,
                               .a_lo = fmax(a - z * a_se, 0),
                               .a_hi = fmax(a + z * a_se, 0),
                               .b = fmax(b, 0),
                               .b_se = b_se,
                               .b_lo = fmax(b - z * b_se, 0),
                               .b_hi = fmax(b + z * b_se, 0)};
}

/* The failure of points of one size. */
static enum hitop_status fail_sizes(size_t npoints, struct hitop_diag *diag)
{
    return hitop_fail(diag, HITOP_ERR_INVALID,
                      "line: %zu points have fewer than two different sizes", npoints);
}

/* Sizes in units of the largest, so that the sums stay of one magnitude. */
static double fill_sizes(const struct hitop_point *points, size_t n, double *x, double *y,
                         double *w)
{
    double unit = 1;

    for (size_t i = 0; i < n; i++) {
        unit = fmax(unit, (double)points[i].bytes);
    }
    for (size_t i = 0; i < n; i++) {
        x[i] = (double)points[i].bytes / unit;
        y[i] = points[i].seconds;
        w[i] = 1 / (points[i].se * points[i].se);
    }
    return unit;
}

enum hitop_status hitop_line_least_squares(const struct hitop_point *points, size_t npoints,
                                           double confidence, struct hitop_line *out,
                                           struct hitop_diag *diag)
{
    const double z = gsl_cdf_ugaussian_Pinv(0.5 + 0.5 * confidence);
    const enum hitop_status status = hitop_line_check(points, npoints, diag);
    double a, b, cov_aa, cov_ab, cov_bb, chi_squared, unit;
    double *x = NULL;

    *out = (struct hitop_line){0};
    if (status != HITOP_OK) {
        return status;
    }
    x = calloc(npoints, 3 * sizeof(*x));
    if (!x) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "line: out of memory for %zu points", npoints);
    }
    unit = fill_sizes(points, npoints, x, x + npoints, x + 2 * npoints);
    (void)gsl_fit_wlinear(x, 1, x + 2 * npoints, 1, x + npoints, 1, npoints, &a, &b, &cov_aa,
                          &cov_ab, &cov_bb, &chi_squared);
    free(x);
    *out = line_normal(a, sqrt(cov_aa), b / unit, sqrt(cov_bb) / unit, z);
    return HITOP_OK;
}

/* Student's quantile; 0 for two points, which show no scatter. */
static double half_width(size_t npoints, double confidence)
{
    return npoints > 2 ? gsl_cdf_tdist_Pinv(0.5 + 0.5 * confidence, (double)npoints - 2) : 0;
}

enum hitop_status hitop_line_ordinary(const struct hitop_point *points, size_t npoints,
                                      double confidence, struct hitop_line *out,
                                      struct hitop_diag *diag)
{
    double *x = calloc(npoints + 1, 2 * sizeof(*x)), *y = x + npoints;
    double a, b, cov_aa, cov_ab, cov_bb, rss;
    size_t different = 0;

    *out = (struct hitop_line){0};
    if (!x) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "line: out of memory for %zu points", npoints);
    }
    for (size_t i = 0; i < npoints; i++) {
        x[i] = (double)points[i].bytes;
        y[i] = points[i].seconds;
        different += points[i].bytes != points[0].bytes;
    }
    if (different == 0) {
        free(x);
        return fail_sizes(npoints, diag);
    }
    (void)gsl_fit_linear(x, 1, y, 1, npoints, &a, &b, &cov_aa, &cov_ab, &cov_bb, &rss);
    free(x);
    *out = line_normal(a, npoints > 2 ? sqrt(cov_aa) : 0, b, npoints > 2 ? sqrt(cov_bb) : 0,
                       half_width(npoints, confidence));
    return HITOP_OK;
}

/*
 * With fewer points than FEWEST there is no typical deviation. MAX_STEPS is far more than are
 * needed.
 */
enum { FEWEST = 5, MAX_STEPS = 50 };

/*
 * For normal deviations: a constant that gives 95 % of the precision of least squares; standard
 * deviation over median deviation.
 */
static const double tuning = 4.685, normal_mad = 1.4826;

/* Below this, relative to the times, deviations are rounding errors. */
static const double rounding = 1e-9;

/* Points in units of the largest size, each time with the scale of its deviations. */
struct problem {
    size_t n;
    double *x, *y, *scale, *weight, *work; /* [n] each */
    double a, b;
    double typical; /* deviation of a good point, in scales */
};

static double deviation(const struct problem *p, size_t i)
{
    return (p->y[i] - p->a - p->b * p->x[i]) / p->scale[i];
}

static double bisquare(double u)
{
    return fabs(u) < 1 ? (1 - u * u) * (1 - u * u) : 0;
}

static void find_typical(struct problem *p)
{
    for (size_t i = 0; i < p->n; i++) {
        p->work[i] = fabs(deviation(p, i));
    }
    p->typical = fmax(normal_mad * hitop_median_of(p->work, (int)p->n), rounding);
}

/* The covariance of a and b is that of points of deviation 1. */
static void fit_line(struct problem *p, double cov[3])
{
    double chi_squared;

    (void)gsl_fit_wlinear(p->x, 1, p->weight, 1, p->y, 1, p->n, &p->a, &p->b, &cov[0], &cov[1],
                          &cov[2], &chi_squared);
}

static void settle(struct problem *p)
{
    double cov[3];

    for (int step = 0; step < MAX_STEPS; step++) {
        const double a = p->a, b = p->b;
        find_typical(p);
        for (size_t i = 0; i < p->n; i++) {
            p->weight[i] =
                bisquare(deviation(p, i) / (tuning * p->typical)) / (p->scale[i] * p->scale[i]);
        }
        fit_line(p, cov);
        if (!isfinite(p->a) || !isfinite(p->b)) { /* the good points are of one size */
            p->a = a;
            p->b = b;
            break;
        }
        if (fabs(p->a - a) <= 1e-10 * fabs(a) && fabs(p->b - b) <= 1e-10 * fabs(b)) {
            break;
        }
    }
}

/*
 * Variance of a deviation for the standard errors of the line (Huber, 7.6): the mean square of r
 * times the bisquare weight of r, over the squared mean of the derivative of this product.
 */
static double effective_variance(const struct problem *p)
{
    double squares = 0, slopes = 0;

    for (size_t i = 0; i < p->n; i++) {
        const double r = deviation(p, i), u = r / (tuning * p->typical);
        const double counts = r * bisquare(u);
        squares += counts * counts;
        slopes += fabs(u) < 1 ? (1 - u * u) * (1 - 5 * u * u) : 0;
    }
    squares /= (double)(p->n - 2);
    slopes /= (double)p->n;
    return slopes > 0.1 ? squares / (slopes * slopes) : squares;
}

static void report(struct problem *p, double unit, double z, struct hitop_line *out)
{
    const double variance = effective_variance(p);
    const double a = p->a, b = p->b;
    double cov[3];

    for (size_t i = 0; i < p->n; i++) {
        p->weight[i] = 1 / (p->scale[i] * p->scale[i]);
    }
    fit_line(p, cov); /* for the covariance that all points together give */
    *out = line_normal(a, sqrt(variance * cov[0]), b / unit, sqrt(variance * cov[2]) / unit, z);
}

/* Fill in the points; returns the unit of sizes. */
static double fill(const struct hitop_point *points, const struct hitop_line *first,
                   struct problem *p)
{
    double unit = 1;

    for (size_t i = 0; i < p->n; i++) {
        unit = fmax(unit, (double)points[i].bytes);
    }
    for (size_t i = 0; i < p->n; i++) {
        const double bytes = (double)points[i].bytes;
        p->x[i] = bytes / unit;
        p->y[i] = points[i].seconds;
        p->scale[i] = fmax(first->a + first->b * bytes, points[i].se);
    }
    p->a = first->a;
    p->b = first->b * unit;
    return unit;
}

enum hitop_status hitop_line_bisquare(const struct hitop_point *points, size_t npoints,
                                      double confidence, struct hitop_line *out,
                                      struct hitop_diag *diag)
{
    struct problem p = {.n = npoints};
    const enum hitop_status status = hitop_line_robust(points, npoints, confidence, out, diag);
    double unit;

    if (status != HITOP_OK || npoints < FEWEST) {
        return status;
    }
    p.x = calloc(npoints, 5 * sizeof(double));
    if (!p.x) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "line: out of memory for %zu points", npoints);
    }
    p.y = p.x + npoints;
    p.scale = p.y + npoints;
    p.weight = p.scale + npoints;
    p.work = p.weight + npoints;
    unit = fill(points, out, &p);
    settle(&p);
    report(&p, unit, gsl_cdf_ugaussian_Pinv(0.5 + 0.5 * confidence), out);
    free(p.x);
    return HITOP_OK;
}

/* Fewest points of a robust line at either end. */
enum { FEWEST_OF_AN_END = 3 };

static double fastest(const struct hitop_point *points, size_t npoints)
{
    double best = HUGE_VAL;

    for (size_t i = 0; i < npoints; i++) {
        best = fmin(best, points[i].seconds);
    }
    return best;
}

/* How many of the first points are short messages. */
static size_t count_short(const struct hitop_point *points, size_t npoints)
{
    const double limit = 1.25 * fastest(points, npoints);
    size_t n = 0;

    while (n < npoints && (n < FEWEST_OF_AN_END || points[n].seconds <= limit)) {
        n++;
    }
    return n;
}

/* How many of the last points are long messages. */
static size_t count_long(const struct hitop_point *points, size_t npoints)
{
    const double limit = 8 * fastest(points, npoints);
    size_t n = 0;

    while (n < npoints && (n < FEWEST_OF_AN_END || points[npoints - 1 - n].seconds >= limit)) {
        n++;
    }
    return n;
}

enum hitop_status hitop_line_two_ends(const struct hitop_point *points, size_t npoints,
                                      double confidence, struct hitop_line *out,
                                      struct hitop_diag *diag)
{
    const size_t nlong = count_long(points, npoints);
    struct hitop_line high;
    enum hitop_status status =
        hitop_line_robust(points, count_short(points, npoints), confidence, out, diag);

    if (status == HITOP_OK) {
        status = hitop_line_robust(points + npoints - nlong, nlong, confidence, &high, diag);
    }
    if (status == HITOP_OK) {
        out->b = high.b;
        out->b_se = high.b_se;
        out->b_lo = high.b_lo;
        out->b_hi = high.b_hi;
    }
    return status;
}

enum hitop_status hitop_line_two_point(const struct hitop_point *points, size_t npoints,
                                       double confidence, struct hitop_line *out,
                                       struct hitop_diag *diag)
{
    const struct hitop_point *low = points, *high = points + (npoints > 0 ? npoints - 1 : 0);
    double width, a, b, a_se, b_se;

    *out = (struct hitop_line){0};
    if (npoints < 2 || low->bytes >= high->bytes) {
        return fail_sizes(npoints, diag);
    }
    width = (double)high->bytes - (double)low->bytes;
    b = (high->seconds - low->seconds) / width;
    b_se = hypot(low->se, high->se) / width;
    a = low->seconds - b * (double)low->bytes;
    a_se = hypot(low->se * (double)high->bytes, high->se * (double)low->bytes) / width;
    *out = line_normal(a, a_se, b, b_se, gsl_cdf_ugaussian_Pinv(0.5 + 0.5 * confidence));
    return HITOP_OK;
}

static const struct hitop_line_method methods[] = {
    {"two-ends", "latency from short messages, bandwidth from long ones", hitop_line_two_ends},
    {"robust", "all sizes, whatever a few bad ones are", hitop_line_robust},
    {"bisquare", "all sizes, those far from the others for nothing", hitop_line_bisquare},
    {"least-squares", "all sizes, each as well as it is known", hitop_line_least_squares},
    {"ordinary", "all sizes alike, as in a spreadsheet", hitop_line_ordinary},
    {"two-point", "the smallest and the largest size", hitop_line_two_point},
};

enum { NMETHODS = sizeof(methods) / sizeof(methods[0]) };

const struct hitop_line_method *hitop_line_method(size_t index)
{
    return index < NMETHODS ? &methods[index] : NULL;
}

enum hitop_status hitop_line_method_find(const char *name, const struct hitop_line_method **out,
                                         struct hitop_diag *diag)
{
    char valid[256] = "";

    *out = NULL;
    for (size_t i = 0; i < NMETHODS; i++) {
        if (strcmp(methods[i].name, name) == 0) {
            *out = &methods[i];
            return HITOP_OK;
        }
        hitop_text_list_name(valid, sizeof(valid), methods[i].name);
    }
    return hitop_fail(diag, HITOP_ERR_NOTFOUND, "no line is called '%s'; valid: %s", name, valid);
}
