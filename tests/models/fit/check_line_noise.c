/* SPDX-License-Identifier: BSD-3-Clause */
/* check_line_noise.c - how far noise and bad points take lines from the truth. */
#include <config.h>

#include "models/fit/estimate.h"

#include "tests/support/streams.h"
#include "tests/support/test_main.h"

#include <gsl/gsl_multifit.h>
#include <gsl/gsl_rng.h>

#include <math.h>
#include <stdint.h>
#include <stdio.h>

typedef enum hitop_status estimator(const struct hitop_point *points, size_t npoints,
                                    double confidence, struct hitop_line *out,
                                    struct hitop_diag *diag);

/* The trend line of a spreadsheet: all points weigh alike, so that the longest times decide. */
static enum hitop_status unweighted(const struct hitop_point *points, size_t npoints,
                                    double confidence, struct hitop_line *out,
                                    struct hitop_diag *diag)
{
    struct hitop_point alike[CURVE_SIZES];

    for (size_t i = 0; i < npoints; i++) {
        alike[i] = points[i];
        alike[i].se = 1e-6;
    }
    return hitop_line_least_squares(alike, npoints, confidence, out, diag);
}

/* Mean relative errors of intercept, slope, and times at the measured sizes; how often the interval
 * of the intercept and that of the slope hold the truth. */
struct errors {
    double a, b, time, a_held, b_held;
};

/* 2 us and 12 GB/s up to 8 MiB with 2 % noise. */
static struct errors find_errors(estimator *estimate, double bad)
{
    enum { TRIALS = 300 };
    static const struct protocol truth[] = {{SIZE_MAX, 2e-6, 1 / 12e9}};
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    struct errors e = {0};
    size_t bytes[CURVE_SIZES];

    curve_sizes(bytes);
    gsl_rng_set(rng, 31415);
    for (int trial = 0; trial < TRIALS; trial++) {
        struct hitop_point p[CURVE_SIZES];
        struct hitop_line line;
        curve_points(truth, bytes, CURVE_SIZES, 0.02, bad, rng, p);
        ck_assert_int_eq(estimate(p, CURVE_SIZES, 0.95, &line, NULL), HITOP_OK);
        e.a += fabs(line.a / truth->a - 1) / TRIALS;
        e.b += fabs(line.b / truth->b - 1) / TRIALS;
        e.a_held += (line.a_lo <= truth->a && truth->a <= line.a_hi) / (double)TRIALS;
        e.b_held += (line.b_lo <= truth->b && truth->b <= line.b_hi) / (double)TRIALS;
        for (size_t i = 0; i < CURVE_SIZES; i++) {
            const double t = line.a + line.b * (double)bytes[i];
            e.time += fabs(t / curve_seconds(truth, bytes[i]) - 1) / (CURVE_SIZES * TRIALS);
        }
    }
    gsl_rng_free(rng);
    return e;
}

/* Largest mean errors, in per cent, of published and of our own trials, with half as much to spare.
 */
static const struct {
    const char *name;
    estimator *estimate;
    double bad, a, b, time;
} bounds[] = {
    {"robust", hitop_line_robust, 0, 0.57, 0.78, 0.60},
    {"robust", hitop_line_robust, 0.1, 0.68, 0.86, 0.68},
    {"robust", hitop_line_robust, 0.2, 1.0, 1.2, 0.83},
    {"robust", hitop_line_robust, 0.3, 1.3, 1.6, 1.11},
    {"bisquare", hitop_line_bisquare, 0, 0.47, 0.65, 0.50},
    {"bisquare", hitop_line_bisquare, 0.1, 0.51, 0.74, 0.54},
    {"bisquare", hitop_line_bisquare, 0.2, 0.75, 0.9, 0.74},
    {"bisquare", hitop_line_bisquare, 0.3, 1.0, 1.2, 0.90},
    {"least squares", hitop_line_least_squares, 0, 0.50, 0.63, 0.50},
};

START_TEST(stands_noise_and_bad_points)
{
    const struct errors e = find_errors(bounds[_i].estimate, bounds[_i].bad);

    printf("%s, %g %% bad: a %.2f b %.2f times %.2f %%; in the interval: a %.2f b %.2f\n",
           bounds[_i].name, 100 * bounds[_i].bad, 100 * e.a, 100 * e.b, 100 * e.time, e.a_held,
           e.b_held);
    ck_assert_double_le(100 * e.a, bounds[_i].a);
    ck_assert_double_le(100 * e.b, bounds[_i].b);
    ck_assert_double_le(100 * e.time, bounds[_i].time);
    if (bounds[_i].bad <= 0.1) {
        ck_assert_double_ge(e.a_held, bounds[_i].bad > 0 ? 0.88 : 0.91);
        ck_assert_double_ge(e.b_held, bounds[_i].bad > 0 ? 0.88 : 0.91);
    }
}
END_TEST

START_TEST(a_spreadsheet_is_ten_times_worse)
{
    const struct errors e = find_errors(unweighted, 0.1);

    printf("unweighted, 10 %% bad: a %.0f b %.0f times %.0f %%\n", 100 * e.a, 100 * e.b,
           100 * e.time);
    ck_assert_double_ge(e.time, 10 * find_errors(hitop_line_robust, 0.1).time);
    ck_assert_double_ge(e.time, 10 * find_errors(hitop_line_bisquare, 0.1).time);
}
END_TEST

/* Where GSL's own estimator works it finds the same line. */
START_TEST(bisquare_agrees_with_that_of_gsl)
{
    enum { TRIALS = 50 };
    static const struct protocol truth[] = {{SIZE_MAX, 2e-6, 1 / 12e9}};
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_multifit_robust_workspace *w =
        gsl_multifit_robust_alloc(gsl_multifit_robust_bisquare, CURVE_SIZES, 2);
    gsl_matrix *rows = gsl_matrix_alloc(CURVE_SIZES, 2), *cov = gsl_matrix_alloc(2, 2);
    gsl_vector *y = gsl_vector_alloc(CURVE_SIZES), *c = gsl_vector_alloc(2);
    size_t bytes[CURVE_SIZES];

    curve_sizes(bytes);
    gsl_rng_set(rng, 9);
    for (int trial = 0; trial < TRIALS; trial++) {
        struct hitop_point p[CURVE_SIZES];
        struct hitop_line first, line;
        curve_points(truth, bytes, CURVE_SIZES, 0.02, 0.05, rng, p);
        ck_assert_int_eq(hitop_line_robust(p, CURVE_SIZES, 0.95, &first, NULL), HITOP_OK);
        ck_assert_int_eq(hitop_line_bisquare(p, CURVE_SIZES, 0.95, &line, NULL), HITOP_OK);
        for (size_t i = 0; i < CURVE_SIZES; i++) {
            const double x = (double)bytes[i], scale = first.a + first.b * x;
            gsl_matrix_set(rows, i, 0, 1e-6 / scale); /* microseconds, and those per MB */
            gsl_matrix_set(rows, i, 1, 1e-12 * x / scale);
            gsl_vector_set(y, i, p[i].seconds / scale);
        }
        ck_assert_int_eq(gsl_multifit_robust(rows, y, c, cov, w), 0);
        ck_assert_double_le(fabs(gsl_vector_get(c, 0) * 1e-6 - line.a), 0.3 * line.a_se);
        ck_assert_double_le(fabs(gsl_vector_get(c, 1) * 1e-12 - line.b), 0.3 * line.b_se);
    }
    gsl_vector_free(c);
    gsl_vector_free(y);
    gsl_matrix_free(cov);
    gsl_matrix_free(rows);
    gsl_multifit_robust_free(w);
    gsl_rng_free(rng);
}
END_TEST

/* Whether two estimates differ by more than three standard errors. */
static int differ(const struct hitop_line *x, const struct hitop_line *y)
{
    return fabs(x->a - y->a) > 3 * fmax(x->a_se, y->a_se) ||
           fabs(x->b - y->b) > 3 * fmax(x->b_se, y->b_se);
}

/* No single line fits two protocols: least squares and the robust line then differ. */
START_TEST(estimates_of_what_is_not_one_line_differ)
{
    static const struct protocol two[] = {{65536, 2e-6, 0.3e-9}, {SIZE_MAX, 12e-6, 0.085e-9}};
    static const struct protocol one[] = {{SIZE_MAX, 2e-6, 0.3e-9}};
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    size_t bytes[CURVE_SIZES];
    int parted = 0, apart = 0;

    curve_sizes(bytes);
    gsl_rng_set(rng, 10);
    for (int trial = 0; trial < 100; trial++) {
        struct hitop_point p[CURVE_SIZES];
        struct hitop_line x, y;
        curve_points(two, bytes, CURVE_SIZES, 0.01, 0, rng, p);
        ck_assert_int_eq(hitop_line_robust(p, CURVE_SIZES, 0.95, &x, NULL), HITOP_OK);
        ck_assert_int_eq(hitop_line_least_squares(p, CURVE_SIZES, 0.95, &y, NULL), HITOP_OK);
        parted += differ(&x, &y);
        curve_points(one, bytes, CURVE_SIZES, 0.01, 0.1, rng, p);
        ck_assert_int_eq(hitop_line_robust(p, CURVE_SIZES, 0.95, &x, NULL), HITOP_OK);
        ck_assert_int_eq(hitop_line_bisquare(p, CURVE_SIZES, 0.95, &y, NULL), HITOP_OK);
        apart += differ(&x, &y);
    }
    ck_assert_int_ge(parted, 99);
    ck_assert_int_le(apart, 1);
    gsl_rng_free(rng);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, stands_noise_and_bad_points, 0,
                        (int)(sizeof(bounds) / sizeof(bounds[0])));
    tcase_add_test(tc, a_spreadsheet_is_ten_times_worse);
    tcase_add_test(tc, bisquare_agrees_with_that_of_gsl);
    tcase_add_test(tc, estimates_of_what_is_not_one_line_differ);
}

TEST_MAIN("line and noise", add_tests)
