/* SPDX-License-Identifier: BSD-3-Clause */
/* check_sizes.c - an adaptive choice of sizes finds what there is, in a bounded number of them. */
#include <config.h>

#include "hitop/measure.h"

#include "tests/support/test_main.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include <math.h>
#include <stdio.h>

enum { MAX_SIZES = 400, MAX_ROUNDS = 100 };

/* 2 us and 12 GB/s; from 4 KiB, from 64 KiB on another 2 us and 5 us, at less per byte. */
struct truth {
    size_t first, second; /* switches; 0: none */
    double noise;         /* relative */
};

static double seconds(const struct truth *truth, size_t bytes)
{
    const double m = (double)bytes;

    if (truth->second && bytes >= truth->second) {
        return 9e-6 + 0.085e-9 * m;
    }
    return truth->first && bytes >= truth->first ? 4e-6 + 0.2e-9 * m : 2e-6 + 0.6e-9 * m;
}

static struct hitop_point measure(const struct truth *truth, size_t bytes, gsl_rng *rng)
{
    const double t = seconds(truth, bytes);
    const double seen = t * exp(truth->noise > 0 ? gsl_ran_gaussian(rng, truth->noise) : 0);
    const double se = fmax(truth->noise, 1e-3) * t;

    return (struct hitop_point){
        .bytes = bytes, .seconds = seen, .se = se, .lo = seen - 1.96 * se, .hi = seen + 1.96 * se};
}

/* The points measured so far, by size. */
struct sweep {
    struct hitop_point point[MAX_SIZES];
    size_t n;
    int rounds;
};

static void insert(struct sweep *s, struct hitop_point p)
{
    size_t at = s->n;

    ck_assert_uint_lt(s->n, MAX_SIZES);
    for (; at > 0 && s->point[at - 1].bytes > p.bytes; at--) {
        s->point[at] = s->point[at - 1];
    }
    ck_assert(at == 0 || s->point[at - 1].bytes < p.bytes); /* no size twice */
    s->point[at] = p;
    s->n++;
}

/* Measure until nothing more is asked for. */
static void run(const struct truth *truth, size_t max, const struct hitop_refinement *rule,
                gsl_rng *rng, struct sweep *s)
{
    size_t *start = NULL, next[8], n = 0;
    int nstart;

    *s = (struct sweep){0};
    ck_assert_int_eq(hitop_sizes_start(0, max, &start, &nstart, NULL), HITOP_OK);
    for (int i = 0; i < nstart; i++) {
        insert(s, measure(truth, start[i], rng));
    }
    free(start);
    do {
        ck_assert_int_lt(s->rounds, MAX_ROUNDS);
        ck_assert_int_eq(hitop_sizes_refine(s->point, s->n, rule, next, 8, &n, NULL), HITOP_OK);
        for (size_t i = 0; i < n; i++) {
            insert(s, measure(truth, next[i], rng));
        }
        s->rounds++;
    } while (n > 0);
}

/* Distance of the neighbouring sizes below and at or above a switch. */
static size_t bracket(const struct sweep *s, size_t at)
{
    size_t i = 1;

    while (s->point[i].bytes < at) {
        i++;
    }
    return s->point[i].bytes - s->point[i - 1].bytes;
}

static const struct hitop_refinement usual = {.eps = 0.02, .confidence = 0.95, .min_stride = 64};

START_TEST(starts_with_all_magnitudes)
{
    static const size_t expected[] = {0, 1, 4, 16, 64, 256, 1000};
    size_t *sizes = NULL;
    int n;

    ck_assert_int_eq(hitop_sizes_start(0, 1000, &sizes, &n, NULL), HITOP_OK);
    ck_assert_int_eq(n, 7);
    ck_assert_mem_eq(sizes, expected, sizeof(expected));
    free(sizes);
    ck_assert_int_eq(hitop_sizes_start(16, 64, &sizes, &n, NULL), HITOP_OK);
    ck_assert(n == 2 && sizes[0] == 16 && sizes[1] == 64);
    free(sizes);
    ck_assert_int_eq(hitop_sizes_start(0, SIZE_MAX, &sizes, &n, NULL), HITOP_OK);
    ck_assert(sizes[n - 1] == SIZE_MAX && sizes[n - 2] == (size_t)1 << 62);
    free(sizes);
    ck_assert_int_eq(hitop_sizes_start(7, 7, &sizes, &n, NULL), HITOP_ERR_INVALID);
    ck_assert_ptr_null(sizes);
}
END_TEST

START_TEST(a_straight_line_needs_no_more)
{
    const struct truth line = {.noise = 0};
    struct sweep s;

    run(&line, (size_t)4 << 20, &usual, NULL, &s);
    ck_assert_int_eq(s.rounds, 1);
    ck_assert_uint_eq(s.n, 13);
}
END_TEST

START_TEST(switches_are_bracketed_by_the_stride)
{
    const struct truth both = {.first = 4096, .second = 65536};
    struct sweep s;

    run(&both, (size_t)4 << 20, &usual, NULL, &s);
    printf("two switches: %zu sizes in %d rounds\n", s.n, s.rounds);
    ck_assert_uint_le(bracket(&s, 4096), 64);
    ck_assert_uint_le(bracket(&s, 65536), 64);
    ck_assert_uint_le(s.n, 50);
}
END_TEST

START_TEST(switches_are_found_to_the_byte_on_request)
{
    const struct truth odd = {.first = 4041, .second = 65481};
    struct hitop_refinement exact = usual;
    struct sweep s;

    exact.exact = 1;
    run(&odd, (size_t)4 << 20, &exact, NULL, &s);
    printf("to the byte: %zu sizes in %d rounds\n", s.n, s.rounds);
    ck_assert_uint_eq(bracket(&s, 4041), 1);
    ck_assert_uint_eq(bracket(&s, 65481), 1);
    ck_assert_uint_le(s.n, 65);
}
END_TEST

START_TEST(noise_that_does_not_matter_asks_for_nothing)
{
    const struct truth noisy = {.noise = 0.005}; /* a quarter of what matters */
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    int more = 0;

    gsl_rng_set(rng, 5);
    for (int r = 0; r < 100; r++) {
        struct sweep s;
        run(&noisy, (size_t)4 << 20, &usual, rng, &s);
        more += s.n > 13;
    }
    ck_assert_int_le(more, 3);
    gsl_rng_free(rng);
}
END_TEST

/* Noise of five times the wanted precision: the intervals say so, and the number of sizes stays
 * small. */
START_TEST(noise_that_is_known_asks_for_little)
{
    const struct truth both = {.first = 4096, .second = 65536, .noise = 0.01};
    struct hitop_refinement strict = usual;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    size_t most = 0, found = 0;

    strict.eps = 0.002;
    gsl_rng_set(rng, 6);
    for (int r = 0; r < 100; r++) {
        struct sweep s;
        run(&both, (size_t)4 << 20, &strict, rng, &s);
        most = s.n > most ? s.n : most;
        found += bracket(&s, 4096) <= 64 && bracket(&s, 65536) <= 64;
    }
    printf("noisy: both switches found in %zu of 100 runs, at most %zu sizes\n", found, most);
    ck_assert_uint_le(most, 50);
    ck_assert_uint_ge(found, 85);
    gsl_rng_free(rng);
}
END_TEST

START_TEST(the_greatest_doubt_comes_first)
{
    const struct truth both = {.first = 4096, .second = 65536};
    struct sweep s = {.n = 0};
    size_t *start = NULL, all[8], one, n;
    int nstart;

    ck_assert_int_eq(hitop_sizes_start(0, (size_t)4 << 20, &start, &nstart, NULL), HITOP_OK);
    for (int i = 0; i < nstart; i++) {
        insert(&s, measure(&both, start[i], NULL));
    }
    free(start);
    ck_assert_int_eq(hitop_sizes_refine(s.point, s.n, &usual, all, 8, &n, NULL), HITOP_OK);
    ck_assert_uint_gt(n, 1);
    ck_assert_int_eq(hitop_sizes_refine(s.point, s.n, &usual, &one, 1, &n, NULL), HITOP_OK);
    ck_assert(n == 1 && one == all[0]);
}
END_TEST

START_TEST(refuses_what_is_no_rule)
{
    const struct truth line = {.noise = 0};
    const struct hitop_point points[] = {measure(&line, 0, NULL), measure(&line, 1000, NULL)};
    struct hitop_refinement bad = usual;
    size_t next, n;

    bad.eps = 0;
    ck_assert_int_eq(hitop_sizes_refine(points, 2, &bad, &next, 1, &n, NULL), HITOP_ERR_INVALID);
    bad = usual;
    bad.min_stride = 0;
    ck_assert_int_eq(hitop_sizes_refine(points, 2, &bad, &next, 1, &n, NULL), HITOP_ERR_INVALID);
    ck_assert_int_eq(hitop_sizes_refine(points, 1, &usual, &next, 1, &n, NULL), HITOP_ERR_INVALID);
    ck_assert_int_eq(hitop_sizes_refine(points, 2, &usual, &next, 1, &n, NULL), HITOP_OK);
    ck_assert_uint_eq(n, 0);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, starts_with_all_magnitudes);
    tcase_add_test(tc, a_straight_line_needs_no_more);
    tcase_add_test(tc, switches_are_bracketed_by_the_stride);
    tcase_add_test(tc, switches_are_found_to_the_byte_on_request);
    tcase_add_test(tc, noise_that_does_not_matter_asks_for_nothing);
    tcase_add_test(tc, noise_that_is_known_asks_for_little);
    tcase_add_test(tc, the_greatest_doubt_comes_first);
    tcase_add_test(tc, refuses_what_is_no_rule);
}

TEST_MAIN("sizes", add_tests)
