/* SPDX-License-Identifier: BSD-3-Clause */
/* check_pace.c - a processor is slow whose neighbour works now and then, not one that is
 * interrupted. */
#include <config.h>

#include "models/clock/pace.h"

#include "tests/support/test_main.h"

/* A clock by which each piece of work takes 3 us, and of every so many the first one more. */
struct fake {
    int of_so_many;
    double more;
    int looks;
    double time;
};

static double now(void *self)
{
    struct fake *f = self;

    if (f->looks++ % 2 == 1) { /* the end of a piece */
        f->time += 3e-6 + (f->looks / 2 % f->of_so_many == 1 ? f->more : 0);
    }
    return f->time;
}

START_TEST(is_that_of_nearly_all_pieces)
{
    static const struct {
        int of_so_many;
        double more, pace;
    } cases[] = {
        {2, 0, 3e-6},        /* no other process */
        {4, 0.6e-6, 3.6e-6}, /* a neighbour on the core, a quarter of the time */
        {32, 2e-3, 3e-6},    /* another process had the processor, twice */
    };
    struct fake fake = {.of_so_many = cases[_i].of_so_many, .more = cases[_i].more};
    const struct hitop_clock clock = {now, &fake};

    ck_assert_double_eq_tol(hitop_benchmark_pace(&clock, BENCHMARK_PACE_MOST), cases[_i].pace,
                            1e-9);
}
END_TEST

START_TEST(takes_as_many_pieces_as_it_is_asked_for)
{
    for (int pieces = 1; pieces <= BENCHMARK_PACE_MOST; pieces++) {
        struct fake fake = {.of_so_many = 2};
        const struct hitop_clock clock = {now, &fake};

        ck_assert_double_eq_tol(hitop_benchmark_pace(&clock, pieces), 3e-6, 1e-9);
        ck_assert_int_eq(fake.looks, 2 * pieces);
    }
}
END_TEST

START_TEST(normalised_time_is_the_median_of_products)
{
    struct fake fake = {.of_so_many = 3, .more = 2e-3};
    const struct hitop_clock clock = {now, &fake}, real = hitop_clock_monotonic();

    ck_assert_double_eq_tol(hitop_benchmark_normalised_time(&clock), 3e-6 / 20, 1e-9);
    /* 1000 multiplications and additions: no processor does 100 of them in a nanosecond */
    ck_assert_double_gt(hitop_benchmark_normalised_time(&real), 1e-8);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, normalised_time_is_the_median_of_products);
    tcase_add_loop_test(tc, is_that_of_nearly_all_pieces, 0, 3);
    tcase_add_test(tc, takes_as_many_pieces_as_it_is_asked_for);
}

TEST_MAIN("pace", add_tests)
