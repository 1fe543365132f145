/* SPDX-License-Identifier: BSD-3-Clause */
/* check_model_piecewise.c - the sizes at which a protocol changes are found from points. */
#include <config.h>

#include "models/fit/estimate.h"

#include "tests/support/test_main.h"

#include <math.h>

enum { NSIZES = 13, NROWS = 2, BYTES = 0, ALPHA, BETA, NCOLUMNS };

static const size_t sizes[NSIZES] = {0,     1,     16,    64,     256,    1024,   4096,
                                     16384, 32768, 65536, 131072, 262144, 1048576};

/* Short messages take 203 us + 41 ns/B; long ones first ask, for twice that latency. */
static const double truth[NROWS][NCOLUMNS] = {{0, 203e-6, 4.1e-8}, {65536, 609e-6, 3.95e-8}};

static const struct hitop_model_type *piecewise(void)
{
    const struct hitop_model_type *type = NULL;

    ck_assert_int_eq(hitop_model_type_find("piecewise", &type, NULL), HITOP_OK);
    return type;
}

static double price(const double *table, size_t nrows, size_t bytes)
{
    const struct hitop_terms terms = {.table = table, .nrows = nrows};

    return piecewise()->p2p(&terms, bytes);
}

static void make_points(struct hitop_point *points)
{
    for (int i = 0; i < NSIZES; i++) {
        /* a deterministic error of up to 1 % */
        const double t = price(truth[0], NROWS, sizes[i]) * (1 + 0.01 * sin(7.0 * i));
        points[i] = (struct hitop_point){.bytes = sizes[i], .seconds = t, .se = 0.01 * t};
    }
}

static enum hitop_status fit(const struct hitop_point *points, size_t n, double *table,
                             size_t *nrows)
{
    struct hitop_fit out = {.table = table, .max_rows = NSIZES};
    const struct hitop_evidence e = {.curve = {[HITOP_ECHO] = {.points = points, .npoints = n}},
                                     .confidence = 0.95};
    const enum hitop_status status = piecewise()->fit(&e, hitop_estimators(), &out, NULL);

    *nrows = out.nrows;
    return status;
}

START_TEST(finds_the_change_of_protocol)
{
    struct hitop_point points[NSIZES];
    double table[NSIZES * NCOLUMNS];
    size_t nrows;

    make_points(points);
    ck_assert_int_eq(fit(points, NSIZES, table, &nrows), HITOP_OK);
    ck_assert_uint_eq(nrows, NROWS);
    ck_assert_double_eq(table[BYTES], 0);
    ck_assert_double_eq(table[NCOLUMNS + BYTES], 65536);
    ck_assert_double_eq_tol(table[ALPHA] / truth[0][ALPHA], 1, 0.02);
    ck_assert_double_eq_tol(table[BETA] / truth[0][BETA], 1, 0.05);
    ck_assert_double_eq_tol(table[NCOLUMNS + BETA] / truth[1][BETA], 1, 0.02);
    for (int i = 0; i < NSIZES; i++) {
        ck_assert_double_eq_tol(price(table, nrows, sizes[i]) / points[i].seconds, 1, 0.03);
    }
}
END_TEST

START_TEST(stays_one_line_with_few_points)
{
    struct hitop_point points[NSIZES];
    double table[NSIZES * NCOLUMNS];
    size_t nrows;

    make_points(points);
    ck_assert_int_eq(fit(points, 5, table, &nrows), HITOP_OK);
    ck_assert_uint_eq(nrows, 1);
    ck_assert_int_eq(fit(points, 1, table, &nrows), HITOP_ERR_INVALID);
}
END_TEST

START_TEST(a_line_holds_from_its_first_byte)
{
    ck_assert_double_eq_tol(price(truth[0], NROWS, 0), 203e-6, 1e-12);
    ck_assert_double_eq_tol(price(truth[0], NROWS, 65535), 203e-6 + 65535 * 4.1e-8, 1e-12);
    ck_assert_double_eq_tol(price(truth[0], NROWS, 65536), 609e-6 + 65536 * 3.95e-8, 1e-12);
}
END_TEST

START_TEST(refuses_sizes_out_of_order)
{
    struct hitop_point points[NSIZES];
    double table[NSIZES * NCOLUMNS];
    size_t nrows;

    make_points(points);
    points[4].bytes = points[5].bytes;
    ck_assert_int_eq(fit(points, NSIZES, table, &nrows), HITOP_ERR_INVALID);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, finds_the_change_of_protocol);
    tcase_add_test(tc, stays_one_line_with_few_points);
    tcase_add_test(tc, a_line_holds_from_its_first_byte);
    tcase_add_test(tc, refuses_sizes_out_of_order);
}

TEST_MAIN("piecewise", add_tests)
