/* SPDX-License-Identifier: BSD-3-Clause */
/* check_compare.c - the rules by which Hitop and the MPI library are compared. */
#include "coll/runtime/compare.h"

#include "tests/support/test_main.h"

#include <stdlib.h>

START_TEST(turns_are_even)
{
    int mpi = 0;

    for (int i = 0; i < 2 * COMPARE_MOST; i += 2) {
        ck_assert_int_ne(hitop_compare_turn(i), hitop_compare_turn(i + 1));
    }
    ck_assert_int_eq(hitop_compare_turn(0), COMPARE_HITOP);
    for (int period = 2; period <= 4; period *= 2) { /* what a program repeats meets both ways */
        for (int at = 0; at < period; at++) {
            mpi = 0;
            for (int i = at; i < 32; i += period) {
                mpi += hitop_compare_turn(i) == COMPARE_MPI;
            }
            ck_assert_int_eq(2 * mpi, 32 / period);
        }
    }
}
END_TEST

START_TEST(looks_come_to_an_end)
{
    for (int most = 1; most <= COMPARE_MOST; most++) {
        int n = 0, looks = 0;

        while (n < most) {
            const int next = hitop_compare_next_look(n, most);

            ck_assert_int_gt(next, n);
            n = next;
            looks++;
        }
        ck_assert_int_eq(n, most);
        ck_assert_int_le(looks, 3);
    }
    ck_assert_int_eq(hitop_compare_next_look(0, COMPARE_DEFAULT), 2);
    ck_assert_int_eq(hitop_compare_next_look(2, COMPARE_DEFAULT), 5);
    ck_assert_int_eq(hitop_compare_next_look(5, COMPARE_DEFAULT), COMPARE_DEFAULT);
}
END_TEST

/* The i-th call of each way takes hitop + i * step or mpi + i * step. */
static void fill(int64_t *ns, int n, int64_t hitop, int64_t mpi, int64_t step)
{
    int64_t count[COMPARE_NLIBRARIES] = {0};

    for (int i = 0; i < 2 * n; i++) {
        const enum compare_by by = hitop_compare_turn(i);

        ns[i] = (by == COMPARE_HITOP ? hitop : mpi) + step * count[by]++;
    }
}

static const struct {
    int n;
    int64_t hitop, mpi, step;
    int is_last;
    enum compare_verdict verdict;
} cases[] = {
    /* after few calls only what is far apart decides */
    {2, 1000, 600, 0, 0, COMPARE_LEAVE},
    {2, 600, 1000, 0, 0, COMPARE_KEEP},
    {2, 1000, 700, 0, 0, COMPARE_GO_ON},
    {2, 700, 1000, 0, 0, COMPARE_GO_ON},
    {2, 1000, 600, 500, 0, COMPARE_GO_ON},
    /* after some, what is rarely less by chance */
    {5, 1000, 900, 10, 0, COMPARE_LEAVE},
    {5, 900, 1000, 10, 0, COMPARE_KEEP},
    {5, 1000, 900, 200, 0, COMPARE_GO_ON},
    /* Hitop need not be faster beyond the spread */
    {5, 900, 1000, 200, 0, COMPARE_KEEP},
    {5, 1000, 1000, 200, 0, COMPARE_KEEP},
    {12, 1000, 900, 0, 0, COMPARE_LEAVE},
    /* in the end Hitop keeps what is not clearly slower */
    {12, 1000, 900, 200, 1, COMPARE_KEEP},
    {12, 1000, 900, 10, 1, COMPARE_LEAVE},
    {12, 1000, 980, 0, 1, COMPARE_KEEP},
    {12, 900, 1000, 200, 1, COMPARE_KEEP},
    {1, 1000, 900, 0, 1, COMPARE_KEEP},
    {1, 1000, 600, 0, 1, COMPARE_LEAVE},
    {COMPARE_MOST, 1000, 1000, 0, 1, COMPARE_KEEP},
    {COMPARE_MOST, INT64_MAX / 4, INT64_MAX / 8, 0, 0, COMPARE_LEAVE},
};

START_TEST(times_decide)
{
    int64_t ns[2 * COMPARE_MOST];

    fill(ns, cases[_i].n, cases[_i].hitop, cases[_i].mpi, cases[_i].step);
    ck_assert_int_eq(hitop_compare_judge(ns, cases[_i].n, cases[_i].is_last), cases[_i].verdict);
}
END_TEST

/* A rank that is interrupted for long in one call changes nothing. */
START_TEST(one_interruption_decides_nothing)
{
    for (int hit = 0; hit < 2 * COMPARE_DEFAULT; hit++) {
        int64_t ns[2 * COMPARE_MOST];

        fill(ns, COMPARE_DEFAULT, 900, 1000, 1);
        ns[hit] = 1000000;
        ck_assert_int_eq(hitop_compare_judge(ns, COMPARE_DEFAULT, 1), COMPARE_KEEP);
        fill(ns, COMPARE_DEFAULT, 1000, 900, 1);
        ns[hit] = 1000000;
        ck_assert_int_eq(hitop_compare_judge(ns, COMPARE_DEFAULT, 1), COMPARE_LEAVE);
        if (hit < 4) {
            fill(ns, 2, 900, 1000, 1);
            ns[hit] = 1000000;
            ck_assert_int_eq(hitop_compare_judge(ns, 2, 0), COMPARE_GO_ON);
        }
    }
}
END_TEST

START_TEST(medians_are_of_one_way)
{
    int64_t ns[2 * COMPARE_MOST];

    fill(ns, 4, 1000, 2000, 10);
    ck_assert_int_eq(hitop_compare_median(ns, 4, COMPARE_HITOP), 1015);
    ck_assert_int_eq(hitop_compare_median(ns, 4, COMPARE_MPI), 2015);
    ck_assert_int_eq(hitop_compare_median(ns, 1, COMPARE_MPI), 2000);
}
END_TEST

START_TEST(lengths_are_classed_by_powers_of_two)
{
    ck_assert_int_eq(hitop_compare_size_class(0), 0);
    ck_assert_int_eq(hitop_compare_size_class(1), 1);
    ck_assert_int_eq(hitop_compare_size_class(2), 2);
    ck_assert_int_eq(hitop_compare_size_class(1023), 10);
    ck_assert_int_eq(hitop_compare_size_class(1024), 11);
    ck_assert_int_eq(hitop_compare_size_class(SIZE_MAX), COMPARE_SIZES - 1);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, turns_are_even);
    tcase_add_test(tc, looks_come_to_an_end);
    tcase_add_loop_test(tc, times_decide, 0, sizeof(cases) / sizeof(cases[0]));
    tcase_add_test(tc, one_interruption_decides_nothing);
    tcase_add_test(tc, medians_are_of_one_way);
    tcase_add_test(tc, lengths_are_classed_by_powers_of_two);
}

TEST_MAIN("compare", add_tests)
