/* SPDX-License-Identifier: BSD-3-Clause */
/* check_experiment.c - experiments have names. */
#include <config.h>

#include "hitop/experiment.h"

#include "tests/support/test_main.h"

START_TEST(experiments_are_found_by_name)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    enum hitop_experiment what = HITOP_GAP;

    for (int i = 0; i <= HITOP_FAN; i++) {
        ck_assert_int_eq(
            hitop_experiment_find(hitop_experiment_name((enum hitop_experiment)i), &what, &diag),
            HITOP_OK);
        ck_assert_int_eq(what, i);
    }
    ck_assert_int_eq(hitop_experiment_find("ech", &what, &diag), HITOP_ERR_NOTFOUND);
    ck_assert_str_eq(diag.message,
                     "'ech' is no experiment; there are echo, reply, gap, send, receive, fan, "
                     "reply-third");
    ck_assert_ptr_null(hitop_experiment_name(HITOP_NEXPERIMENTS));
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, experiments_are_found_by_name);
}

TEST_MAIN("experiment", add_tests)
