/* SPDX-License-Identifier: BSD-3-Clause */
/* check_line.c - lines through measured points, good and bad ones. */
#include <config.h>

#include "hitop/estimate.h"

#include "streams.h"
#include "test_main.h"

#include <gsl/gsl_multifit.h>
#include <gsl/gsl_rng.h>

#include <math.h>
#include <stdint.h>
#include <stdio.h>

enum { NWORKED = 5 };

/* Five points in microseconds whose fits were worked out elsewhere. */
static void worked_points(struct hitop_point *p, int relative)
{
    static const size_t bytes[NWORKED] = {0, 1024, 2048, 4096, 8192};
    static const double us[NWORKED] = {20.3, 31.0, 40.2, 61.9, 101.6};

    for (int i = 0; i < NWORKED; i++) {
        p[i] = (struct hitop_point){
            .bytes = bytes[i], .seconds = us[i] * 1e-6, .se = relative ? us[i] * 1e-8 : 1e-8};
    }
}

START_TEST(least_squares_gives_the_worked_numbers)
{
    struct hitop_point p[NWORKED];
    struct hitop_line line;

    worked_points(p, 0);
    ck_assert_int_eq(hitop_line_least_squares(p, NWORKED, 0.95, &line, NULL), HITOP_OK);
    ck_assert_double_eq_tol(line.a, 20.49e-6, 1e-14);
    ck_assert_double_eq_tol(line.b, 0.009931640625e-6, 1e-17);
    worked_points(p, 1);
    ck_assert_int_eq(hitop_line_least_squares(p, NWORKED, 0.95, &line, NULL), HITOP_OK);
    ck_assert_double_eq_tol(line.a, 20.374772643e-6, 1e-14);
    ck_assert_double_eq_tol(line.b, 0.009974842594e-6, 1e-17);
    ck_assert(line.a_lo < line.a && line.a < line.a_hi && line.b_lo < line.b && line.b < line.b_hi);
}
END_TEST

START_TEST(robust_line_goes_exactly_through_points_on_a_line)
{
    static const size_t bytes[] = {0, 3, 17, 1000, 65536, 1000, 1 << 20};
    struct hitop_point p[7];
    struct hitop_line line;

    for (int i = 0; i < 7; i++) {
        p[i] = (struct hitop_point){
            .bytes = bytes[i], .seconds = 2.385e-6 + 7.1e-10 * (double)bytes[i], .se = 1e-9};
    }
    ck_assert_int_eq(hitop_line_robust(p, 7, 0.95, &line, NULL), HITOP_OK);
    ck_assert_double_eq_tol(line.a, 2.385e-6, 1e-17);
    ck_assert_double_eq_tol(line.b, 7.1e-10, 1e-21);
    ck_assert(line.a_lo <= line.a && line.a <= line.a_hi && line.b_lo <= line.b &&
              line.b <= line.b_hi);
    ck_assert_int_eq(hitop_line_robust(p, 2, 0.95, &line, NULL), HITOP_OK);
    ck_assert_double_eq_tol(line.b, 7.1e-10, 1e-20);
    /* two points: slope known to sqrt(2) ns over 3 bytes */
    ck_assert_double_eq_tol(line.b_se, sqrt(2) * 1e-9 / 3, 0.3e-9);
}
END_TEST

START_TEST(robust_line_weighs_by_distance_and_error)
{
    /* slopes 1 (weight 1), 4 (weight 2) and 7 (weight 1), in units of 1/sqrt(2): the median is 4;
     * then y - 4 x = 0, -3, 0 */
    const struct hitop_point p[] = {
        {.bytes = 0, .seconds = 0, .se = 1},
        {.bytes = 1, .seconds = 1, .se = 1},
        {.bytes = 2, .seconds = 8, .se = 1},
    };
    struct hitop_line line;

    ck_assert_int_eq(hitop_line_robust(p, 3, 0.95, &line, NULL), HITOP_OK);
    ck_assert_double_eq_tol(line.b, 4, 1e-12);
    ck_assert_double_eq_tol(line.a, 0, 1e-12);
}
END_TEST

START_TEST(never_gives_negative_parameters)
{
    const struct hitop_point falling[] = {
        {.bytes = 0, .seconds = 5, .se = 1},
        {.bytes = 10, .seconds = 4, .se = 1},
        {.bytes = 20, .seconds = 2, .se = 1},
    };
    const struct hitop_point steep[] = {
        {.bytes = 10, .seconds = 1, .se = 1},
        {.bytes = 20, .seconds = 30, .se = 1},
    };
    struct hitop_line line;

    ck_assert_int_eq(hitop_line_robust(falling, 3, 0.95, &line, NULL), HITOP_OK);
    ck_assert(line.b == 0 && line.b_lo == 0 && line.a > 0);
    ck_assert_int_eq(hitop_line_least_squares(falling, 3, 0.95, &line, NULL), HITOP_OK);
    ck_assert(line.b == 0);
    ck_assert_int_eq(hitop_line_robust(steep, 2, 0.95, &line, NULL), HITOP_OK);
    ck_assert(line.a == 0 && line.a_lo == 0 && line.b > 0);
}
END_TEST

START_TEST(refuses_points_that_determine_no_line)
{
    struct hitop_point p[] = {{.bytes = 8, .seconds = 1, .se = 1},
                              {.bytes = 8, .seconds = 2, .se = 1},
                              {.bytes = 9, .seconds = 2, .se = 0}};
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_line line;

    for (size_t n = 0; n <= 2; n++) {
        ck_assert_int_eq(hitop_line_robust(p, n, 0.95, &line, &diag), HITOP_ERR_INVALID);
        ck_assert_ptr_nonnull(strstr(diag.message, "fewer than two different sizes"));
        ck_assert_int_eq(hitop_line_least_squares(p, n, 0.95, &line, &diag), HITOP_ERR_INVALID);
    }
    ck_assert_int_eq(hitop_line_robust(p, 3, 0.95, &line, &diag), HITOP_ERR_INVALID);
    ck_assert_ptr_nonnull(strstr(diag.message, "9 bytes"));
    ck_assert_int_eq(hitop_line_least_squares(p, 3, 0.95, &line, &diag), HITOP_ERR_INVALID);
}
END_TEST

START_TEST(knows_when_two_estimates_differ)
{
    const struct hitop_line x = {.a = 1, .b = 2, .a_se = 0.1, .b_se = 0.1};
    struct hitop_line y = x;

    ck_assert(!hitop_line_differs(&x, &y));
    y.a = 1.29;
    ck_assert(!hitop_line_differs(&x, &y));
    y.a = 1.31;
    ck_assert(hitop_line_differs(&x, &y));
    y.a_se = 0.2;
    ck_assert(!hitop_line_differs(&x, &y));
    y.b = 1.6;
    ck_assert(hitop_line_differs(&x, &y));
}
END_TEST

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

/* Mean relative errors of intercept, slope, and times at the measured sizes; how often the interval of
 * the intercept and that of the slope hold the truth. */
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

/* Largest mean errors, in per cent, of published and of our own trials, with half as much to spare. */
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

START_TEST(bisquare_is_exact_where_the_good_points_are)
{
    enum { N = 12 };
    struct hitop_point p[N];
    struct hitop_line line;

    for (size_t i = 0; i < N; i++) {
        const double t = 2.385e-6 + 7.1e-10 * (double)(1000 * i);
        p[i] = (struct hitop_point){.bytes = 1000 * i, .seconds = t, .se = 0.01 * t};
    }
    p[0].seconds *= 3;
    p[5].seconds *= 1.4;
    p[11].seconds *= 7;
    ck_assert_int_eq(hitop_line_bisquare(p, N, 0.95, &line, NULL), HITOP_OK);
    ck_assert_double_eq_tol(line.a, 2.385e-6, 1e-15);
    ck_assert_double_eq_tol(line.b, 7.1e-10, 1e-19);
    for (size_t i = 0; i < N - 1; i++) { /* all but one of one size */
        p[i] = (struct hitop_point){.bytes = 64, .seconds = 1e-6, .se = 1e-8};
    }
    p[N - 1] = (struct hitop_point){.bytes = 1000000, .seconds = 1, .se = 0.01};
    ck_assert_int_eq(hitop_line_bisquare(p, N, 0.95, &line, NULL), HITOP_OK);
    ck_assert(isfinite(line.a) && isfinite(line.b));
    ck_assert_int_eq(hitop_line_bisquare(p, N - 1, 0.95, &line, NULL), HITOP_ERR_INVALID);
    ck_assert_int_eq(hitop_line_bisquare(p + N - 2, 2, 0.95, &line, NULL), HITOP_OK);
    ck_assert_double_eq_tol(line.b, 1e-6, 1e-9);
}
END_TEST

/* One line does not go through two protocols; least squares and the robust line then part. */
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
        parted += hitop_line_differs(&x, &y);
        curve_points(one, bytes, CURVE_SIZES, 0.01, 0.1, rng, p);
        ck_assert_int_eq(hitop_line_robust(p, CURVE_SIZES, 0.95, &x, NULL), HITOP_OK);
        ck_assert_int_eq(hitop_line_bisquare(p, CURVE_SIZES, 0.95, &y, NULL), HITOP_OK);
        apart += hitop_line_differs(&x, &y);
    }
    ck_assert_int_ge(parted, 99);
    ck_assert_int_le(apart, 1);
    gsl_rng_free(rng);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, least_squares_gives_the_worked_numbers);
    tcase_add_test(tc, robust_line_goes_exactly_through_points_on_a_line);
    tcase_add_test(tc, robust_line_weighs_by_distance_and_error);
    tcase_add_test(tc, never_gives_negative_parameters);
    tcase_add_test(tc, refuses_points_that_determine_no_line);
    tcase_add_test(tc, knows_when_two_estimates_differ);
    tcase_add_loop_test(tc, stands_noise_and_bad_points, 0,
                        (int)(sizeof(bounds) / sizeof(bounds[0])));
    tcase_add_test(tc, a_spreadsheet_is_ten_times_worse);
    tcase_add_test(tc, bisquare_agrees_with_that_of_gsl);
    tcase_add_test(tc, bisquare_is_exact_where_the_good_points_are);
    tcase_add_test(tc, estimates_of_what_is_not_one_line_differ);
}

TEST_MAIN("line", add_tests)
