/* SPDX-License-Identifier: BSD-3-Clause */
/* check_line.c - lines through measured points, good and bad ones. */
#include <config.h>

#include "models/fit/estimate.h"

#include "tests/support/test_main.h"

#include <math.h>

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

static void assert_line(const struct hitop_line *line, double a, double b)
{
    ck_assert_double_eq_tol(line->a, a, 1e-14);
    ck_assert_double_eq_tol(line->b, b, 1e-17);
}

START_TEST(least_squares_gives_the_worked_numbers)
{
    struct hitop_point p[NWORKED];
    struct hitop_line line;

    worked_points(p, 0);
    ck_assert_int_eq(hitop_line_least_squares(p, NWORKED, 0.95, &line, NULL), HITOP_OK);
    assert_line(&line, 20.49e-6, 0.009931640625e-6);
    worked_points(p, 1);
    ck_assert_int_eq(hitop_line_least_squares(p, NWORKED, 0.95, &line, NULL), HITOP_OK);
    assert_line(&line, 20.374772643e-6, 0.009974842594e-6);
    ck_assert(line.a_lo < line.a && line.a < line.a_hi && line.b_lo < line.b && line.b < line.b_hi);
}
END_TEST

/* Without weights, and through the ends alone: what CPM made of the same points. */
START_TEST(older_lines_give_the_worked_numbers)
{
    struct hitop_point p[NWORKED];
    struct hitop_line line;

    worked_points(p, 1);
    ck_assert_int_eq(hitop_line_ordinary(p, NWORKED, 0.95, &line, NULL), HITOP_OK);
    assert_line(&line, 20.49e-6, 0.009931640625e-6);
    ck_assert_double_eq_tol(line.b_se, sqrt(1.144 / 3 / 41943040.0) * 1e-6, 1e-13);
    ck_assert_int_eq(hitop_line_two_point(p, NWORKED, 0.95, &line, NULL), HITOP_OK);
    assert_line(&line, 20.3e-6, 0.00992431640625e-6);
    ck_assert_double_eq_tol(line.b_se, hypot(20.3e-8, 101.6e-8) / 8192, 1e-14);
}
END_TEST

/* The contract of all ways to draw a line. */
START_TEST(every_line_goes_through_points_on_a_line)
{
    const struct hitop_line_method *method;
    struct hitop_point p[8];
    struct hitop_line line;
    struct hitop_diag diag = HITOP_DIAG_INIT;

    for (int i = 0; i < 8; i++) {
        const size_t bytes = (size_t)1 << (3 * i);
        p[i] = (struct hitop_point){.bytes = bytes, .seconds = 3e-6 + 2e-10 * (double)bytes};
        p[i].se = 0.01 * p[i].seconds;
    }
    for (size_t k = 0; (method = hitop_line_method(k)); k++) {
        const struct hitop_line_method *found = NULL;
        ck_assert_int_eq(hitop_line_method_find(method->name, &found, &diag), HITOP_OK);
        ck_assert_ptr_eq(found, method);
        for (size_t n = 2; n <= 8; n++) {
            ck_assert_int_eq(method->through(p + 8 - n, n, 0.95, &line, &diag), HITOP_OK);
            ck_assert_msg(fabs(line.b / 2e-10 - 1) < 1e-6, "%s: %g", method->name, line.b);
            ck_assert_msg(fabs(line.a / 3e-6 - 1) < 1e-5, "%s: %g", method->name, line.a);
            ck_assert(line.a_lo <= line.a && line.a <= line.a_hi);
            ck_assert(line.b_lo <= line.b && line.b <= line.b_hi);
        }
        ck_assert_int_eq(method->through(p, 1, 0.95, &line, &diag), HITOP_ERR_INVALID);
        ck_assert_int_eq(method->through(p, 0, 0.95, &line, &diag), HITOP_ERR_INVALID);
    }
    ck_assert(hitop_estimators_with(NULL).line == hitop_line_method(0)->through);
    ck_assert(hitop_estimators()->line == hitop_line_method(0)->through);
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

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, least_squares_gives_the_worked_numbers);
    tcase_add_test(tc, older_lines_give_the_worked_numbers);
    tcase_add_test(tc, every_line_goes_through_points_on_a_line);
    tcase_add_test(tc, robust_line_goes_exactly_through_points_on_a_line);
    tcase_add_test(tc, robust_line_weighs_by_distance_and_error);
    tcase_add_test(tc, never_gives_negative_parameters);
    tcase_add_test(tc, refuses_points_that_determine_no_line);
    tcase_add_test(tc, bisquare_is_exact_where_the_good_points_are);
}

TEST_MAIN("line", add_tests)
