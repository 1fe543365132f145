/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check_yields.c - MPI does not yield while an operation holds its yields, and does so again after
 * the last one. This program has the function of Open MPI.
 */
#include <config.h>

#include "coll/runtime/yields_mpi.h"

#include "tests/support/test_main.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>

static atomic_bool yields;

__attribute__((visibility("default"))) bool opal_progress_set_yield_when_idle(bool on);

bool opal_progress_set_yield_when_idle(bool on)
{
    return atomic_exchange(&yields, on);
}

START_TEST(operations_may_be_nested)
{
    int outer, inner;

    atomic_store(&yields, true);
    outer = hitop_mpi_hold_yields();
    ck_assert(!yields);
    inner = hitop_mpi_hold_yields();
    hitop_mpi_release_yields(inner);
    ck_assert(!yields);
    hitop_mpi_release_yields(outer);
    ck_assert(yields);
}
END_TEST

START_TEST(what_does_not_yield_stays_so)
{
    atomic_store(&yields, false);
    hitop_mpi_release_yields(hitop_mpi_hold_yields());
    ck_assert(!yields);
}
END_TEST

/* Returns whether MPI yielded during an operation of this thread. */
static void *hold_often(void *wrong)
{
    for (int i = 0; i < 20000; i++) {
        const int held = hitop_mpi_hold_yields();
        (void)sched_yield();
        *(int *)wrong |= yields;
        hitop_mpi_release_yields(held);
    }
    return NULL;
}

START_TEST(threads_restore_the_setting)
{
    pthread_t thread;
    int wrong[2] = {0, 0};

    atomic_store(&yields, true);
    ck_assert_int_eq(pthread_create(&thread, NULL, hold_often, &wrong[0]), 0);
    (void)hold_often(&wrong[1]);
    ck_assert_int_eq(pthread_join(thread, NULL), 0);
    ck_assert(!wrong[0] && !wrong[1]);
    ck_assert(yields);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, operations_may_be_nested);
    tcase_add_test(tc, what_does_not_yield_stays_so);
    tcase_add_test(tc, threads_restore_the_setting);
}

TEST_MAIN("yields", add_tests)
