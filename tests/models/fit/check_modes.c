/* SPDX-License-Identifier: BSD-3-Clause */
/* check_modes.c - as many modes as were put in, where they are, and none of noise. */
#include <config.h>

#include "models/fit/modes.h"

#include "tests/support/draw.h"
#include "tests/support/streams.h"
#include "tests/support/test_main.h"

#include <gsl/gsl_randist.h>

#include <math.h>

enum { MAX_SAMPLES = 2000, STREAMS = 400 };

/* Deviations of some numbers from their median. */
static double spread(const double *x, size_t begin, size_t end)
{
    const double median = x[begin + (end - begin) / 2];
    double sum = 0;

    for (size_t i = begin; i < end; i++) {
        sum += fabs(x[i] - median);
    }
    return sum;
}

START_TEST(clusters_are_the_best_of_all)
{
    uint64_t state = draw_seed();
    struct clusters found[MAX_CLUSTERS];
    double x[40];

    for (int trial = 0; trial < 500; trial++) {
        const size_t n = 1 + (size_t)draw(&state, 40), least = 1 + (size_t)draw(&state, 5);
        double best[MAX_CLUSTERS] = {INFINITY, INFINITY, INFINITY};
        for (size_t i = 0; i < n; i++) {
            x[i] = (i > 0 ? x[i - 1] : -3) + draw(&state, 4) * draw(&state, 10) * 0.125;
        }
        ck_assert(hitop_clusters_find(x, n, least, found));
        best[0] = n >= least ? spread(x, 0, n) : INFINITY;
        for (size_t i = least; i + least <= n; i++) {
            best[1] = fmin(best[1], spread(x, 0, i) + spread(x, i, n));
            for (size_t j = i + least; j + least <= n; j++) {
                best[2] = fmin(best[2], spread(x, 0, i) + spread(x, i, j) + spread(x, j, n));
            }
        }
        for (int k = 0; k < MAX_CLUSTERS; k++) {
            double cost = 0;
            ck_assert_int_eq(isinf(found[k].cost), isinf(best[k]));
            if (isinf(best[k])) {
                continue;
            }
            ck_assert_double_eq_tol(found[k].cost, best[k], 1e-12);
            ck_assert(found[k].begin[0] == 0 && found[k].begin[k + 1] == n);
            for (int group = 0; group <= k; group++) {
                ck_assert_uint_ge(found[k].begin[group + 1] - found[k].begin[group], least);
                cost += spread(x, found[k].begin[group], found[k].begin[group + 1]);
            }
            ck_assert_double_eq_tol(cost, best[k], 1e-12);
        }
    }
}
END_TEST

/* The share, in per mille, of streams of n samples in which so many modes are found; the last ones
 * in out. */
static int find_often(const struct stream *s, int n, int nmodes, struct hitop_modes *out)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    static double x[MAX_SAMPLES];
    int right = 0;

    gsl_rng_set(rng, 4711);
    for (int trial = 0; trial < STREAMS; trial++) {
        double memory = gsl_ran_gaussian(rng, 1);
        for (int i = 0; i < n; i++) {
            x[i] = stream_next(s, rng, &memory);
        }
        ck_assert_int_eq(hitop_modes_find(x, n, s->clock_step, out, NULL), HITOP_OK);
        right += out->n == nmodes;
    }
    gsl_rng_free(rng);
    printf("%s, %d samples: %d of %d have %d modes\n", s->name, n, right, STREAMS, nmodes);
    return 1000 * right / STREAMS;
}

START_TEST(finds_two_modes)
{
    static const struct stream narrow[] = {
        {.name = "a tenth 8 % above, noise 1 %", .sigma = 0.01, .second_mode = 0.1},
        {.name = "a third 8 % above, noise 1 %", .sigma = 0.01, .second_mode = 0.3},
        {.name = "a half 8 % above, noise 1 %", .sigma = 0.01, .second_mode = 0.5},
        {.name = "the same with spikes", .sigma = 0.01, .second_mode = 0.5, .spikes = 0.02},
        {.name = "a third, memory of 0.6", .sigma = 0.01, .second_mode = 0.3, .rho = 0.6}};
    const struct stream wide = {
        .name = "a third 8 % above, noise 2 %", .sigma = 0.02, .second_mode = 0.3};
    struct hitop_modes m;

    for (size_t i = 0; i < sizeof(narrow) / sizeof(narrow[0]); i++) {
        const double w = narrow[i].second_mode;
        ck_assert_int_ge(find_often(&narrow[i], 300, 2, &m), 950);
        ck_assert_double_eq_tol(m.centre[1] / m.centre[0], 1.08, 0.01);
        ck_assert_double_eq_tol(m.weight[1], w, 0.08);
        ck_assert_double_eq_tol(m.weight[0] + m.weight[1], 1, 1e-12);
    }
    ck_assert_int_ge(find_often(&wide, 2000, 2, &m), 950);
}
END_TEST

START_TEST(finds_one_mode_in_noise)
{
    static const struct stream all[] = {
        {.name = "noise of 2 %", .sigma = 0.02},
        {.name = "with spikes", .sigma = 0.02, .spikes = 0.02},
        {.name = "memory of 0.6", .sigma = 0.02, .rho = 0.6},
        {.name = "memory of 0.9", .sigma = 0.02, .rho = 0.9},
        {.name = "a coarse clock", .sigma = 0.02, .clock_step = 50e-9, .batch = 1},
        {.name = "a very coarse clock", .sigma = 0.02, .clock_step = 1e-6, .batch = 1}};
    static const int samples[] = {20, 45, 150, 500};
    struct hitop_modes m;

    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
        for (size_t k = 0; k < sizeof(samples) / sizeof(samples[0]); k++) {
            ck_assert_int_ge(find_often(&all[i], samples[k], 1, &m), 950);
        }
    }
}
END_TEST

/* Exponential and even distributions are wide or skew, but not two. */
START_TEST(finds_one_mode_in_other_distributions)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    struct hitop_modes m;
    int wrong[2] = {0};
    double x[300];

    for (int trial = 0; trial < STREAMS; trial++) {
        for (int kind = 0; kind < 2; kind++) {
            for (int i = 0; i < 300; i++) {
                x[i] = kind ? gsl_ran_exponential(rng, 1) : gsl_rng_uniform(rng);
            }
            ck_assert_int_eq(hitop_modes_find(x, 300, 0, &m, NULL), HITOP_OK);
            wrong[kind] += m.n != 1;
        }
    }
    gsl_rng_free(rng);
    printf("even: %d of %d wrong; exponential: %d\n", wrong[0], STREAMS, wrong[1]);
    ck_assert_int_le(wrong[0], STREAMS / 20);
    ck_assert_int_le(wrong[1], STREAMS / 20);
}
END_TEST

START_TEST(finds_three_modes_and_changes_in_time)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    int right[2] = {0};
    struct hitop_modes m;
    double x[400];

    for (int trial = 0; trial < STREAMS; trial++) {
        for (int i = 0; i < 400; i++) {
            const double u = gsl_rng_uniform(rng);
            const double level = u < 0.5 ? 1 : u < 0.8 ? 1.125 : 1.5;
            x[i] = 23.85e-6 * level * exp(gsl_ran_gaussian(rng, 0.01));
        }
        ck_assert_int_eq(hitop_modes_find(x, 400, 0, &m, NULL), HITOP_OK);
        right[0] += m.n == 3 && fabs(m.weight[2] - 0.2) < 0.1 &&
                    fabs(m.centre[1] / m.centre[0] - 1.125) < 0.01;
        for (int i = 0; i < 400; i++) { /* another route since sample 150 */
            x[i] = (i < 150 ? 7.5e-6 : 8.5e-6) * exp(gsl_ran_gaussian(rng, 0.01));
        }
        ck_assert_int_eq(hitop_modes_find(x, 400, 0, &m, NULL), HITOP_OK);
        right[1] += m.n == 2 && fabs(m.weight[0] - 0.375) < 0.01;
    }
    gsl_rng_free(rng);
    printf("three modes: %d of %d; a change: %d\n", right[0], STREAMS, right[1]);
    ck_assert_int_ge(right[0], STREAMS * 95 / 100);
    ck_assert_int_ge(right[1], STREAMS * 95 / 100);
}
END_TEST

START_TEST(takes_few_and_equal_samples)
{
    static const double few[] = {1, 9, 1, 9, 1, 9, 1, 9};
    double equal[100];
    struct hitop_modes m;

    for (int n = 1; n <= 8; n++) {
        ck_assert_int_eq(hitop_modes_find(few, n, 0, &m, NULL), HITOP_OK);
        ck_assert(m.n == 1 && m.weight[0] == 1);
    }
    for (int i = 0; i < 100; i++) {
        equal[i] = i % 4 ? 2.385 : 2.385 + 1e-9;
    }
    ck_assert_int_eq(hitop_modes_find(equal, 100, 1e-9, &m, NULL), HITOP_OK);
    ck_assert(m.n == 1 && m.centre[0] == 2.385);
    ck_assert_int_eq(hitop_modes_find(equal, 100, 0, &m, NULL), HITOP_OK);
    ck_assert(m.n == 2 && m.weight[1] == 0.25);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, clusters_are_the_best_of_all);
    tcase_add_test(tc, finds_two_modes);
    tcase_add_test(tc, finds_one_mode_in_noise);
    tcase_add_test(tc, finds_one_mode_in_other_distributions);
    tcase_add_test(tc, finds_three_modes_and_changes_in_time);
    tcase_add_test(tc, takes_few_and_equal_samples);
}

TEST_MAIN("modes", add_tests)
