/* SPDX-License-Identifier: BSD-3-Clause */
/* check_model_hockney.c - latency from short messages, bandwidth from long ones. */
#include <config.h>

#include "models/fit/estimate.h"

#include "tests/support/test_main.h"

enum { NSIZES = 14 };

static const size_t sizes[NSIZES] = {0,     1,     16,    64,     256,    1024,   4096,
                                     16384, 32768, 65536, 131072, 262144, 524288, 1048576};

static enum hitop_status fit(const struct hitop_point *points, size_t n, double *params)
{
    const struct hitop_model_type *type = NULL;
    double se[2], lo[2], hi[2];
    struct hitop_fit out = {.params = params, .se = se, .lo = lo, .hi = hi};
    const struct hitop_evidence e = {.curve = {[HITOP_ECHO] = {.points = points, .npoints = n}},
                                     .confidence = 0.95};

    ck_assert_int_eq(hitop_model_type_find("hockney", &type, NULL), HITOP_OK);
    return type->fit(&e, hitop_estimators(), &out, NULL);
}

/* 2.05 ms and 25 MB/s; messages from 64 KiB up take jump seconds more. */
static void make_points(double jump, struct hitop_point *points)
{
    for (int i = 0; i < NSIZES; i++) {
        const double t = 2.05e-3 + 4e-8 * (double)sizes[i] + (sizes[i] >= 65536 ? jump : 0);
        points[i] = (struct hitop_point){.bytes = sizes[i], .seconds = t, .se = 0.01 * t};
    }
}

START_TEST(gives_a_line_its_parameters)
{
    struct hitop_point points[NSIZES];
    double params[2];

    make_points(0, points);
    ck_assert_int_eq(fit(points, NSIZES, params), HITOP_OK);
    ck_assert_double_eq_tol(params[0], 2.05e-3, 1e-12);
    ck_assert_double_eq_tol(params[1], 4e-8, 1e-17);
    ck_assert_int_eq(fit(points, 2, params), HITOP_OK);
    ck_assert_double_eq_tol(params[0], 2.05e-3, 1e-12);
    ck_assert_int_eq(fit(points, 1, params), HITOP_ERR_INVALID);
}
END_TEST

/* Five points worked out elsewhere; their ends alone make the quick look with two sizes. */
START_TEST(goes_through_two_points)
{
    const struct hitop_point ends[] = {{.bytes = 0, .seconds = 20.3e-6, .se = 1e-8},
                                       {.bytes = 8192, .seconds = 101.6e-6, .se = 1e-8}};
    double params[2];

    ck_assert_int_eq(fit(ends, 2, params), HITOP_OK);
    ck_assert_double_eq_tol(params[0], 20.3e-6, 1e-15);
    ck_assert_double_eq_tol(params[1], 0.00992431640625e-6, 1e-18);
}
END_TEST

START_TEST(keeps_latency_and_bandwidth_across_a_change_of_protocol)
{
    struct hitop_point points[NSIZES];
    double params[2];

    make_points(4.1e-3, points);
    ck_assert_int_eq(fit(points, NSIZES, params), HITOP_OK);
    ck_assert_double_eq_tol(params[0] / 2.05e-3, 1, 1e-6);
    ck_assert_double_eq_tol(params[1] / 4e-8, 1, 1e-6);
}
END_TEST

START_TEST(takes_the_bandwidth_of_the_longest_messages)
{
    struct hitop_point points[NSIZES];
    double params[2];

    for (int i = 0; i < NSIZES; i++) { /* up to 256 KiB fit into a cache */
        const double m = (double)sizes[i], beyond = m > 262144 ? m - 262144 : 0;
        const double t = 3.67e-6 + (m - beyond) / 16e9 + beyond / 9e9;
        points[i] = (struct hitop_point){.bytes = sizes[i], .seconds = t, .se = 0.01 * t};
    }
    ck_assert_int_eq(fit(points, NSIZES, params), HITOP_OK);
    ck_assert_double_eq_tol(params[0] / 3.67e-6, 1, 1e-3);
    ck_assert_double_eq_tol(params[1] * 9e9, 1, 1e-3);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, gives_a_line_its_parameters);
    tcase_add_test(tc, takes_the_bandwidth_of_the_longest_messages);
    tcase_add_test(tc, goes_through_two_points);
    tcase_add_test(tc, keeps_latency_and_bandwidth_across_a_change_of_protocol);
}

TEST_MAIN("hockney", add_tests)
