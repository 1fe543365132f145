/* SPDX-License-Identifier: BSD-3-Clause */
/* check_message_set.c - sizes by halving of intervals, and by the walk of MPIBlib, against worked walks. */
#include <config.h>

#include "models/fit/precision.h"

#include "tests/support/test_main.h"

#include <math.h>
#include <stdint.h>

START_TEST(measures_the_worked_deviation)
{
    const struct hitop_message x = {100, 20}, y = {200, 30};

    ck_assert_double_eq_tol(hitop_message_deviation(&x, &y, &(struct hitop_message){300, 44}), 0.1,
                            1e-12);
    ck_assert_double_eq_tol(hitop_message_deviation(&x, &y, &(struct hitop_message){300, 40}), 0,
                            1e-12);
    ck_assert_double_eq(hitop_message_deviation(&(struct hitop_message){0, 0},
                                                &(struct hitop_message){2, 0},
                                                &(struct hitop_message){1, 0}),
                        0);
}
END_TEST

/* 50 + 0.01 M below 4096 bytes, 150 + 0.012 M from there. */
static enum hitop_status jump(void *data, size_t bytes, double *seconds, struct hitop_diag *diag)
{
    const double m = (double)bytes;

    (void)data;
    (void)diag;
    *seconds = bytes < 4096 ? 50 + 0.01 * m : 150 + 0.012 * m;
    return HITOP_OK;
}

static enum hitop_status line(void *data, size_t bytes, double *seconds, struct hitop_diag *diag)
{
    (void)data;
    (void)diag;
    *seconds = 20 + 0.005 * (double)bytes;
    return HITOP_OK;
}

/* The walk over a set with those times visits the n expected sizes, in that order. */
static void expect_walk(const struct hitop_message_set *set,
                        enum hitop_status (*time)(void *, size_t, double *, struct hitop_diag *),
                        const size_t *expected, size_t n)
{
    struct hitop_message out[100];
    size_t found;

    ck_assert_int_eq(hitop_message_set_walk(set, time, NULL, out, &found, NULL), HITOP_OK);
    ck_assert_uint_eq(found, n);
    for (size_t i = 0; i < n; i++) {
        ck_assert_uint_eq(out[i].bytes, expected[i]);
    }
}

START_TEST(walks_as_worked_out)
{
    static const size_t at_jump[] = {0,   64,   256,  1024, 4096, 16384, 10240, 2560, 1792, 3328,
                                     640, 2944, 3712, 3520, 3904, 128,   3776,  3968, 4032};
    static const size_t at_line[] = {0,     64,    256,   1024, 4096, 16384,
                                     65536, 40960, 10240, 2560, 640,  128};
    struct hitop_message_set set;

    hitop_message_set_defaults(&set);
    set.max_size = 16384;
    expect_walk(&set, jump, at_jump, sizeof(at_jump) / sizeof(at_jump[0]));
    set.max_size = 65536;
    expect_walk(&set, line, at_line, sizeof(at_line) / sizeof(at_line[0]));
}
END_TEST

START_TEST(walks_as_mpiblib_did)
{
    static const size_t at_jump[] = {0,    64,   128,  256,  512,  1024, 2048,
                                     4096, 3072, 5120, 4096, 6144, 10240};
    static const size_t at_line[] = {0,    64,   128,  256,   512,   1024,
                                     2048, 4096, 8192, 16384, 32768, 65536};
    struct hitop_message_set set;

    hitop_message_set_defaults(&set);
    ck_assert_int_eq(set.choice, HITOP_CHOICE_HALVES);
    set.choice = HITOP_CHOICE_MPIBLIB;
    set.max_size = 16384;
    expect_walk(&set, jump, at_jump, sizeof(at_jump) / sizeof(at_jump[0]));
    set.max_num = 11; /* ends there, wherever it is */
    expect_walk(&set, jump, at_jump, 11);
    set.max_num = 100;
    set.max_size = 65536;
    expect_walk(&set, line, at_line, sizeof(at_line) / sizeof(at_line[0]));
}
END_TEST

/* Times that are on no line with any others. */
static enum hitop_status rugged(void *data, size_t bytes, double *seconds, struct hitop_diag *diag)
{
    unsigned *state = data;

    (void)bytes;
    (void)diag;
    *state = *state * 1664525u + 1013904223u;
    *seconds = 1 + (double)(*state >> 16);
    return HITOP_OK;
}

START_TEST(the_walk_of_mpiblib_ends_whatever_the_times)
{
    struct hitop_message_set set;
    struct hitop_message out[1000];
    size_t n;

    hitop_message_set_defaults(&set);
    set.choice = HITOP_CHOICE_MPIBLIB;
    set.max_num = 1000;
    for (unsigned seed = 0; seed < 100; seed++) {
        unsigned state = seed;
        set.max_diff = 0.1 + seed % 10; /* large ones let it walk in long steps, and back */
        set.min_size = seed;
        set.max_size = seed % 3 ? 204800 : SIZE_MAX;
        ck_assert_int_eq(hitop_message_set_walk(&set, rugged, &state, out, &n, NULL), HITOP_OK);
        ck_assert_uint_le(n, set.max_num);
        for (size_t i = 0; i < n; i++) {
            ck_assert(out[i].bytes >= set.min_size && out[i].bytes <= set.max_size);
        }
    }
}
END_TEST

START_TEST(ends_at_the_largest_number_of_sizes)
{
    struct hitop_message_set set;
    struct hitop_message out[100];
    size_t n;

    hitop_message_set_defaults(&set);
    for (set.max_num = 2; set.max_num < 25; set.max_num++) {
        ck_assert_int_eq(hitop_message_set_walk(&set, jump, NULL, out, &n, NULL), HITOP_OK);
        ck_assert_uint_le(n, set.max_num);
        ck_assert_uint_ge(n, set.max_num < 20 ? set.max_num : 20);
        ck_assert(out[0].bytes == 0);
        for (size_t i = 0; n <= 7 && i < n; i++) { /* so few that they are the first ones */
            ck_assert((i + 1 == n) == (out[i].bytes == set.max_size));
        }
    }
}
END_TEST

START_TEST(copes_with_a_stride_of_one_byte_and_odd_ends)
{
    const struct hitop_message_set set = {
        .min_size = 4090, .max_size = 4101, .max_diff = 0.1, .min_stride = 1, .max_num = 50};
    struct hitop_message out[50];
    size_t n, below = 0, above = SIZE_MAX;

    ck_assert_int_eq(hitop_message_set_walk(&set, jump, NULL, out, &n, NULL), HITOP_OK);
    for (size_t i = 0; i < n; i++) {
        below = out[i].bytes < 4096 && out[i].bytes > below ? out[i].bytes : below;
        above = out[i].bytes >= 4096 && out[i].bytes < above ? out[i].bytes : above;
        for (size_t k = 0; k < i; k++) {
            ck_assert_uint_ne(out[i].bytes, out[k].bytes);
        }
    }
    ck_assert(below == 4095 && above == 4096);
}
END_TEST

static enum hitop_status broken(void *data, size_t bytes, double *seconds, struct hitop_diag *diag)
{
    int *left = data;

    (void)bytes;
    *seconds = 1 + (double)*left;
    return (*left)-- > 0 ? HITOP_OK : hitop_fail(diag, HITOP_ERR_MPI, "gone");
}

START_TEST(passes_failures_on)
{
    struct hitop_message_set set;
    struct hitop_message out[100];
    struct hitop_diag diag = HITOP_DIAG_INIT;
    size_t n;

    hitop_message_set_defaults(&set);
    for (int good = 0; good < 24; good++) {
        int left = good / 2;
        set.choice = good % 2 ? HITOP_CHOICE_MPIBLIB : HITOP_CHOICE_HALVES;
        ck_assert_int_eq(hitop_message_set_walk(&set, broken, &left, out, &n, &diag),
                         HITOP_ERR_MPI);
        ck_assert_uint_eq(n, (size_t)good / 2);
        ck_assert_str_eq(diag.message, "gone");
    }
}
END_TEST

START_TEST(refuses_sets_out_of_range)
{
    struct hitop_message_set good, bad;
    struct hitop_message out[100];
    size_t n;

    hitop_message_set_defaults(&good);
    bad = good;
    bad.min_size = bad.max_size;
    ck_assert_int_eq(hitop_message_set_walk(&bad, line, NULL, out, &n, NULL), HITOP_ERR_INVALID);
    bad = good;
    bad.min_stride = 0;
    ck_assert_int_eq(hitop_message_set_walk(&bad, line, NULL, out, &n, NULL), HITOP_ERR_INVALID);
    bad = good;
    bad.max_diff = NAN;
    ck_assert_int_eq(hitop_message_set_walk(&bad, line, NULL, out, &n, NULL), HITOP_ERR_INVALID);
    bad = good;
    bad.max_num = 1;
    ck_assert_int_eq(hitop_message_set_walk(&bad, line, NULL, out, &n, NULL), HITOP_ERR_INVALID);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, measures_the_worked_deviation);
    tcase_add_test(tc, walks_as_worked_out);
    tcase_add_test(tc, walks_as_mpiblib_did);
    tcase_add_test(tc, the_walk_of_mpiblib_ends_whatever_the_times);
    tcase_add_test(tc, ends_at_the_largest_number_of_sizes);
    tcase_add_test(tc, copes_with_a_stride_of_one_byte_and_odd_ends);
    tcase_add_test(tc, passes_failures_on);
    tcase_add_test(tc, refuses_sets_out_of_range);
}

TEST_MAIN("message set", add_tests)
