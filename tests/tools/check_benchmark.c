/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check_benchmark.c - which sizes are measured, what many times come to, and that nothing
 * overflows.
 */
#include <config.h>

#include "models/fit/passes.h"
#include "tools/benchmark/benchmark.h"

#include "tests/support/test_main.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>

static const struct benchmark_kind alltoallv = {
    .name = "alltoallv", .gives = BLOCKS_EACH, .gets = BLOCKS_EACH, .flags = KIND_COUNTS};
static const struct benchmark_kind reduce = {
    .name = "reduce", .gives = BLOCKS_ONE, .gets = BLOCKS_ONE, .flags = KIND_SUMS};
static const struct benchmark_kind barrier = {.name = "barrier"};

static void expect_counts(const struct benchmark_request *r, int nranks, const char *expected)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    int counts[BENCHMARK_COUNTS], n;
    char text[256] = "";

    ck_assert_int_eq(benchmark_plan_counts(r, nranks, counts, &n, &diag), HITOP_OK);
    for (int i = 0; i < n; i++) {
        (void)snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%d", i ? " " : "",
                       counts[i]);
    }
    ck_assert_str_eq(text, expected);
}

START_TEST(ranks_double_up_to_all)
{
    const struct benchmark_request usual = {.least_ranks = 2}, three = {.least_ranks = 3};
    const struct benchmark_request asked = {.counts = {7, 2, 7, 1}, .ncounts = 4};

    expect_counts(&usual, 1, "1");
    expect_counts(&usual, 2, "2");
    expect_counts(&usual, 7, "2 4 7");
    expect_counts(&usual, 8, "2 4 8");
    expect_counts(&usual, INT_MAX,
                  "2 4 8 16 32 64 128 256 512 1024 2048 4096 8192 16384 32768 "
                  "65536 131072 262144 524288 1048576 2097152 4194304 8388608 "
                  "16777216 33554432 67108864 134217728 268435456 536870912 "
                  "1073741824 2147483647");
    expect_counts(&three, 12, "3 6 12");
    expect_counts(&asked, 7, "1 2 7");
}
END_TEST

START_TEST(more_ranks_than_there_are_are_refused)
{
    const struct benchmark_request asked = {.counts = {9}, .ncounts = 1};
    struct hitop_diag diag = HITOP_DIAG_INIT;
    int counts[BENCHMARK_COUNTS], n;

    ck_assert_int_eq(benchmark_plan_counts(&asked, 8, counts, &n, &diag), HITOP_ERR_INVALID);
    ck_assert_str_eq(diag.message, "9 ranks are more than the 8 of this job");
}
END_TEST

START_TEST(repetitions_are_those_of_imb)
{
    /* the table in the guide to MPI cost that follows the Intel MPI Benchmarks of 2015 */
    static const struct {
        size_t bytes;
        int n;
    } table[] = {{0, 1000},     {1, 1000},     {4096, 1000},  {32768, 1000},
                 {65536, 640},  {131072, 320}, {262144, 160}, {524288, 80},
                 {1048576, 40}, {2097152, 20}, {4194304, 10}, {(size_t)1 << 40, 1},
                 {41944, 999}};
    struct benchmark_request r = {.rule = {.min_samples = 20, .max_samples = 2000}};

    ck_assert_int_eq(benchmark_plan_rule(&r, 65536).min_samples, 20);
    ck_assert_int_eq(benchmark_plan_rule(&r, 65536).max_samples, 2000);
    r.repetitions = REPETITIONS_IMB;
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        const struct hitop_stop_rule rule = benchmark_plan_rule(&r, table[i].bytes);
        ck_assert_int_eq(rule.min_samples, table[i].n);
        ck_assert_int_eq(rule.max_samples, table[i].n);
    }
}
END_TEST

START_TEST(memory_does_not_overflow)
{
    ck_assert_uint_eq(benchmark_plan_memory(&alltoallv, (size_t)4 << 20, 512), (size_t)4 << 30);
    ck_assert_uint_eq(benchmark_plan_memory(&alltoallv, (size_t)1 << 60, 512), SIZE_MAX);
    ck_assert_uint_eq(benchmark_plan_memory(&reduce, SIZE_MAX / 2, 2), SIZE_MAX);
    ck_assert_uint_eq(benchmark_plan_memory(&barrier, SIZE_MAX, 2), 0);
}
END_TEST

/* What stands against a size, or NULL; count and unit when there is nothing. */
static const char *try_size(const struct benchmark_kind *kind, size_t bytes, int ranks,
                            size_t element, int *count, size_t *unit)
{
    return benchmark_plan_size(kind, bytes, ranks, element, SIZE_MAX / 2, count, unit);
}

START_TEST(sizes_are_whole_elements_that_int_can_count)
{
    const size_t gib = (size_t)1 << 30;
    size_t unit;
    int count;

    ck_assert_ptr_null(try_size(&reduce, 8, 4, 4, &count, &unit));
    ck_assert_int_eq(count, 2);
    ck_assert_uint_eq(unit, 4);
    ck_assert_ptr_null(try_size(&reduce, 0, 4, 8, &count, &unit));
    ck_assert_int_eq(count, 0);
    /* two bytes are no float: nothing is timed under their name */
    ck_assert_str_eq(try_size(&reduce, 2, 4, 4, &count, &unit), "not a whole number of elements");

    /* more than INT_MAX: longer units, which cannot be added up */
    ck_assert_ptr_null(try_size(&reduce, INT_MAX, 4, 1, &count, &unit));
    ck_assert_ptr_null(try_size(&reduce, 4 * gib, 4, 4, &count, &unit));
    ck_assert_ptr_nonnull(try_size(&reduce, 8 * gib, 4, 4, &count, &unit));
    ck_assert_ptr_null(try_size(&alltoallv, 8 * gib, 2, 1, &count, &unit));
    ck_assert_uint_eq((size_t)count * unit, 8 * gib);
    /* displacements are of type int, too */
    ck_assert_ptr_null(try_size(&alltoallv, gib, 16, 1, &count, &unit));
    ck_assert_uint_eq((size_t)count * unit, gib);
    ck_assert_int_le(count, INT_MAX / 16);
    ck_assert_ptr_nonnull(try_size(&alltoallv, 4 * gib + 1, 2, 1, &count, &unit));
}
END_TEST

START_TEST(memory_has_a_limit)
{
    size_t unit;
    int count;

    ck_assert_ptr_null(benchmark_plan_size(&reduce, 512, 2, 4, 1024, &count, &unit));
    ck_assert_str_eq(benchmark_plan_size(&reduce, 516, 2, 4, 1024, &count, &unit),
                     "wants more than --memory of a rank");
}
END_TEST

START_TEST(a_summary_is_that_of_all_times)
{
    const struct hitop_stop_rule rule = {
        .eps = 0.01, .confidence = 0.95, .min_samples = 20, .max_samples = 100, .batch = 1};
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct benchmark_summary s;
    double samples[100];

    for (int i = 0; i < 100; i++) {
        samples[i] = (i * 37) % 100 + 1; /* 1 .. 100, well mixed */
    }
    samples[0] = 1e6; /* was 1: one outlier is the maximum, and spoils the mean alone */
    ck_assert_int_eq(hitop_benchmark_summarize(&rule, 1, samples, 100, NULL, 0, 0, &s, &diag),
                     HITOP_OK);
    ck_assert_int_eq(s.n, 100);
    ck_assert_double_ge(s.median, 51);
    ck_assert_double_le(s.median, 52);
    ck_assert_double_le(s.lo, s.median);
    ck_assert_double_ge(s.hi, s.median);
    ck_assert_double_eq(s.min, 2);
    ck_assert_double_eq(s.max, 1e6);
    ck_assert_double_eq_tol(s.q25, 26, 1.5);
    ck_assert_double_eq_tol(s.q90, 91, 1.5);
    ck_assert_double_eq_tol(s.mean, (5049 + 1e6) / 100, 1e-6);
    ck_assert_double_lt(s.halves, 0.3);
    for (int i = 50; i < 100; i++) {
        samples[i] *= 2;
    }
    ck_assert_int_eq(hitop_benchmark_summarize(&rule, 1, samples, 100, NULL, 0, 0, &s, &diag),
                     HITOP_OK);
    ck_assert_double_eq_tol(s.halves, log(2), 0.2);
    ck_assert_int_eq(hitop_benchmark_summarize(&rule, 1, samples, 1, NULL, 0, 0, &s, &diag),
                     HITOP_OK);
    ck_assert_double_eq(s.median, 1e6);
    ck_assert(isnan(s.halves));
}
END_TEST

/*
 * A clock that goes in steps of 10, read at any phase of one: means of a thousand times are known
 * to less than a step.
 */
/* Between what the first look wants and what budget and repetitions allow. */
static double seconds(const struct benchmark_request *r, double call, double scatter, double slot)
{
    return hitop_benchmark_passes_seconds(&r->rule, r->passes, r->nimplementations, r->budget, call,
                                          scatter, slot);
}

START_TEST(a_plan_takes_what_its_calls_take)
{
    struct benchmark_request r = {
        .nimplementations = 1,
        .budget = 1,
        .passes = 6,
        .rule = {.eps = 0.02, .confidence = 0.95, .min_samples = 20, .max_samples = 2000}};
    const double quiet = seconds(&r, 1e-3, 0, 0.01);
    const double noisy = seconds(&r, 1e-3, 0.2, 0.01);

    ck_assert_double_ge(quiet, 0.06); /* six passes of ten calls */
    ck_assert_double_le(quiet, 0.12);
    ck_assert_double_ge(noisy, 0.5); /* 600 calls */
    ck_assert_double_le(noisy, 0.8);
    ck_assert_double_eq_tol(seconds(&r, 1e-3, 10, 0.01), 1, 1e-9); /* the budget */
    ck_assert_double_le(seconds(&r, 1e-6, 10, 0.01), 0.003);       /* 2000 calls */
    ck_assert_double_eq_tol(seconds(&r, 3, 0, 0.01), 6, 1e-9);     /* two calls */
    r.nimplementations = 2;
    r.passes = 1;
    ck_assert_double_ge(seconds(&r, 1e-3, 0, 0), 0.1);
}
END_TEST

START_TEST(a_coarse_clock_does_not_round_the_median)
{
    enum { N = 1000, STEP = 10 };
    const struct hitop_stop_rule rule = {
        .eps = 0.01, .confidence = 0.95, .min_samples = 20, .max_samples = N, .batch = 1};
    struct benchmark_summary s;
    double samples[N];

    for (double truth = 243; truth < 254; truth++) {
        for (int i = 0; i < N; i++) {
            const double began = (i * 389 % N) / (double)N * STEP;
            samples[i] = STEP * (floor((began + truth) / STEP) - floor(began / STEP));
        }
        ck_assert_int_eq(hitop_benchmark_summarize(&rule, 1, samples, N, NULL, 0, STEP, &s, NULL),
                         HITOP_OK);
        ck_assert_double_eq_tol(s.median, truth, 1.8); /* of one phase in ten 240, of nine 250 */
        ck_assert_double_le(s.lo, s.median);
        ck_assert_double_ge(s.hi, s.median);
    }
    for (int i = 0; i < N; i++) { /* all alike, or not in steps at all */
        samples[i] = 250;
    }
    ck_assert_int_eq(hitop_benchmark_summarize(&rule, 1, samples, N, NULL, 0, STEP, &s, NULL),
                     HITOP_OK);
    ck_assert_double_eq(s.median, 250);
    for (int i = 0; i < N; i++) {
        samples[i] = 250 + 0.001 * (i * 389 % N);
    }
    ck_assert_int_eq(hitop_benchmark_summarize(&rule, 1, samples, N, NULL, 0, 1e-4, &s, NULL),
                     HITOP_OK);
    ck_assert_double_eq_tol(s.median, 250.5, 1e-3);
}
END_TEST

START_TEST(the_slowest_rank_is_named)
{
    const int last[] = {3, 1, 3, 2, 3};
    double share;

    ck_assert_int_eq(hitop_benchmark_most_often(last, 5, 4, &share), 3);
    ck_assert_double_eq(share, 0.6);
    ck_assert_int_eq(hitop_benchmark_most_often(last + 1, 1, 4, &share), 1);
}
END_TEST

START_TEST(megabytes_are_powers_of_ten)
{
    ck_assert_double_eq(hitop_benchmark_bandwidth(1000000, 1, 1), 1);
    ck_assert_double_eq_tol(hitop_benchmark_bandwidth(1 << 20, 2, 1e-3), 2097.152, 1e-9);
    ck_assert_double_eq(hitop_benchmark_bandwidth(8, 1, 0), 0);
}
END_TEST

static void add_tests(TCase *t)
{
    tcase_add_test(t, ranks_double_up_to_all);
    tcase_add_test(t, more_ranks_than_there_are_are_refused);
    tcase_add_test(t, repetitions_are_those_of_imb);
    tcase_add_test(t, memory_does_not_overflow);
    tcase_add_test(t, sizes_are_whole_elements_that_int_can_count);
    tcase_add_test(t, memory_has_a_limit);
    tcase_add_test(t, a_summary_is_that_of_all_times);
    tcase_add_test(t, a_plan_takes_what_its_calls_take);
    tcase_add_test(t, a_coarse_clock_does_not_round_the_median);
    tcase_add_test(t, the_slowest_rank_is_named);
    tcase_add_test(t, megabytes_are_powers_of_ten);
}

TEST_MAIN("benchmark", add_tests)
