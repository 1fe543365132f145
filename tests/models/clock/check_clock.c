/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check_clock.c - clocks of known offset and drift are found behind messages with skewed delays.
 *
 * Streams are synthetic with fixed seeds; HITOP_TEST_SEED gives other ones.
 */
#include <config.h>

#include "models/clock/clock.h"

#include "tests/support/test_main.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include <math.h>
#include <stdio.h>

enum { MOST_EXCHANGES = 100, POINTS = 50 };

static const double least_delay = 1.7e-6, mean_excess = 200e-9; /* of a message */

static gsl_rng *new_rng(void)
{
    const char *given = getenv("HITOP_TEST_SEED");
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

    gsl_rng_set(rng, given ? strtoul(given, NULL, 10) : 271828);
    return rng;
}

static double delay(gsl_rng *rng)
{
    return least_delay + gsl_ran_exponential(rng, mean_excess);
}

/* Exchanges that begin at *when with a clock that is ahead; *when becomes their end. */
static void exchange(gsl_rng *rng, const struct hitop_clock_line *truth, double *when,
                     struct hitop_clock_exchange *x, int n)
{
    for (int i = 0; i < n; i++) {
        const double there = *when + delay(rng);
        const double back = there + delay(rng);
        x[i] = (struct hitop_clock_exchange){*when, hitop_clock_line_apply(truth, there), back};
        *when = back;
    }
}

START_TEST(bounds_an_offset_from_both_sides)
{
    const struct hitop_clock_exchange x[] = {{0, 103, 8}, {8, 110, 12}};
    struct hitop_clock_offset o;

    ck_assert_int_eq(hitop_clock_offset(x, 2, &o, NULL), HITOP_OK);
    ck_assert_double_eq(o.offset, 100); /* in [98, 102] */
    ck_assert_double_eq(o.error, 2);
    ck_assert_double_eq(o.at, 10); /* both bounds are those of the second exchange */
    ck_assert_int_eq(hitop_clock_offset(x, 1, &o, NULL), HITOP_OK);
    ck_assert_double_eq(o.offset, 99);
    ck_assert_double_eq(o.error, 4);
}
END_TEST

START_TEST(takes_bounds_from_different_exchanges)
{
    /* quick there and slow back, then slow there and quick back */
    const struct hitop_clock_exchange x[] = {{0, 51.5, 9}, {10, 67.5, 19}};
    struct hitop_clock_offset o;

    ck_assert_int_eq(hitop_clock_offset(x, 2, &o, NULL), HITOP_OK);
    ck_assert_double_eq(o.offset, 50);
    ck_assert_double_eq(o.error, 1.5);
    ck_assert_double_eq(o.at, 9.5);
}
END_TEST

START_TEST(refuses_impossible_exchanges)
{
    const struct hitop_clock_exchange x[] = {{0, 103, 8}, {8.25, 110, 8}, {9, NAN, 10}};
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_clock_offset o;

    ck_assert_int_eq(hitop_clock_offset(x, 0, &o, &diag), HITOP_ERR_INVALID);
    ck_assert_str_eq(diag.message, "clock offset: 0 exchanges; at least 1");
    ck_assert_int_eq(hitop_clock_offset(x, 2, &o, &diag), HITOP_ERR_INVALID);
    ck_assert_str_eq(diag.message, "clock offset: exchange 1 was sent at 8.25, stamped 110 and "
                                   "answered at 8");
    ck_assert_int_eq(hitop_clock_offset(x + 2, 1, &o, NULL), HITOP_ERR_INVALID);
}
END_TEST

/* The exchange with the quickest round trip, as others do it. */
static double offset_of_quickest(const struct hitop_clock_exchange *x, int n)
{
    const struct hitop_clock_exchange *best = x;

    for (int i = 1; i < n; i++) {
        if (x[i].received - x[i].sent < best->received - best->sent) {
            best = &x[i];
        }
    }
    return best->stamp - 0.5 * (best->sent + best->received);
}

/* Root mean square errors may be this; and half of the error by the quickest round trip. */
static const struct {
    int n;
    double limit;
} envelopes[] = {{10, 17e-9}, {30, 5.6e-9}, {100, 1.8e-9}};

START_TEST(finds_offsets_to_a_share_of_the_noise)
{
    enum { TRIALS = 4000 };
    const struct hitop_clock_line truth = {.offset = -17.38519};
    const int n = envelopes[_i].n;
    gsl_rng *rng = new_rng();
    double sum = 0, sum_of_quickest = 0;

    for (int trial = 0; trial < TRIALS; trial++) {
        struct hitop_clock_exchange x[MOST_EXCHANGES];
        struct hitop_clock_offset o;
        double when = 2.385 * trial;
        exchange(rng, &truth, &when, x, n);
        ck_assert_int_eq(hitop_clock_offset(x, n, &o, NULL), HITOP_OK);
        ck_assert_double_le(fabs(o.offset - truth.offset), o.error);
        sum += pow(o.offset - truth.offset, 2);
        sum_of_quickest += pow(offset_of_quickest(x, n) - truth.offset, 2);
    }
    printf("%d exchanges: envelope %.1f ns, quickest round trip %.1f ns\n", n,
           1e9 * sqrt(sum / TRIALS), 1e9 * sqrt(sum_of_quickest / TRIALS));
    ck_assert_double_le(sqrt(sum / TRIALS), envelopes[_i].limit);
    ck_assert_double_le(sum, 0.5 * 0.5 * sum_of_quickest);
    gsl_rng_free(rng);
}
END_TEST

/* Clocks of one host: exchanges over a line of shared memory, both clocks in steps. Root mean
 * square errors in ns. */
START_TEST(finds_less_than_a_step)
{
    enum { TRIALS = 1000, N = 200 };
    const double step = 10e-9, hop = 61.7e-9, truth = (_i - 3) * 4.3e-9;
    gsl_rng *rng = new_rng();
    double sum = 0, sum_of_envelope = 0;

    for (int trial = 0; trial < TRIALS; trial++) {
        struct hitop_clock_exchange x[N];
        struct hitop_clock_offset o;
        double when = 2.385 * gsl_rng_uniform(rng);
        for (int i = 0; i < N; i++) {
            const double there = when + hop + gsl_ran_exponential(rng, 3e-9) +
                                 (gsl_rng_uniform(rng) < 0.1 ? 200e-9 : 0); /* disturbed */
            const double back = there + hop + gsl_ran_exponential(rng, 3e-9);
            x[i] = (struct hitop_clock_exchange){step * floor(when / step),
                                                 step * floor((there + truth) / step),
                                                 step * floor(back / step)};
            when = back + gsl_ran_exponential(rng, 20e-9);
        }
        ck_assert_int_eq(hitop_clock_offset(x, N, &o, NULL), HITOP_OK);
        sum_of_envelope += pow(o.offset - truth, 2);
        ck_assert_int_eq(hitop_clock_offset_mean(x, N, &o, NULL), HITOP_OK);
        sum += pow(o.offset - truth, 2);
        ck_assert_double_ge(o.error, hop - step);
        ck_assert_double_le(o.error, hop + 2 * step);
    }
    printf("%.1f ns, clocks of %g ns: mean %.2f ns, envelope %.2f ns\n", 1e9 * truth, 1e9 * step,
           1e9 * sqrt(sum / TRIALS), 1e9 * sqrt(sum_of_envelope / TRIALS));
    ck_assert_double_le(sqrt(sum / TRIALS), 0.8e-9);
    gsl_rng_free(rng);
}
END_TEST

START_TEST(leaves_the_slower_half_out)
{
    struct hitop_clock_exchange x[] = {{0, 150, 20}, {20, 126, 28}, {30, 134, 40}, {40, 245, 99}};
    struct hitop_clock_offset o;

    ck_assert_int_eq(hitop_clock_offset_mean(x, 4, &o, NULL), HITOP_OK);
    ck_assert_double_eq(o.offset, 100.5); /* 102 and 99 */
    ck_assert_double_eq(o.at, 29.5);
    ck_assert_double_eq(o.error, 5);
    ck_assert_int_eq(hitop_clock_offset_mean(x, 1, &o, NULL), HITOP_OK);
    ck_assert_double_eq(o.offset, 102);
    ck_assert_int_eq(hitop_clock_offset_mean(x, 0, &o, NULL), HITOP_ERR_INVALID);
}
END_TEST

/* Offsets at POINTS moments spread over a span. */
static void observe(gsl_rng *rng, const struct hitop_clock_line *truth, double start, double span,
                    struct hitop_clock_offset *out)
{
    for (int i = 0; i < POINTS; i++) {
        struct hitop_clock_exchange x[30];
        double when = start + span * i / (POINTS - 1);
        exchange(rng, truth, &when, x, 30);
        ck_assert_int_eq(hitop_clock_offset(x, 30, &out[i], NULL), HITOP_OK);
    }
}

static const struct {
    double span, later, limit; /* root mean square error of a prediction so much later */
} spans[] = {
    {0.1, 10, 280e-9},
    {1, 10, 29e-9},
    {5, 10, 7e-9},
    {5, 60, 35e-9},
};

START_TEST(predicts_the_better_the_longer_it_looked)
{
    enum { TRIALS = 400 };
    const struct hitop_clock_line truth = {
        .at = 8437.25, .offset = 17.38519, .drift = 23.85e-6}; /* a bad but usual quartz */
    gsl_rng *rng = new_rng();
    double sum = 0;

    for (int trial = 0; trial < TRIALS; trial++) {
        struct hitop_clock_offset offsets[POINTS];
        struct hitop_clock_line line;
        const double when = truth.at + spans[_i].span + spans[_i].later;
        double error;
        observe(rng, &truth, truth.at, spans[_i].span, offsets);
        ck_assert_int_eq(hitop_clock_line_fit(offsets, POINTS, &line, NULL), HITOP_OK);
        error = hitop_clock_line_apply(&line, when) - hitop_clock_line_apply(&truth, when);
        sum += error * error;
    }
    printf("span %g s: %.1f ns after %g s\n", spans[_i].span, 1e9 * sqrt(sum / TRIALS),
           spans[_i].later);
    ck_assert_double_le(sqrt(sum / TRIALS), spans[_i].limit);
    gsl_rng_free(rng);
}
END_TEST

START_TEST(lets_disturbed_moments_count_less)
{
    const struct hitop_clock_line truth = {.at = 0, .offset = 0.285, .drift = -7.3e-6};
    struct hitop_clock_offset offsets[POINTS];
    struct hitop_clock_line line;
    gsl_rng *rng = new_rng();

    observe(rng, &truth, 0, 1, offsets);
    for (int i = 40; i < 45; i++) { /* another process had the processor */
        offsets[i].offset += 2e-3;
        offsets[i].error += 4e-3;
    }
    ck_assert_int_eq(hitop_clock_line_fit(offsets, POINTS, &line, NULL), HITOP_OK);
    ck_assert_double_le(
        fabs(hitop_clock_line_apply(&line, 10) - hitop_clock_line_apply(&truth, 10)), 5e-6);
    gsl_rng_free(rng);
}
END_TEST

START_TEST(there_and_back_is_the_same_moment)
{
    const struct hitop_clock_line line = {.at = 17.25, .offset = 3.5, .drift = 0.125};

    ck_assert_double_eq(hitop_clock_line_apply(&line, 25.25), 29.75);
    ck_assert_double_eq(hitop_clock_line_invert(&line, 29.75), 25.25);
}
END_TEST

START_TEST(chains_lines)
{
    const struct hitop_clock_line first = {17.25, 3.5, 0.125};
    const struct hitop_clock_line second = {100.5, -41.75, -0.0625};
    const struct hitop_clock_line both = hitop_clock_line_chain(&first, &second);

    for (double t = 0; t < 100; t += 23.75) {
        const double middle = hitop_clock_line_apply(&first, t);
        ck_assert_double_eq_tol(hitop_clock_line_apply(&both, t),
                                hitop_clock_line_apply(&second, middle), 1e-12);
    }
}
END_TEST

START_TEST(refuses_what_is_no_line)
{
    struct hitop_clock_offset o[] = {{1, 2, 0.5}, {1, 2.25, 0.5}, {1, 2.5, 0.5}};
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_clock_line line;

    ck_assert_int_eq(hitop_clock_line_fit(o, 3, &line, &diag), HITOP_ERR_INVALID);
    ck_assert_str_eq(diag.message,
                     "clock line: a drift of +-nan s per second (nan: all offsets are "
                     "of one moment); at most 0.5");
    o[2].at = 2;
    o[2].offset = 4;
    ck_assert_int_eq(hitop_clock_line_fit(o, 3, &line, &diag), HITOP_ERR_INVALID);
    ck_assert_str_eq(diag.message, "clock line: a drift of +-1.875 s per second (nan: all offsets "
                                   "are of one moment); at most 0.5");
    o[2] = (struct hitop_clock_offset){2, 2.25, 0};
    o[1] = o[0] = (struct hitop_clock_offset){1, 2, 0};
    ck_assert_int_eq(hitop_clock_line_fit(o, 3, &line, &diag), HITOP_OK);
    ck_assert_double_eq_tol(line.drift, 0.25, 1e-12);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, bounds_an_offset_from_both_sides);
    tcase_add_test(tc, takes_bounds_from_different_exchanges);
    tcase_add_test(tc, refuses_impossible_exchanges);
    tcase_add_loop_test(tc, finds_offsets_to_a_share_of_the_noise, 0,
                        (int)(sizeof(envelopes) / sizeof(envelopes[0])));
    tcase_add_loop_test(tc, finds_less_than_a_step, 0, 7);
    tcase_add_test(tc, leaves_the_slower_half_out);
    tcase_add_loop_test(tc, predicts_the_better_the_longer_it_looked, 0,
                        (int)(sizeof(spans) / sizeof(spans[0])));
    tcase_add_test(tc, lets_disturbed_moments_count_less);
    tcase_add_test(tc, there_and_back_is_the_same_moment);
    tcase_add_test(tc, chains_lines);
    tcase_add_test(tc, refuses_what_is_no_line);
}

TEST_MAIN("clock", add_tests)
