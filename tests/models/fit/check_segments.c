/* SPDX-License-Identifier: BSD-3-Clause */
/* check_segments.c - lines through stretches of points: their number, their places, their optimum.
 */
#include <config.h>

#include "models/fit/estimate.h"

#include "tests/support/streams.h"
#include "tests/support/test_main.h"

#include <gsl/gsl_rng.h>

#include <math.h>
#include <stdint.h>
#include <stdio.h>

enum { RUNS = 400 };

/* Copies, buffered sends, and asking first. */
static const struct protocol three[] = {
    {4096, 1e-6, 0.6e-9}, {65536, 3e-6, 0.25e-9}, {SIZE_MAX, 6e-6, 0.085e-9}};
static const struct protocol one[] = {{SIZE_MAX, 2e-6, 0.0833e-9}};

/* Shares of runs, in per cent, and the mean relative error of the times that the lines give. */
struct score {
    double number; /* of lines is right */
    double exact;  /* and all begin where they should */
    double near;   /* or one size beside */
    double error;
};

/* How far, in sizes, the beginning of a line is from where it should be. */
static int off(const size_t *bytes, size_t first, size_t below)
{
    const size_t next = first + 1 < CURVE_SIZES ? bytes[first + 1] : SIZE_MAX;

    return bytes[first] == below ? 0 : bytes[first - 1] == below || next == below ? 1 : 2;
}

static void judge(const struct protocol *protocol, size_t nprotocols, const size_t *bytes,
                  const struct hitop_segment *segment, size_t found, struct score *score)
{
    int farthest = 0;

    for (size_t k = 0; k < found; k++) {
        const struct hitop_segment *s = &segment[k];
        ck_assert_uint_eq(s->first, k == 0 ? 0 : s[-1].last + 1);
        for (size_t i = s->first; i <= s->last; i++) {
            const double t = s->line.a + s->line.b * (double)bytes[i];
            score->error += fabs(t / curve_seconds(protocol, bytes[i]) - 1) / (CURVE_SIZES * RUNS);
        }
    }
    for (size_t k = 1; found == nprotocols && k < found; k++) {
        const int far = off(bytes, segment[k].first, protocol[k - 1].below);
        farthest = far > farthest ? far : farthest;
    }
    score->number += (found == nprotocols) * 100.0 / RUNS;
    score->exact += (found == nprotocols && farthest == 0) * 100.0 / RUNS;
    score->near += (found == nprotocols && farthest <= 1) * 100.0 / RUNS;
}

static struct score run(const struct protocol *protocol, size_t nprotocols, double noise,
                        double claimed)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    struct score score = {0};
    size_t bytes[CURVE_SIZES];

    curve_sizes(bytes);
    gsl_rng_set(rng, 4711);
    for (int r = 0; r < RUNS; r++) {
        struct hitop_point points[CURVE_SIZES];
        struct hitop_segment segment[HITOP_MAX_SEGMENTS];
        size_t found;
        curve_points(protocol, bytes, CURVE_SIZES, noise, 0, rng, points);
        for (size_t i = 0; i < CURVE_SIZES; i++) {
            points[i].se *= claimed;
        }
        ck_assert_int_eq(hitop_segments(points, CURVE_SIZES, 0.95, segment, &found, NULL),
                         HITOP_OK);
        judge(protocol, nprotocols, bytes, segment, found, &score);
    }
    gsl_rng_free(rng);
    printf("%zu lines, noise %g %%, claimed %g %%: number %g %%, places %g %%, within one %g %%, "
           "times to %.2f %%\n",
           nprotocols, 100 * noise, 100 * noise * claimed, score.number, score.exact, score.near,
           100 * score.error);
    return score;
}

START_TEST(finds_three_protocols)
{
    const struct score fine = run(three, 3, 0.005, 1), coarse = run(three, 3, 0.02, 1);

    ck_assert(fine.number >= 99 && fine.exact >= 97 && fine.error <= 0.002);
    ck_assert(coarse.number >= 99 && coarse.exact >= 55 && coarse.near >= 97);
    ck_assert_double_le(coarse.error, 0.0085);
}
END_TEST

START_TEST(finds_no_break_in_one_line)
{
    ck_assert_double_ge(run(one, 1, 0.005, 1).number, 99);
    ck_assert_double_ge(run(one, 1, 0.02, 1).number, 99);
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
        curve_points(two, bytes, N, 0.02, 0, rng, points);
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

/* Curves of one switch of protocol: together they say where it is, however small it is in each. */
START_TEST(curves_change_together)
{
    enum { CURVES = 6 };
    static const struct protocol two[] = {{4096, 1e-6, 0.4e-9}, {SIZE_MAX, 1.3e-6, 0.38e-9}};
    struct hitop_point points[CURVES][CURVE_SIZES];
    struct hitop_curve curves[CURVES];
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    size_t bytes[CURVE_SIZES], first[HITOP_MAX_SEGMENTS], found;
    int alone = 0, together = 0;

    curve_sizes(bytes);
    gsl_rng_set(rng, 1703);
    for (int r = 0; r < 20; r++) {
        for (int c = 0; c < CURVES; c++) {
            curve_points(two, bytes, CURVE_SIZES, 0.03, 0, rng, points[c]);
            curves[c] = (struct hitop_curve){points[c], CURVE_SIZES};
        }
        ck_assert_int_eq(hitop_segments_together(curves, 1, 4, first, &found, NULL), HITOP_OK);
        alone += found == 2 && off(bytes, first[1], 4096) <= 1;
        ck_assert_int_eq(hitop_segments_together(curves, CURVES, 4, first, &found, NULL), HITOP_OK);
        together += found == 2 && off(bytes, first[1], 4096) <= 1;
    }
    printf("a small change: found %d times of 20 in one curve, %d times in %d together\n", alone,
           together, CURVES);
    ck_assert_int_ge(together, 18);
    ck_assert_int_lt(alone, together);
    curves[1].npoints--;
    ck_assert_int_eq(hitop_segments_together(curves, 2, 4, first, &found, NULL), HITOP_ERR_INVALID);
    curves[1].npoints++;
    points[1][7].bytes++;
    ck_assert_int_eq(hitop_segments_together(curves, 2, 4, first, &found, NULL), HITOP_ERR_INVALID);
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
    tcase_add_test(tc, curves_change_together);
    tcase_add_test(tc, refuses_what_is_no_curve);
}

TEST_MAIN("segments", add_tests)
