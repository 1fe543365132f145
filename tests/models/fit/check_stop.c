/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check_stop.c - the interval of a median holds it as often as promised, whatever the samples.
 *
 * Streams are synthetic with fixed seeds; HITOP_TEST_SEED gives other ones.
 */
#include <config.h>

#include "models/fit/estimate.h"

#include "tests/support/streams.h"
#include "tests/support/test_main.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include <math.h>
#include <stdio.h>

static unsigned long seed(void)
{
    const char *given = getenv("HITOP_TEST_SEED");

    return given ? strtoul(given, NULL, 10) : 271828;
}

static const struct hitop_stop_rule usual = {.eps = 0.01,
                                             .confidence = 0.95,
                                             .min_samples = 20,
                                             .max_samples = 20000,
                                             .clock_step = 0,
                                             .batch = 1};

START_TEST(looks_half_as_many_again_each_time)
{
    static const int expected[] = {20, 30, 45, 68, 102, 153};

    for (int look = 1; look <= 6; look++) {
        ck_assert_int_eq(hitop_stop_next(&usual, look), expected[look - 1]);
    }
    ck_assert_int_eq(hitop_stop_next(&usual, 100), 20000);
}
END_TEST

START_TEST(takes_the_order_statistics_of_the_binomial_distribution)
{
    /* at look 1 alpha is 0.0304: 20 samples need the 5th from either end, since
     * P(X <= 4) = 0.0059 and P(X <= 5) = 0.0207 for 20 fair coins */
    double samples[20];
    struct hitop_median m;

    for (int i = 0; i < 20; i++) {
        samples[i] = 100 + (i % 2 ? 19 - i / 2 : i / 2); /* neighbours are far apart */
    }
    ck_assert_int_eq(hitop_stop_check(&usual, 1, samples, 20, &m, NULL), HITOP_OK);
    ck_assert_int_eq(m.effective, 20);
    ck_assert_double_eq(m.median, 109.5);
    ck_assert_double_eq(m.lo, 104);
    ck_assert_double_eq(m.hi, 115);
    ck_assert_double_eq_tol(m.se, 5.5 / gsl_cdf_ugaussian_Qinv(0.05 * 3 / M_PI / M_PI), 1e-12);
    ck_assert(!m.converged);
}
END_TEST

START_TEST(survives_samples_without_spread)
{
    double samples[20];
    struct hitop_median m;

    for (int i = 0; i < 20; i++) {
        samples[i] = 2.385e-6;
    }
    ck_assert_int_eq(hitop_stop_check(&usual, 1, samples, 20, &m, NULL), HITOP_OK);
    ck_assert(m.converged && m.median == 2.385e-6 && m.lo == m.hi && m.se == 0);
    memset(samples, 0, sizeof(samples));
    ck_assert_int_eq(hitop_stop_check(&usual, 1, samples, 20, &m, NULL), HITOP_OK);
    ck_assert(m.converged && m.median == 0);
}
END_TEST

START_TEST(trusts_no_interval_of_too_few_samples)
{
    const double samples[] = {1, 1, 1, 1, 1, 1};
    struct hitop_median m;

    for (int n = 1; n <= 6; n++) {
        ck_assert_int_eq(hitop_stop_check(&usual, 1, samples, n, &m, NULL), HITOP_OK);
        ck_assert_int_eq(m.nsamples, n);
        ck_assert(!m.converged);
    }
}
END_TEST

START_TEST(sees_correlation_beyond_the_first_lag)
{
    enum { N = 4000 };
    static double x[N];
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    double slow = 0;

    gsl_rng_set(rng, seed());
    for (int t = 0; t < N; t++) {
        x[t] = gsl_ran_gaussian(rng, 1);
    }
    ck_assert_double_lt(hitop_correlation_time(x, N), 1.3);
    x[0] = gsl_ran_gaussian(rng, 1);
    for (int t = 1; t < N; t++) { /* tau = (1 + rho) / (1 - rho) = 9 */
        x[t] = 0.8 * x[t - 1] + 0.6 * gsl_ran_gaussian(rng, 1);
    }
    ck_assert_double_gt(hitop_correlation_time(x, N), 6);
    ck_assert_double_lt(hitop_correlation_time(x, N), 20);
    for (int t = 0; t < N; t++) { /* slow drift under a fast alternation: lag 1 is negative */
        slow = 0.98 * slow + 0.2 * gsl_ran_gaussian(rng, 1);
        x[t] = slow + (t % 2 ? 3 : -3) + 0.1 * gsl_ran_gaussian(rng, 1);
    }
    ck_assert_double_gt(hitop_correlation_time(x, N), 3);
    gsl_rng_free(rng);
}
END_TEST

/* A machine that changes for seconds brings this: products at each distance would take minutes. */
START_TEST(sees_long_correlation_of_many_samples)
{
    enum { N = 1000000 };
    static double x[N];
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    const double rho = 0.98;

    gsl_rng_set(rng, seed());
    x[0] = gsl_ran_gaussian(rng, 1);
    for (int t = 1; t < N; t++) { /* tau = 99 */
        x[t] = rho * x[t - 1] + sqrt(1 - rho * rho) * gsl_ran_gaussian(rng, 1);
    }
    ck_assert_double_gt(hitop_correlation_time(x, N), 75);
    ck_assert_double_lt(hitop_correlation_time(x, N), 130);
    for (int t = 1; t < N; t++) {
        x[t] = x[t - 1] + gsl_ran_gaussian(rng, 1);
    }
    ck_assert_double_gt(hitop_correlation_time(x, N), 0.01 * N);
    gsl_rng_free(rng);
}
END_TEST

/* What a rule that looked at the mean would take for granted: independent, normal, exact. None is.
 */
static const struct stream streams[] = {
    {.name = "clean", .sigma = 0.02},
    {.name = "spikes", .sigma = 0.02, .spikes = 0.02},
    {.name = "two modes", .sigma = 0.02, .spikes = 0.02, .second_mode = 0.3},
    {.name = "AR(0.6)", .sigma = 0.02, .rho = 0.6},
    {.name = "AR(0.9)", .sigma = 0.02, .rho = 0.9},
    {.name = "AR(0.6) and spikes", .sigma = 0.02, .rho = 0.6, .spikes = 0.02},
    {.name = "AR(0.6), interleaved", .sigma = 0.02, .rho = 0.6, .others = 7},
    {.name = "AR(0.9), interleaved", .sigma = 0.02, .rho = 0.9, .others = 7},
    {.name = "quantised clock", .sigma = 0.02, .clock_step = 25e-9, .batch = 3},
    {.name = "noisy", .sigma = 0.06, .spikes = 0.05},
};

/* Samples, on average, after which the rule is satisfied may not exceed these. */
static const double most_samples[] = {130, 140, 500, 550, 2900, 550, 150, 400, 140, 1500};

START_TEST(intervals_hold_the_median_as_often_as_promised)
{
    enum { TRIALS = 400 };
    const struct stream *s = &streams[_i];
    const double truth = stream_median(s);
    struct hitop_stop_rule rule = usual;
    double *samples = calloc((size_t)rule.max_samples, sizeof(*samples));
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    int covered = 0, close = 0;
    double total = 0;

    gsl_rng_set(rng, seed());
    rule.clock_step = s->clock_step;
    rule.batch = s->batch > 0 ? s->batch : 1;
    for (int trial = 0; trial < TRIALS; trial++) {
        struct hitop_median m = {0};
        double memory = gsl_ran_gaussian(rng, 1);
        int n = 0;
        for (int look = 1; !m.converged && n < rule.max_samples; look++) {
            while (n < hitop_stop_next(&rule, look)) {
                samples[n++] = stream_next(s, rng, &memory);
            }
            ck_assert_int_eq(hitop_stop_check(&rule, look, samples, n, &m, NULL), HITOP_OK);
        }
        ck_assert(m.converged);
        covered += m.lo <= truth && truth <= m.hi;
        close += fabs(m.median / truth - 1) <= 0.01;
        total += n;
    }
    printf("%s: coverage %.3f, within 1%% %.3f, mean n %.0f\n", s->name, (double)covered / TRIALS,
           (double)close / TRIALS, total / TRIALS);
    ck_assert_double_ge((double)covered / TRIALS, 0.93);
    ck_assert_double_ge((double)close / TRIALS, 0.93);
    ck_assert_double_le(total / TRIALS, most_samples[_i]);
    gsl_rng_free(rng);
    free(samples);
}
END_TEST

START_TEST(batches_until_the_clock_step_does_not_matter)
{
    ck_assert_int_eq(hitop_batch_size(0, 1e-6), 1);
    ck_assert_int_eq(hitop_batch_size(25e-9, 20e-6), 1);
    ck_assert_int_eq(hitop_batch_size(25e-9, 0.54e-6), 24); /* 12.5 us over 0.54 us */
    ck_assert_int_eq(hitop_batch_size(1, 1e-9), 1000000);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, looks_half_as_many_again_each_time);
    tcase_add_test(tc, takes_the_order_statistics_of_the_binomial_distribution);
    tcase_add_test(tc, survives_samples_without_spread);
    tcase_add_test(tc, trusts_no_interval_of_too_few_samples);
    tcase_add_test(tc, sees_correlation_beyond_the_first_lag);
    tcase_add_test(tc, sees_long_correlation_of_many_samples);
    tcase_add_loop_test(tc, intervals_hold_the_median_as_often_as_promised, 0,
                        (int)(sizeof(streams) / sizeof(streams[0])));
    tcase_add_test(tc, batches_until_the_clock_step_does_not_matter);
}

TEST_MAIN("stop rule", add_tests)
