/* SPDX-License-Identifier: BSD-3-Clause */
/* check_segments.c - lines through stretches of points: their number, their places, their optimum. */
#include <config.h>

#include "hitop/estimate.h"

#include "test_main.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include <math.h>

enum { MAX_POINTS = 64, RUNS = 400 };

/* Line for messages below a size. */
struct protocol {
    size_t below;
    double a, b;
};

/* Copies, buffered sends, and asking first. */
static const struct protocol three[] = {
    {4096, 1e-6, 0.6e-9}, {65536, 3e-6, 0.25e-9}, {SIZE_MAX, 6e-6, 0.085e-9}};
static const struct protocol one[] = {{SIZE_MAX, 2e-6, 0.0833e-9}};

/* 0, then two sizes for each doubling up to 8 MiB: 47 of them. */
static size_t make_sizes(size_t *bytes)
{
    size_t n = 0;

    bytes[n++] = 0;
    for (size_t size = 1; size <= (size_t)8 << 20; size *= 2) {
        bytes[n++] = size;
        if (size > 1 && size < (size_t)8 << 20) {
            bytes[n++] = size + size / 2;
        }
    }
    return n;
}

static void make_points(const struct protocol *protocol, double noise, gsl_rng *rng,
                        const size_t *bytes, size_t n, struct hitop_point *points)
{
    for (size_t i = 0; i < n; i++) {
        const struct protocol *p = protocol;
        double t;
        while (bytes[i] >= p->below) {
            p++;
        }
        t = p->a + p->b * (double)bytes[i];
        t *= exp(gsl_ran_gaussian(rng, noise));
        points[i] = (struct hitop_point){.bytes = bytes[i], .seconds = t, .se = noise * t};
    }
}

/* How often the number of lines is right, and how often their places are as well, in per cent. */
struct score {
    double number, places;
};

static struct score run(const struct protocol *protocol, size_t nprotocols, double noise,
                        double claimed)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    struct score score = {0};
    size_t bytes[MAX_POINTS];
    const size_t n = make_sizes(bytes);

    ck_assert_uint_eq(n, 47);
    gsl_rng_set(rng, 4711);
    for (int r = 0; r < RUNS; r++) {
        struct hitop_point points[MAX_POINTS];
        struct hitop_segment segment[HITOP_MAX_SEGMENTS];
        size_t found, right = 0;
        make_points(protocol, noise, rng, bytes, n, points);
        for (size_t i = 0; i < n; i++) {
            points[i].se *= claimed;
        }
        ck_assert_int_eq(hitop_segments(points, n, 0.95, segment, &found, NULL), HITOP_OK);
        score.number += found == nprotocols;
        for (size_t k = 1; found == nprotocols && k < found; k++) {
            ck_assert_uint_eq(segment[k].first, segment[k - 1].last + 1);
            right += bytes[segment[k].first] == protocol[k - 1].below;
        }
        score.places += found == nprotocols && right + 1 == nprotocols;
    }
    gsl_rng_free(rng);
    score.number *= 100.0 / RUNS;
    score.places *= 100.0 / RUNS;
    return score;
}

START_TEST(finds_three_protocols)
{
    const struct score fine = run(three, 3, 0.005, 1), coarse = run(three, 3, 0.02, 1);

    ck_assert_msg(fine.number >= 99 && fine.places >= 97, "%g %% %g %%", fine.number, fine.places);
    ck_assert_msg(coarse.number >= 99, "%g %%", coarse.number);
}
END_TEST

START_TEST(finds_no_break_in_one_line)
{
    const struct score fine = run(one, 1, 0.005, 1), coarse = run(one, 1, 0.02, 1);

    ck_assert_msg(fine.number >= 99 && coarse.number >= 99, "%g %% %g %%", fine.number,
                  coarse.number);
}
END_TEST

/* Standard errors four times too small: then the noise is not known. */
START_TEST(does_not_trust_errors_that_are_too_small)
{
    const struct score broken = run(three, 3, 0.02, 0.25), straight = run(one, 1, 0.02, 0.25);

    ck_assert_msg(broken.number >= 90, "%g %%", broken.number);
    ck_assert_msg(straight.number >= 96, "%g %%", straight.number);
}
END_TEST

/* Squared deviation of the constrained least-squares line in units of the errors. */
static double line_cost(const struct hitop_point *p, size_t n)
{
    struct hitop_line line;
    double sum = 0;

    ck_assert_int_eq(hitop_line_least_squares(p, n, 0.95, &line, NULL), HITOP_OK);
    for (size_t i = 0; i < n; i++) {
        const double d = (p[i].seconds - line.a - line.b * (double)p[i].bytes) / p[i].se;
        sum += d * d;
    }
    return sum;
}

/* Of all ways to cut 14 points in two, the one taken is the best. */
START_TEST(the_places_are_the_best_ones)
{
    enum { N = 14 };
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    size_t bytes[N];

    gsl_rng_set(rng, 17);
    for (size_t i = 0; i < N; i++) {
        bytes[i] = 1000 * (i + 1);
    }
    for (int r = 0; r < 50; r++) {
        const struct protocol two[] = {{bytes[4 + (size_t)r % 7], 1e-6, 1e-9},
                                       {SIZE_MAX, 9e-6, 0.3e-9}};
        struct hitop_point points[N];
        struct hitop_segment segment[HITOP_MAX_SEGMENTS];
        size_t found, best = 0;
        double least = HUGE_VAL;
        make_points(two, 0.02, rng, bytes, N, points);
        ck_assert_int_eq(hitop_segments(points, N, 0.95, segment, &found, NULL), HITOP_OK);
        ck_assert_uint_eq(found, 2);
        for (size_t cut = 4; cut + 4 <= N; cut++) {
            const double cost = line_cost(points, cut) + line_cost(points + cut, N - cut);
            if (cost < least) {
                least = cost;
                best = cut;
            }
        }
        ck_assert_uint_eq(segment[1].first, best);
    }
    gsl_rng_free(rng);
}
END_TEST

START_TEST(refuses_what_is_no_curve)
{
    struct hitop_point points[9];
    struct hitop_segment segment[HITOP_MAX_SEGMENTS];
    size_t found;

    for (size_t i = 0; i < 9; i++) {
        points[i] = (struct hitop_point){.bytes = 10, .seconds = 1, .se = 0.1};
    }
    ck_assert_int_eq(hitop_segments(points, 9, 0.95, segment, &found, NULL), HITOP_ERR_INVALID);
    ck_assert_int_eq(hitop_segments(points, 0, 0.95, segment, &found, NULL), HITOP_ERR_INVALID);
    ck_assert_int_eq(hitop_segments(points, 1, 0.95, segment, &found, NULL), HITOP_ERR_INVALID);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, finds_three_protocols);
    tcase_add_test(tc, finds_no_break_in_one_line);
    tcase_add_test(tc, does_not_trust_errors_that_are_too_small);
    tcase_add_test(tc, the_places_are_the_best_ones);
    tcase_add_test(tc, refuses_what_is_no_curve);
}

TEST_MAIN("segments", add_tests)
