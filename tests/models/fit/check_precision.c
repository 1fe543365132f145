/* SPDX-License-Identifier: BSD-3-Clause */
/* check_precision.c - repetitions by MPIBlib's rule against worked numbers. */
#include <config.h>

#include "models/fit/precision.h"

#include "tests/support/test_main.h"

#include <math.h>

START_TEST(gives_the_quantiles_of_student)
{
    static const struct {
        double cl;
        int n;
        double two_sided, one_sided;
    } worked[] = {
        {0.9, 2, 6.313751514675026, 3.0776835371752504},
        {0.9, 3, 2.9199855803537202, 1.8856180831641258},
        {0.9, 5, 2.1318467863266495, 1.5332062740589434},
        {0.9, 10, 1.8331129326562343, 1.383028738396638},
        {0.9, 30, 1.6991270265334948, 1.3114336473015582},
        {0.9, 100, 1.6603911560169275, 1.2901614420344547},
        {0.95, 2, 12.706204736174659, 6.313751514675026},
        {0.95, 3, 4.302652729749456, 2.9199855803537202},
        {0.95, 5, 2.7764451051977908, 2.1318467863266495},
        {0.95, 10, 2.2621571627982027, 1.8331129326562343},
        {0.95, 30, 2.0452296421327016, 1.6991270265334948},
        {0.95, 100, 1.9842169515864239, 1.6603911560169275},
        {0.99, 2, 63.65674116287079, 31.820515953773743},
        {0.99, 3, 9.924843200918229, 6.9645567342832475},
        {0.99, 5, 4.604094871349979, 3.7469473879791897},
        {0.99, 10, 3.249835541592118, 2.821437925025804},
        {0.99, 30, 2.7563859036705995, 2.462021360150409},
        {0.99, 100, 2.62640545728083, 2.3646058617869468},
    };

    for (size_t i = 0; i < sizeof(worked) / sizeof(worked[0]); i++) {
        const double tol = 1e-9 * worked[i].two_sided;
        ck_assert_double_eq_tol(hitop_student_width(worked[i].cl, worked[i].n), worked[i].two_sided,
                                tol);
        /* what is exceeded on one side with 1 - cl is exceeded on both with twice that */
        ck_assert_double_eq_tol(hitop_student_width(2 * worked[i].cl - 1, worked[i].n),
                                worked[i].one_sided, tol);
    }
}
END_TEST

START_TEST(gives_the_worked_interval)
{
    const double samples[] = {10, 12, 11, 13, 14};
    struct hitop_precision p;
    struct hitop_mean m;

    hitop_precision_defaults(&p);
    m = hitop_precision_check(&p, samples, 5);
    ck_assert_double_eq_tol(m.mean, 12, 1e-12);
    ck_assert_double_eq_tol(m.ci, 1.9632431614775552, 1e-10);
    ck_assert(!m.converged && !m.finished);
    p.cl = 0.9; /* one-sided 95 % */
    m = hitop_precision_check(&p, samples, 5);
    ck_assert_double_eq_tol(m.ci, 1.5074433190623227, 1e-10);
}
END_TEST

static int reps; /* of the last call of repeat() */

/* Repeat over a sequence of twelve samples until the rule is satisfied. */
static struct hitop_mean repeat(const struct hitop_precision *p)
{
    static const double sequence[] = {10,   10.4, 9.8,  10.1, 9.9,  10.2,
                                      10.0, 9.7,  10.3, 10,   10.1, 9.9};
    double samples[100];
    struct hitop_mean m = {0};

    for (reps = 0; !m.finished;) {
        samples[reps] = sequence[reps % 12];
        m = hitop_precision_check(p, samples, ++reps);
        ck_assert_int_le(reps, p->max_reps);
    }
    return m;
}

START_TEST(stops_at_the_worked_number_of_repetitions)
{
    struct hitop_precision p = {.min_reps = 5, .max_reps = 100, .cl = 0.95, .eps = 0.01};
    struct hitop_mean m = repeat(&p);

    ck_assert(m.converged);
    ck_assert_int_eq(reps, 18);
    ck_assert_double_eq_tol(m.mean, 10.044444444444444, 1e-12);
    ck_assert_double_eq_tol(m.ci, 0.09978215581760683, 1e-10);
    p.cl = 0.9; /* where others take a one-sided interval of 95 % */
    m = repeat(&p);
    ck_assert_int_eq(reps, 13);
    ck_assert_double_eq_tol(m.mean, 10.030769230769229, 1e-12);
    ck_assert_double_eq_tol(m.ci, 0.09547843498721953, 1e-10);
}
END_TEST

START_TEST(keeps_the_limits_on_repetitions)
{
    struct hitop_precision p = {.min_reps = 25, .max_reps = 100, .cl = 0.95, .eps = 0.01};
    struct hitop_mean m = repeat(&p);

    ck_assert(m.converged && reps == 25);
    p.min_reps = 5;
    p.max_reps = 12;
    m = repeat(&p);
    ck_assert(!m.converged && reps == 12);
    p.min_reps = p.max_reps = 60; /* a fixed number */
    (void)repeat(&p);
    ck_assert_int_eq(reps, 60);
    p.min_reps = p.max_reps = 1;
    m = repeat(&p);
    ck_assert(reps == 1 && m.ci == 0 && !m.converged);
    p.min_reps = 1;
    p.max_reps = 100;
    p.eps = 10;
    (void)repeat(&p);
    ck_assert_int_eq(reps, 3);
}
END_TEST

START_TEST(does_not_believe_a_clock_that_stands_still)
{
    const double samples[] = {0, 0, 0, 0, 0, 0};
    struct hitop_precision p;
    struct hitop_mean m;

    hitop_precision_defaults(&p);
    m = hitop_precision_check(&p, samples, 6);
    ck_assert(!m.converged && !m.finished && m.mean == 0);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, gives_the_quantiles_of_student);
    tcase_add_test(tc, gives_the_worked_interval);
    tcase_add_test(tc, stops_at_the_worked_number_of_repetitions);
    tcase_add_test(tc, keeps_the_limits_on_repetitions);
    tcase_add_test(tc, does_not_believe_a_clock_that_stands_still);
}

TEST_MAIN("precision", add_tests)
