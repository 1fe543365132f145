/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check_verdict.c - equals are called equal in 95 of 100 comparisons, and a tenth more is found in
 * 95 of 100.
 *
 * Whatever the noise: wide, with spikes, with two modes, with a memory of many samples, drifting.
 * Times are synthetic with fixed seeds; HITOP_TEST_SEED gives other ones.
 */
#include <config.h>

#include "models/fit/verdict.h"

#include "tests/support/streams.h"
#include "tests/support/test_main.h"

#include "models/fit/estimate.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include <math.h>
#include <stdio.h>

enum { RUNS = 200, FEWEST = RUNS * 95 / 100, PER_BLOCK = 5 };

static const struct family {
    struct stream stream;
    double drift; /* relative, per sample */
} families[] = {
    {{.name = "2 %", .sigma = 0.02, .batch = 1}, 0},
    {{.name = "10 %", .sigma = 0.1, .batch = 1}, 0},
    {{.name = "20 %", .sigma = 0.2, .batch = 1}, 0},
    {{.name = "spikes", .sigma = 0.05, .spikes = 0.1, .batch = 1}, 0},
    {{.name = "two modes", .sigma = 0.03, .second_mode = 0.3, .batch = 1}, 0},
    {{.name = "memory", .sigma = 0.05, .rho = 0.9, .batch = 1}, 0},
    {{.name = "drift", .sigma = 0.03, .batch = 1}, 1e-3},
    {{.name = "coarse clock", .sigma = 0.03, .clock_step = 25e-9, .batch = 1}, 0},
};

static unsigned long seed(void)
{
    const char *given = getenv("HITOP_TEST_SEED");

    return given ? strtoul(given, NULL, 10) : 31415;
}

/* The median of a block, whose times are so much longer. */
static double block(const struct family *f, gsl_rng *rng, double factor, double *memory, int *taken)
{
    double t[PER_BLOCK];

    for (int i = 0; i < PER_BLOCK; i++) {
        t[i] = factor * stream_next(&f->stream, rng, memory) * (1 + f->drift * (*taken)++);
    }
    return hitop_median_of(t, PER_BLOCK);
}

/* One comparison, as the tool makes it, of two that differ by a factor. */
static struct benchmark_verdict compare(const struct family *f, gsl_rng *rng, double factor)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct benchmark_verdict v = {0};
    double quads[VERDICT_MOST_QUADS], memory = gsl_ran_gaussian(rng, 1);
    int n = 0, taken = 0;

    for (int look = 1; n < VERDICT_MOST_QUADS && !v.settled; look++) {
        for (; n < hitop_benchmark_verdict_next(look); n++) {
            const int first = (int)gsl_rng_uniform_int(rng, 2);
            double logs[2] = {0, 0};
            for (int k = 0; k < 4; k++) {
                const int way = k == 0 || k == 3 ? first : !first;
                logs[way] += log(block(f, rng, way ? factor : 1, &memory, &taken));
            }
            quads[n] = (logs[1] - logs[0]) / 2;
        }
        ck_assert_int_eq(hitop_benchmark_judge(quads, n, 0.99, 0.02, &v, &diag), HITOP_OK);
        ck_assert_double_le(v.lo, v.ratio);
        ck_assert_double_ge(v.hi, v.ratio);
    }
    return v;
}

/* Of all runs, those with this outcome. */
static int count(const struct family *f, double factor, enum benchmark_outcome outcome)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    int n = 0;

    gsl_rng_set(rng, seed());
    for (int i = 0; i < RUNS; i++) {
        n += compare(f, rng, factor).outcome == outcome;
    }
    gsl_rng_free(rng);
    printf("%-12s x %.2f: %3d of %d %s\n", f->stream.name, factor, n, RUNS,
           hitop_benchmark_outcome_name(outcome));
    return n;
}

START_TEST(equals_are_equal)
{
    ck_assert_int_ge(count(&families[_i], 1, VERDICT_NONE), FEWEST);
}
END_TEST

START_TEST(a_tenth_more_is_found)
{
    ck_assert_int_ge(count(&families[_i], 1.1, VERDICT_SLOWER), FEWEST);
}
END_TEST

START_TEST(a_tenth_less_is_found)
{
    ck_assert_int_ge(count(&families[_i], 1 / 1.1, VERDICT_FASTER), FEWEST);
}
END_TEST

START_TEST(differences_below_the_margin_are_not_reported)
{
    double quads[24];
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct benchmark_verdict v;

    for (int i = 0; i < 24; i++) {
        quads[i] = log(1.01) + 1e-4 * (i - 12); /* sure, but a hundredth only */
    }
    ck_assert_int_eq(hitop_benchmark_judge(quads, 24, 0.99, 0.02, &v, &diag), HITOP_OK);
    ck_assert_int_eq(v.outcome, VERDICT_NONE);
    ck_assert_double_gt(v.lo, 1);
    ck_assert_int_eq(hitop_benchmark_judge(quads, 24, 0.99, 0.005, &v, &diag), HITOP_OK);
    ck_assert_int_eq(v.outcome, VERDICT_SLOWER);
}
END_TEST

/* Of n quads the interval is all there is when that is too little: 2^-n of them agree by chance. */
START_TEST(few_quads_show_nothing)
{
    const double quads[] = {0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5};
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct benchmark_verdict v;

    ck_assert_int_eq(hitop_benchmark_judge(quads, 7, 0.99, 0.02, &v, &diag), HITOP_OK);
    ck_assert_int_eq(v.outcome, VERDICT_NONE);
    ck_assert_int_eq(v.settled, 0);
    ck_assert_int_eq(hitop_benchmark_judge(quads, 8, 0.99, 0.02, &v, &diag), HITOP_OK);
    ck_assert_int_eq(v.outcome, VERDICT_SLOWER);
    ck_assert_double_eq_tol(v.ratio, exp(0.5), 1e-12);
}
END_TEST

/* Critical values of signed ranks as tables give them: for n = 12 and a two-sided 1 %, sums up to 7
 * are too small. */
START_TEST(the_interval_is_that_of_the_tables)
{
    double quads[12], means[78];
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct benchmark_verdict v;
    int n = 0;

    for (int i = 0; i < 12; i++) {
        quads[i] = 0.01 * i * i - 0.3;
    }
    for (int i = 0; i < 12; i++) {
        for (int j = i; j < 12; j++) {
            means[n++] = (quads[i] + quads[j]) / 2;
        }
    }
    for (int i = 1; i < n; i++) { /* by insertion */
        for (int j = i; j > 0 && means[j] < means[j - 1]; j--) {
            const double other = means[j];
            means[j] = means[j - 1];
            means[j - 1] = other;
        }
    }
    ck_assert_int_eq(hitop_benchmark_judge(quads, 12, 0.99, 0.02, &v, &diag), HITOP_OK);
    ck_assert_double_eq_tol(log(v.lo), means[7], 1e-12);
    ck_assert_double_eq_tol(log(v.hi), means[n - 8], 1e-12);
}
END_TEST

static void add_tests(TCase *t)
{
    const int n = sizeof(families) / sizeof(families[0]);

    tcase_add_loop_test(t, equals_are_equal, 0, n);
    tcase_add_loop_test(t, a_tenth_more_is_found, 0, n);
    tcase_add_loop_test(t, a_tenth_less_is_found, 0, n);
    tcase_add_test(t, differences_below_the_margin_are_not_reported);
    tcase_add_test(t, few_quads_show_nothing);
    tcase_add_test(t, the_interval_is_that_of_the_tables);
}

TEST_MAIN("verdict", add_tests)
