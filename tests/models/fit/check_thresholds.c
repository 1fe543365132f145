/* SPDX-License-Identifier: BSD-3-Clause */
/* check_thresholds.c - breaks and escalations of collectives against worked numbers. */
#include <config.h>

#include "models/fit/scatter_gather.h"

#include "tests/support/test_main.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include <math.h>
#include <stdio.h>

enum { MAX_POINTS = 64 };

static struct hitop_point point(size_t bytes, double seconds)
{
    return (struct hitop_point){.bytes = bytes, .seconds = seconds, .se = 1};
}

START_TEST(finds_the_worked_break_of_a_trend)
{
    struct hitop_point p[16];
    struct hitop_break found;

    for (size_t x = 1; x <= 16; x++) {
        const double m = (double)x, line = x <= 8 ? 10 + 2 * m : 40 + 3 * m;
        p[x - 1] = point(x, line + (x % 2 ? 0.1 : -0.1));
    }
    ck_assert_int_eq(hitop_break_find(p, 16, HITOP_BREAK_LINE, &found, NULL), HITOP_OK);
    ck_assert(found.found);
    ck_assert_uint_eq(found.first, 8);
    ck_assert_double_eq_tol(found.two, 0.152380952380947, 1e-9);
    ck_assert_double_eq_tol(found.one, 1491.767529, 1e-5);
    ck_assert_double_eq_tol(found.sup_f, 58732.34647059032, 1e-3);
    ck_assert_double_eq_tol(found.a[0], 10.042857, 1e-6);
    ck_assert_double_eq_tol(found.b[0], 1.990476, 1e-6);
    ck_assert_double_eq_tol(found.a[1], 40.119048, 1e-6);
    ck_assert_double_eq_tol(found.b[1], 2.990476, 1e-6);
}
END_TEST

START_TEST(finds_the_worked_shift_of_a_level)
{
    struct hitop_point p[16];
    struct hitop_break found;

    for (size_t x = 1; x <= 16; x++) {
        p[x - 1] = point(x, (x <= 10 ? 5 : 9) + 0.05 * (double)(7 * x % 5));
    }
    ck_assert_int_eq(hitop_break_find(p, 16, HITOP_BREAK_LEVEL, &found, NULL), HITOP_OK);
    ck_assert(found.found);
    ck_assert_uint_eq(found.first, 10);
    ck_assert_double_eq_tol(found.two, 0.075, 1e-12);
    ck_assert_double_eq_tol(found.sup_f, 11200, 1e-6);
    ck_assert(found.b[0] == 0 && found.b[1] == 0);
    ck_assert_double_eq_tol(found.a[0], 5.1, 1e-9);
}
END_TEST

/* Share of 1000 curves of nothing but noise in which a break is found. */
static double false_alarms(enum hitop_break_kind kind, size_t n)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    int alarms = 0;

    gsl_rng_set(rng, 12);
    for (int trial = 0; trial < 1000; trial++) {
        struct hitop_point p[MAX_POINTS];
        struct hitop_break found;
        for (size_t i = 0; i < n; i++) {
            p[i] = point(1024 * (i + 1), 1e-3 + 1e-5 * gsl_ran_gaussian(rng, 1));
            p[i].se = 1e-5;
        }
        ck_assert_int_eq(hitop_break_find(p, n, kind, &found, NULL), HITOP_OK);
        alarms += found.found;
    }
    gsl_rng_free(rng);
    return alarms / 1000.0;
}

START_TEST(takes_noise_for_a_break_as_seldom_as_it_says)
{
    const double level = false_alarms(HITOP_BREAK_LEVEL, 60);
    const double line = false_alarms(HITOP_BREAK_LINE, 60);

    printf("false breaks: levels %.3f, lines %.3f\n", level, line);
    ck_assert_double_le(level, 0.07);
    ck_assert_double_le(line, 0.09);
}
END_TEST

/* Two thirds of a scatter's sizes are cheap, the others 10 % slower; 2 % noise, known. */
START_TEST(finds_the_jump_of_a_scatter)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    int exact = 0;

    gsl_rng_set(rng, 13);
    for (int trial = 0; trial < 200; trial++) {
        struct hitop_point p[48];
        struct hitop_break found;
        for (size_t i = 0; i < 48; i++) {
            const double bytes = 2048 * (double)(i + 1), jump = i >= 32 ? 1.1 : 1;
            const double t = jump * (100e-6 + 20e-9 * bytes);
            p[i] = point(2048 * (i + 1), t * exp(gsl_ran_gaussian(rng, 0.02)));
            p[i].se = 0.02 * t;
        }
        ck_assert_int_eq(hitop_break_find(p, 48, HITOP_BREAK_LINE, &found, NULL), HITOP_OK);
        exact += found.found && found.first >= 30 && found.first <= 34;
    }
    ck_assert_int_ge(exact, 190);
    gsl_rng_free(rng);
}
END_TEST

START_TEST(needs_points_on_either_side)
{
    struct hitop_point p[6];
    struct hitop_break found;
    struct hitop_diag diag = HITOP_DIAG_INIT;

    for (size_t i = 0; i < 6; i++) {
        p[i] = point(i, i < 3 ? 1 : 2);
    }
    ck_assert_int_eq(hitop_break_find(p, 6, HITOP_BREAK_LINE, &found, NULL), HITOP_OK);
    ck_assert(found.found && found.first == 3 && found.two == 0);
    ck_assert_int_eq(hitop_break_find(p, 5, HITOP_BREAK_LINE, &found, &diag), HITOP_ERR_INVALID);
    ck_assert_str_eq(diag.message, "break: 5 points, at least 6 are needed");
    ck_assert_int_eq(hitop_break_find(p, 4, HITOP_BREAK_LEVEL, &found, NULL), HITOP_OK);
    p[2].bytes = 1;
    ck_assert_int_eq(hitop_break_find(p, 6, HITOP_BREAK_LINE, &found, &diag), HITOP_ERR_INVALID);
    ck_assert_str_eq(diag.message, "break: 1 bytes after 1 bytes");
    p[2] = point(2, 1);
    p[4].se = 0;
    ck_assert_int_eq(hitop_break_find(p, 6, HITOP_BREAK_LINE, &found, NULL), HITOP_ERR_INVALID);
    for (size_t i = 0; i < 6; i++) {
        p[i] = point(i, 1);
    }
    ck_assert_int_eq(hitop_break_find(p, 6, HITOP_BREAK_LEVEL, &found, NULL), HITOP_OK);
    ck_assert(!found.found && found.sup_f == 0);
    for (size_t i = 0; i < 6; i++) { /* on a line but for the last digits */
        p[i] = point(1000 * i, 2.3e-6 + 7.1e-10 * (double)(1000 * i));
    }
    ck_assert_int_eq(hitop_break_find(p, 6, HITOP_BREAK_LINE, &found, NULL), HITOP_OK);
    ck_assert(!found.found);
}
END_TEST

/* Times escalate from a size on; what was asked and found by each pass. */
struct incast {
    size_t from;
    int fail_after;          /* measurements; negative: never */
    size_t last, stride[16]; /* of each pass, which begins with a size of one stride */
    int npasses;
};

static enum hitop_status incast_time(void *data, size_t bytes, double *seconds,
                                     struct hitop_diag *diag)
{
    struct incast *i = data;

    if (bytes <= i->last || i->npasses == 0) {
        i->stride[i->npasses++] = bytes;
    }
    i->last = bytes;
    *seconds = bytes < i->from ? 1e-3 + 1e-8 * (double)bytes : 0.2;
    return i->fail_after-- == 0 ? hitop_fail(diag, HITOP_ERR_MPI, "gone") : HITOP_OK;
}

START_TEST(halves_the_stride_as_worked_out)
{
    struct incast incast = {.from = 5300, .fail_after = -1};
    const struct hitop_escalation search = {.max_bytes = 65536,
                                            .first_stride = 8192,
                                            .min_stride = 1,
                                            .factor = 10,
                                            .time = incast_time,
                                            .data = &incast};
    size_t smallest;

    ck_assert_int_eq(hitop_escalation_find(&search, &smallest, NULL), HITOP_OK);
    ck_assert_uint_eq(smallest, 5300);
    ck_assert_int_eq(incast.npasses, 14);
    for (int i = 0; i < 14; i++) {
        ck_assert_uint_eq(incast.stride[i], (size_t)8192 >> i);
    }
}
END_TEST

START_TEST(finds_no_escalation_where_there_is_none)
{
    struct incast calm = {.from = 1 << 20, .fail_after = -1};
    struct hitop_escalation search = {.max_bytes = 65536,
                                      .first_stride = 8192,
                                      .min_stride = 512,
                                      .factor = 10,
                                      .time = incast_time,
                                      .data = &calm};
    size_t smallest;

    ck_assert_int_eq(hitop_escalation_find(&search, &smallest, NULL), HITOP_OK);
    ck_assert_uint_eq(smallest, 65536);
    for (int good = 0; good < 20; good++) {
        calm = (struct incast){.from = 1 << 20, .fail_after = good};
        ck_assert_int_eq(hitop_escalation_find(&search, &smallest, NULL), HITOP_ERR_MPI);
    }
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, finds_the_worked_break_of_a_trend);
    tcase_add_test(tc, finds_the_worked_shift_of_a_level);
    tcase_add_test(tc, takes_noise_for_a_break_as_seldom_as_it_says);
    tcase_add_test(tc, finds_the_jump_of_a_scatter);
    tcase_add_test(tc, needs_points_on_either_side);
    tcase_add_test(tc, halves_the_stride_as_worked_out);
    tcase_add_test(tc, finds_no_escalation_where_there_is_none);
}

TEST_MAIN("thresholds", add_tests)
