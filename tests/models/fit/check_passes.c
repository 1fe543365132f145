/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check_passes.c - how calls are spread over passes, and that intervals hold what a machine that
 * changes does in the middle.
 *
 * Times are synthetic with fixed seeds; HITOP_TEST_SEED gives other ones.
 */
#include <config.h>

#include "models/fit/passes.h"
#include "models/fit/statistics.h"

#include "tests/support/test_main.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include <math.h>
#include <stdio.h>

static const struct hitop_stop_rule usual = {
    .eps = 0.02, .confidence = 0.95, .min_samples = 20, .max_samples = 2000, .batch = 1};

START_TEST(as_many_passes_as_an_interval_wants)
{
    ck_assert_int_eq(hitop_stop_fewest_passes(0.95), 6);
    ck_assert_int_eq(hitop_stop_fewest_passes(0.99), 8);
    ck_assert_int_eq(hitop_stop_fewest_passes(0.9), 5);
}
END_TEST

START_TEST(short_calls_are_spread_evenly)
{
    /* 2000 in 6 passes: the slot has room for all of them */
    const struct benchmark_passes p = hitop_benchmark_passes_choose(&usual, 6, 1e-6, 1, 0.01);

    ck_assert_int_eq(p.wanted, 6);
    ck_assert_int_eq(p.per_pass, 334);
    ck_assert_int_eq(p.warm_again, 2);
    ck_assert_int_eq(hitop_benchmark_passes_next(&usual, &p, 1), 2000);
    ck_assert_int_eq(hitop_benchmark_passes_before(&p, 1), 6);
}
END_TEST

START_TEST(longer_calls_are_fewer)
{
    const struct benchmark_passes p = hitop_benchmark_passes_choose(&usual, 6, 1e-3, 1, 0.01);

    ck_assert_int_eq(p.per_pass, 10);
    ck_assert_int_eq(hitop_benchmark_passes_next(&usual, &p, 1), 60);
    ck_assert_int_eq(hitop_benchmark_passes_next(&usual, &p, 2), 90);
    ck_assert_int_eq(hitop_benchmark_passes_before(&p, 2), 3);
}
END_TEST

START_TEST(the_longest_calls_are_taken_in_one_go)
{
    struct benchmark_passes p = hitop_benchmark_passes_choose(&usual, 6, 0.05, 1, 0.01);

    ck_assert_int_eq(p.wanted, 6);
    ck_assert_int_eq(p.per_pass, 5);
    ck_assert_int_eq(p.warm_again, 0);
    p = hitop_benchmark_passes_choose(&usual, 6, 0.06, 1, 0.01);
    ck_assert_int_eq(p.wanted, 1);
    ck_assert_int_eq(hitop_benchmark_passes_next(&usual, &p, 1), 20);
    ck_assert_int_eq(hitop_benchmark_passes_before(&p, 1), 1);
}
END_TEST

/* A size that needs 10 calls gets 10, with at most as many warm-up calls. */
START_TEST(few_calls_are_taken_in_one_go)
{
    struct hitop_stop_rule few = usual;

    few.max_samples = few.min_samples = 29;
    ck_assert_int_eq(hitop_benchmark_passes_choose(&few, 6, 1e-6, 1, 0.01).wanted, 1);
    few.max_samples = few.min_samples = 30;
    ck_assert_int_eq(hitop_benchmark_passes_choose(&few, 6, 1e-6, 1, 0.01).wanted, 6);
}
END_TEST

START_TEST(one_pass_is_the_rule_without_passes)
{
    const struct benchmark_passes p = hitop_benchmark_passes_choose(&usual, 1, 1e-6, 1, 0);

    for (int look = 1; look < 15; look++) {
        ck_assert_int_eq(hitop_benchmark_passes_next(&usual, &p, look),
                         hitop_stop_next(&usual, look));
        ck_assert_int_eq(hitop_benchmark_passes_before(&p, look), 1);
    }
}
END_TEST

START_TEST(the_interval_is_that_of_medians)
{
    enum { PASSES = 9, EACH = 21 };
    double samples[PASSES * EACH];
    int ends[PASSES];
    struct benchmark_summary s;

    for (int i = 0; i < PASSES * EACH; i++) { /* passes around 9, 8 ... 1; none is without spread */
        samples[i] = PASSES - i / EACH + 0.1 * (i * 8 % EACH - EACH / 2) / EACH;
        ends[i / EACH] = i + 1;
    }
    ck_assert_int_eq(hitop_benchmark_summarize(&usual, 1, samples, 189, ends, 9, 0, &s, NULL),
                     HITOP_OK);
    ck_assert_double_eq_tol(s.median, 5, 0.1);
    ck_assert_double_eq_tol(s.lo, 2, 1e-9); /* P(X <= 1) = 10 / 512 for 9 fair coins */
    ck_assert_double_eq_tol(s.hi, 8, 1e-9);
    /* five passes are too few for 0.95 */
    ck_assert_int_eq(hitop_benchmark_summarize(&usual, 1, samples, 105, ends, 5, 0, &s, NULL),
                     HITOP_OK);
    ck_assert(isnan(s.lo) && isnan(s.hi));
}
END_TEST

/* A machine: each pass finds it slower or faster by so much, as the normal law says. */
struct machine {
    const char *name;
    double shift;  /* standard deviation of the logarithm, by passes */
    double rho;    /* correlation of successive times within a pass */
    double one_go; /* that the rule without passes may cover, at most */
};
static const struct machine machines[] = {
    {"the same always", 0, 0, 1},
    {"a tenth by passes", 0.1, 0, 0.3},
    {"a hundredth by passes", 0.01, 0, 0.9},
    {"a tenth by passes, and alike in them", 0.1, 0.8, 0.6},
};

/* Passes of 50 until the rule is satisfied, or 30 of them. Returns how many. */
static int measure(const struct machine *machine, gsl_rng *rng, double *samples, int *ends,
                   struct hitop_median *m)
{
    const struct benchmark_passes p = {.wanted = 6, .per_pass = 50};
    int npasses = 0, n = 0;

    *m = (struct hitop_median){0};
    for (int look = 1; !m->converged && npasses < 30; look++) {
        for (int i = 0; i < hitop_benchmark_passes_before(&p, look); i++) {
            const double middle = gsl_ran_gaussian(rng, machine->shift);
            double noise = gsl_ran_gaussian(rng, 1);
            for (int k = 0; k < p.per_pass; k++) {
                noise = machine->rho * noise +
                        sqrt(1 - machine->rho * machine->rho) * gsl_ran_gaussian(rng, 1);
                samples[n++] = exp(middle + 0.03 * noise);
            }
            ends[npasses++] = n;
        }
        ck_assert_int_eq(hitop_stop_check_passes(&usual, look, samples, ends, npasses, m, NULL),
                         HITOP_OK);
        ck_assert(m->has_interval && m->lo <= m->median && m->median <= m->hi);
    }
    return npasses;
}

START_TEST(intervals_hold_the_middle_of_passes)
{
    enum { TRIALS = 250, MOST = 30 * 50 };
    const struct machine *machine = &machines[_i];
    const char *given = getenv("HITOP_TEST_SEED");
    double *samples = calloc(MOST, sizeof(*samples)), passes = 0;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    int ends[30], covered = 0, in_one_go = 0;

    gsl_rng_set(rng, given ? strtoul(given, NULL, 10) : 314159);
    for (int trial = 0; trial < TRIALS; trial++) {
        struct hitop_median m, plain;
        const int npasses = measure(machine, rng, samples, ends, &m);
        covered += m.lo <= 1 && 1 <= m.hi;
        passes += npasses;
        /* what one of the passes says of all of them */
        ck_assert_int_eq(hitop_stop_check(&usual, 1, samples, 50, &plain, NULL), HITOP_OK);
        in_one_go += plain.lo <= 1 && 1 <= plain.hi;
    }
    printf("%s: coverage %.3f, in one go %.3f, mean passes %.1f\n", machine->name,
           (double)covered / TRIALS, (double)in_one_go / TRIALS, passes / TRIALS);
    ck_assert_double_ge((double)covered / TRIALS, 0.93);
    ck_assert_double_le((double)in_one_go / TRIALS, machine->one_go);
    gsl_rng_free(rng);
    free(samples);
}
END_TEST

static void add_tests(TCase *t)
{
    tcase_add_test(t, as_many_passes_as_an_interval_wants);
    tcase_add_test(t, short_calls_are_spread_evenly);
    tcase_add_test(t, longer_calls_are_fewer);
    tcase_add_test(t, the_longest_calls_are_taken_in_one_go);
    tcase_add_test(t, few_calls_are_taken_in_one_go);
    tcase_add_test(t, one_pass_is_the_rule_without_passes);
    tcase_add_test(t, the_interval_is_that_of_medians);
    tcase_add_loop_test(t, intervals_hold_the_middle_of_passes, 0,
                        (int)(sizeof(machines) / sizeof(machines[0])));
}

TEST_MAIN("passes", add_tests)
