/* SPDX-License-Identifier: BSD-3-Clause */
/* check_param.c - parameters stay in their ranges and unknown names list the valid ones. */
#include <config.h>

#include "hitop/param.h"

#include "tests/support/test_main.h"

#include <math.h>

static const struct hitop_param table[] = {
    {"radix", "base", 4, 2, 64, ""},
    {"segment", "bytes", 8192, 0, 1e12, "B"},
};

START_TEST(takes_the_fallbacks_when_none_are_given)
{
    double out[2];

    ck_assert_int_eq(hitop_params_check("knomial", table, 2, NULL, out, NULL), HITOP_OK);
    ck_assert_double_eq(out[0], 4);
    ck_assert_double_eq(out[1], 8192);
}
END_TEST

START_TEST(refuses_values_out_of_range)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    const double low[] = {1, 0}, nan[] = {2, NAN};
    double out[2] = {17, 19};

    ck_assert_int_eq(hitop_params_check("knomial", table, 2, low, out, &diag), HITOP_ERR_INVALID);
    ck_assert_str_eq(diag.message, "knomial: radix=1 is outside [2, 64]");
    ck_assert_int_eq(hitop_params_check("knomial", table, 2, nan, out, NULL), HITOP_ERR_INVALID);
    ck_assert_double_eq(out[0], 17);
}
END_TEST

START_TEST(assigns_by_name)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    double values[] = {4, 8192};

    ck_assert_int_eq(hitop_params_assign("knomial", table, 2, "segment=512", values, NULL),
                     HITOP_OK);
    ck_assert_double_eq(values[1], 512);
    ck_assert_int_eq(hitop_params_assign("knomial", table, 2, "seg=1", values, &diag),
                     HITOP_ERR_NOTFOUND);
    ck_assert_str_eq(diag.message, "knomial has no parameter 'seg=1'; valid: radix, segment");
    ck_assert_int_eq(hitop_params_assign("knomial", table, 2, "radix=x", values, NULL),
                     HITOP_ERR_INVALID);
    ck_assert_int_eq(hitop_params_assign("knomial", table, 2, "radix=65", values, NULL),
                     HITOP_ERR_INVALID);
    ck_assert_int_eq(hitop_params_assign("knomial", table, 2, "radix", values, NULL),
                     HITOP_ERR_INVALID);
    ck_assert_double_eq(values[0], 4);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, takes_the_fallbacks_when_none_are_given);
    tcase_add_test(tc, refuses_values_out_of_range);
    tcase_add_test(tc, assigns_by_name);
}

TEST_MAIN("param", add_tests)
