/* SPDX-License-Identifier: BSD-3-Clause */
/* check_model_piecewise.c - the size at which a protocol changes is found from points. */
#include <config.h>

#include "hitop/estimate.h"

#include "test_main.h"

#include <math.h>

enum { NSIZES = 13, ALPHA = 0, BETA, SWITCH, ALPHA2, BETA2 };

static const size_t sizes[NSIZES] = {0,     1,     16,    64,     256,    1024,   4096,
                                     16384, 32768, 65536, 131072, 262144, 1048576};

/* Short messages take 203 us + 41 ns/B; long ones first ask, for twice that latency. */
static const double truth[5] = {203e-6, 4.1e-8, 65536, 609e-6, 3.95e-8};

static const struct hitop_model_type *piecewise(void)
{
    const struct hitop_model_type *type = NULL;

    ck_assert_int_eq(hitop_model_type_find("piecewise", &type, NULL), HITOP_OK);
    return type;
}

static void make_points(const double *params, struct hitop_point *points)
{
    for (int i = 0; i < NSIZES; i++) {
        /* a deterministic error of up to 1 % */
        const double t = piecewise()->p2p(params, sizes[i]) * (1 + 0.01 * sin(7.0 * i));
        points[i] = (struct hitop_point){.bytes = sizes[i], .seconds = t, .se = 0.01 * t};
    }
}

static enum hitop_status fit(const struct hitop_point *points, size_t n, double *params)
{
    double se[5], lo[5], hi[5];
    struct hitop_fit out = {params, se, lo, hi};
    const enum hitop_status status =
        piecewise()->fit(points, n, 0.95, hitop_estimators(), &out, NULL);

    for (int p = 0; status == HITOP_OK && p < 5; p++) {
        ck_assert_double_le(lo[p], hi[p]);
        ck_assert(params[p] >= 0);
    }
    return status;
}

START_TEST(finds_the_change_of_protocol)
{
    struct hitop_point points[NSIZES];
    double params[5];

    make_points(truth, points);
    ck_assert_int_eq(fit(points, NSIZES, params), HITOP_OK);
    ck_assert_double_eq(params[SWITCH], 65536);
    ck_assert_double_eq_tol(params[ALPHA] / truth[ALPHA], 1, 0.02);
    ck_assert_double_eq_tol(params[BETA] / truth[BETA], 1, 0.05);
    ck_assert_double_eq_tol(params[BETA2] / truth[BETA2], 1, 0.02);
    for (int i = 0; i < NSIZES; i++) {
        ck_assert_double_eq_tol(piecewise()->p2p(params, sizes[i]) / points[i].seconds, 1, 0.03);
    }
}
END_TEST

START_TEST(stays_one_line_with_few_points)
{
    struct hitop_point points[NSIZES];
    double params[5];

    make_points(truth, points);
    ck_assert_int_eq(fit(points, 5, params), HITOP_OK);
    ck_assert(params[SWITCH] == 0 && params[ALPHA] == params[ALPHA2]);
    ck_assert_int_eq(fit(points, 1, params), HITOP_ERR_INVALID);
}
END_TEST

START_TEST(never_gets_cheaper_across_the_switch)
{
    /* the second line alone would fall below the first */
    const double params[5] = {100e-6, 1e-8, 1000, 10e-6, 1e-9};

    ck_assert_double_eq_tol(piecewise()->p2p(params, 999), 109.99e-6, 1e-15);
    ck_assert_double_eq_tol(piecewise()->p2p(params, 1000), 110e-6, 1e-15);
    ck_assert_double_eq_tol(piecewise()->p2p(params, 50000), 110e-6, 1e-15);
    ck_assert_double_eq_tol(piecewise()->p2p(params, 1000000), 1010e-6, 1e-15);
}
END_TEST

START_TEST(refuses_sizes_out_of_order)
{
    struct hitop_point points[NSIZES];
    double params[5];

    make_points(truth, points);
    points[4].bytes = points[5].bytes;
    ck_assert_int_eq(fit(points, NSIZES, params), HITOP_ERR_INVALID);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, finds_the_change_of_protocol);
    tcase_add_test(tc, stays_one_line_with_few_points);
    tcase_add_test(tc, never_gets_cheaper_across_the_switch);
    tcase_add_test(tc, refuses_sizes_out_of_order);
}

TEST_MAIN("piecewise", add_tests)
