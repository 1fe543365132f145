/* SPDX-License-Identifier: BSD-3-Clause */
/* check_arrival.c - what the bench of late ranks draws, reads and works out. */
#include <config.h>

#include "bench/waits.h"
#include "models/clock/arrival.h"
#include "tests/support/test_main.h"

#include <stdio.h>

enum { RANKS = 3, CALLS = 2 };

/* Microseconds; rank 2 is the root of the second call. */
static const double came[RANKS][CALLS] = {{10, 107}, {4, 100}, {31, 103}};
static const double left[RANKS][CALLS] = {{12, 111}, {18, 108}, {33, 104}};
static const int roots[CALLS] = {0, 2};

static struct waits waits(enum hitop_operation_id operation)
{
    double scratch[2 * RANKS];

    return waits_of(&hitop_operations()[operation], RANKS, CALLS, &came[0][0], &left[0][0], roots,
                    scratch);
}

/* Times are 2 4 | 14 8 | 2 1; what must be waited for is 0 0 | 6 3 | 0 0. */
START_TEST(works_out_a_broadcast)
{
    const struct waits w = waits(HITOP_BCAST);

    ck_assert_double_eq_tol(w.of[WAIT_PAPER], 11, 1e-9);
    ck_assert_double_eq_tol(w.of[WAIT_PAPER_LEAST], 4.5, 1e-9);
    ck_assert_double_eq_tol(w.of[WAIT_MEAN], 31.0 / 6, 1e-9);
    ck_assert_double_eq_tol(w.of[WAIT_MEAN_LEAST], 9.0 / 6, 1e-9);
    ck_assert_double_eq_tol(w.of[WAIT_MAX], 11, 1e-9);
    ck_assert_double_eq_tol(w.of[WAIT_ROOT], 1.5, 1e-9);
    ck_assert_double_eq_tol(w.of[WAIT_SPREAD], 17, 1e-9);
}
END_TEST

START_TEST(knows_the_ranks_that_wait_for_each_other)
{
    /* the root of a reduction waits for the last, 31 and 107 */
    ck_assert_double_eq_tol(waits(HITOP_REDUCE).of[WAIT_MEAN_LEAST], (21.0 + 4) / 6, 1e-9);
    ck_assert_double_eq_tol(waits(HITOP_GATHER).of[WAIT_PAPER_LEAST], 10.5, 1e-9);
    /* here every rank does */
    ck_assert_double_eq_tol(waits(HITOP_BARRIER).of[WAIT_MEAN_LEAST], (21.0 + 27 + 7 + 4) / 6,
                            1e-9);
    ck_assert_double_eq_tol(waits(HITOP_ALLREDUCE).of[WAIT_PAPER_LEAST], 17, 1e-9);
    ck_assert_double_eq_tol(waits(HITOP_SCATTER).of[WAIT_MEAN_LEAST], 1.5, 1e-9);
}
END_TEST

/* Ranks 0 2 | 1 3 5 | 4 of a job on three nodes. */
static const int node_of[] = {0, 1, 0, 1, 2, 1}, first_of[] = {0, 1, 4};

static struct pattern_setting setting(enum pattern pattern)
{
    return (struct pattern_setting){.pattern = pattern,
                                    .interval = 2.385e-3,
                                    .seed = 77,
                                    .ranks = 6,
                                    .nodes = 3,
                                    .node_of = node_of,
                                    .first_of = first_of};
}

START_TEST(draws_evenly_and_for_each_rank_apart)
{
    const struct pattern_setting s = setting(PATTERN_UNIFORM);
    double sum = 0, apart = 0;

    for (int call = 0; call < 20000; call++) {
        const double a = hitop_pattern_delay(&s, call, 0, 0),
                     b = hitop_pattern_delay(&s, call, 3, 0);
        ck_assert(a >= 0 && a < 2.385e-3);
        sum += (a + b) / 2;
        apart += a > b ? a - b : b - a;
    }
    ck_assert_double_eq_tol(sum / 20000, 2.385e-3 / 2, 2.5e-5); /* four standard errors are 2e-5 */
    ck_assert_double_eq_tol(apart / 20000, 2.385e-3 / 3, 2.5e-5);
    ck_assert(hitop_pattern_delay(&s, 5, 1, 0) == hitop_pattern_delay(&s, 5, 1, 2));
}
END_TEST

/* Digits of the ranks that are late, in a call with root 3. */
static int late(enum pattern pattern, int call)
{
    const struct pattern_setting s = setting(pattern);
    int digits = 0;

    for (int r = 0; r < 6; r++) {
        const double d = hitop_pattern_delay(&s, call, r, 3);
        ck_assert(d == 0 || d == 2.385e-3);
        digits = d > 0 ? digits * 10 + r : digits;
    }
    return digits;
}

START_TEST(makes_the_right_ranks_late)
{
    int times[7] = {0}, nodes[2] = {0};

    for (int call = 0; call < 600; call++) {
        const int node = late(PATTERN_LATE_NODE, call);
        ck_assert(node == 2 || node == 4); /* ranks 0 and 2, or 4 */
        nodes[node == 4]++;
        times[late(PATTERN_LATE_RANK, call)]++;
    }
    for (int r = 0; r < 6; r++) {
        ck_assert_int_gt(times[r], 60); /* 100 are expected */
    }
    ck_assert_int_gt(nodes[0], 240);
    ck_assert_int_gt(nodes[1], 240);
    ck_assert_int_eq(late(PATTERN_LATE_LEADER, 1), 4); /* ranks 0 and 4 */
    ck_assert_int_eq(late(PATTERN_LATE_ROOT, 1), 3);
    ck_assert_int_eq(late(PATTERN_EARLY_ROOT, 1), 1245);
}
END_TEST

START_TEST(spaces_ranks_evenly)
{
    const struct pattern_setting s = setting(PATTERN_SORTED);

    ck_assert(hitop_pattern_delay(&s, 9, 0, 0) == 0);
    ck_assert_double_eq_tol(hitop_pattern_delay(&s, 9, 2, 0), 0.954e-3, 1e-12);
    ck_assert_double_eq_tol(hitop_pattern_delay(&s, 9, 5, 0), 2.385e-3, 1e-12);
}
END_TEST

/* The message about a file of these contents for two ranks; "" when it is good. */
static const char *read_text(const char *text, struct replay *out)
{
    static struct hitop_diag diag;
    FILE *file = fopen("check_arrival.tmp", "w");

    ck_assert(file && fputs(text, file) >= 0 && fclose(file) == 0);
    diag = (struct hitop_diag)HITOP_DIAG_INIT;
    if (hitop_replay_read("check_arrival.tmp", 2, out, &diag) != HITOP_OK) {
        ck_assert_ptr_null(out->seconds);
    }
    (void)remove("check_arrival.tmp");
    return diag.message;
}

START_TEST(reads_arrival_times)
{
    struct pattern_setting s = setting(PATTERN_REPLAY);
    struct replay replay;

    ck_assert_str_eq(read_text("# two ranks\n0 12.5\n\n300,0 # late\n1e3\t7", &replay), "");
    ck_assert_int_eq(replay.calls, 3);
    s.replay = &replay;
    s.ranks = 2;
    ck_assert_double_eq_tol(hitop_pattern_delay(&s, 0, 1, 0), 12.5e-6, 1e-15);
    ck_assert_double_eq_tol(hitop_pattern_delay(&s, 4, 0, 0), 300e-6, 1e-15);
    ck_assert_double_eq_tol(hitop_pattern_delay(&s, 2, 1, 0), 7e-6, 1e-15);
    hitop_replay_free(&replay);
}
END_TEST

START_TEST(refuses_broken_arrival_times)
{
    static const struct {
        const char *text, *message;
    } broken[] = {
        {"", "check_arrival.tmp: no arrival times"},
        {"# nothing\n\n", "check_arrival.tmp: no arrival times"},
        {"1 2\n3\n", "check_arrival.tmp:2: 1 numbers for 2 ranks"},
        {"1 2 3\n", "check_arrival.tmp:1: 3 numbers for 2 ranks"},
        {"1 x\n", "check_arrival.tmp:1: 'x' is not a number of microseconds from 0 to 1e9"},
        {"1 -2\n", "check_arrival.tmp:1: '-2' is not a number of microseconds from 0 to 1e9"},
        {"nan 2\n", "check_arrival.tmp:1: 'nan' is not a number of microseconds from 0 to 1e9"},
    };
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct replay replay;

    for (size_t i = 0; i < sizeof(broken) / sizeof(broken[0]); i++) {
        ck_assert_str_eq(read_text(broken[i].text, &replay), broken[i].message);
    }
    ck_assert_int_eq(hitop_replay_read("/nonexistent/file", 2, &replay, &diag), HITOP_ERR_IO);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, works_out_a_broadcast);
    tcase_add_test(tc, knows_the_ranks_that_wait_for_each_other);
    tcase_add_test(tc, draws_evenly_and_for_each_rank_apart);
    tcase_add_test(tc, makes_the_right_ranks_late);
    tcase_add_test(tc, spaces_ranks_evenly);
    tcase_add_test(tc, reads_arrival_times);
    tcase_add_test(tc, refuses_broken_arrival_times);
}

TEST_MAIN("arrival", add_tests)
