/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check_timing.c - the timing methods, on schedules of five ranks with wrong clocks.
 *
 * A schedule says when each rank calls an operation and when the call returns, in common time. Each
 * rank reads a clock of its own; the facts of all ranks are combined as a reduction does.
 */
#include <config.h>

#include "models/clock/timing.h"

#include "tests/support/test_main.h"

#include <math.h>
#include <string.h>

enum { RANKS = 5, ROOT = 2, METHODS = 5 };

/* Milliseconds. The barrier behind the operation ends one barrier after the last return. */
struct schedule {
    double call[RANKS], end[RANKS];
    struct {
        const char *method;
        double ms;
    } expected[METHODS];
};

static const double barrier = 1;

/* All ranks call at once; the calls take as long as that of the slowest rank. */
static const struct schedule together = {.end = {4, 4, 4, 4, 4}},
                             one_slow_rank = {.end = {4, 4, 4, 4, 9}};

/* Ranks leave the barrier one after the other; the operation ends 4 ms after the last call. */
static const struct schedule synchronizing = {
    .call = {0, 1, 2, 3, 4},
    .end = {8, 8, 8, 8, 8},
    .expected = {{"window", 8}, {"one-barrier", 8}, {"global", 6}, {"max", 8}, {"root", 6}}};

/* The last rank calls late, finds its data, and returns at once. */
static const struct schedule late_leaf = {
    .call = {0, 0, 1, 0, 6},
    .end = {3, 3, 2, 3, 6.5},
    .expected = {
        {"window", 6.5}, {"one-barrier", 6.5}, {"global", 5.5}, {"max", 3}, {"root", 5.5}}};

/* The clock of a rank, as a line to common time. */
static struct hitop_clock_line line_of(int rank)
{
    return (struct hitop_clock_line){
        .at = 100 * rank, .offset = 1000 * sin(rank), .drift = 1e-9 * rank};
}

static void take_larger(struct hitop_timing_facts *most, const struct hitop_timing_facts *f)
{
    double a[TIMING_FACTS], b[TIMING_FACTS];

    memcpy(a, most, sizeof(a));
    memcpy(b, f, sizeof(b));
    for (int i = 0; i < TIMING_FACTS; i++) {
        a[i] = fmax(a[i], b[i]);
    }
    memcpy(most, a, sizeof(a));
}

/* Milliseconds by a method. `delay`: of all times, to show that only differences count. */
static double time_by(const struct hitop_timing *method, const struct schedule *s, double delay)
{
    struct hitop_timing_facts most = hitop_timing_no_facts();
    double last = 0;

    for (int r = 0; r < RANKS; r++) {
        last = fmax(last, s->end[r]);
    }
    for (int r = 0; r < RANKS; r++) {
        const struct hitop_clock_line line = line_of(r);
        const double at[] = {s->call[r], s->end[r], method->confirms ? last + barrier : s->end[r]};
        double local[3];
        struct hitop_timing_stamp stamp;
        struct hitop_timing_facts f;
        for (int i = 0; i < 3; i++) {
            local[i] = hitop_clock_line_invert(&line, 1e-3 * at[i] + delay);
        }
        stamp = (struct hitop_timing_stamp){local[0], local[1], local[2]};
        f = hitop_timing_facts_of(&stamp, &line, method->confirms ? 1e-3 * barrier : 0, r == ROOT);
        take_larger(&most, &f);
    }
    return 1e3 * method->seconds(&most);
}

static double expected_of(const struct schedule *s, const char *method)
{
    for (int i = 0; i < METHODS; i++) {
        if (strcmp(s->expected[i].method, method) == 0) {
            return s->expected[i].ms;
        }
    }
    ck_abort_msg("the schedules have no time by %s", method);
    return 0;
}

START_TEST(methods_have_names_and_are_found)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    const struct hitop_timing *found;

    ck_assert_int_eq(hitop_timing_find("bogus", &found, &diag), HITOP_ERR_NOTFOUND);
    ck_assert_ptr_null(found);
    for (int i = 0; hitop_timings[i]; i++) {
        const struct hitop_timing *m = hitop_timings[i];
        ck_assert_int_eq(hitop_timing_find(m->name, &found, NULL), HITOP_OK);
        ck_assert_ptr_eq(found, m); /* so that no name stands twice */
        ck_assert_ptr_nonnull(strstr(diag.message, m->name));
        ck_assert_int_gt((int)strlen(m->summary), 20);
        /* a start time is never missed, and a barrier keeps no rank from being late on purpose */
        ck_assert(m->barriers >= 0 && m->barriers <= 2 && !(m->confirms && m->barriers == 0));
        ck_assert(!m->allows_delays || !m->confirms);
    }
}
END_TEST

START_TEST(all_methods_agree_if_ranks_begin_together)
{
    for (int i = 0; hitop_timings[i]; i++) {
        ck_assert_double_eq_tol(time_by(hitop_timings[i], &together, 1), 4, 1e-6);
        ck_assert_double_eq_tol(time_by(hitop_timings[i], &one_slow_rank, 1), 9, 1e-6);
        ck_assert_double_eq_tol(time_by(hitop_timings[i], &one_slow_rank, 5000), 9, 1e-5);
    }
}
END_TEST

START_TEST(methods_differ_as_defined_if_ranks_leave_a_barrier_apart)
{
    for (int i = 0; hitop_timings[i]; i++) {
        const struct hitop_timing *m = hitop_timings[i];
        ck_assert_double_eq_tol(time_by(m, &synchronizing, 1), expected_of(&synchronizing, m->name),
                                1e-6);
        ck_assert_double_eq_tol(time_by(m, &late_leaf, 1), expected_of(&late_leaf, m->name), 1e-6);
    }
}
END_TEST

START_TEST(a_barrier_that_hides_the_operation_leaves_no_negative_time)
{
    const struct schedule empty = {.end = {0, 0, 0, 0, 0}};

    for (int i = 0; hitop_timings[i]; i++) {
        struct hitop_timing_facts f = {.root_took = -1e-3};
        ck_assert_double_eq_tol(time_by(hitop_timings[i], &empty, 0), 0, 1e-6);
        ck_assert_double_ge(hitop_timings[i]->seconds(&f), 0);
    }
}
END_TEST

START_TEST(ranks_that_do_not_count_change_nothing)
{
    struct hitop_timing_facts f = {1, 2, 3, 4, 5, 6}, most = f;
    const struct hitop_timing_facts none = hitop_timing_no_facts();

    take_larger(&most, &none);
    ck_assert_mem_eq(&most, &f, sizeof(f));
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, methods_have_names_and_are_found);
    tcase_add_test(tc, all_methods_agree_if_ranks_begin_together);
    tcase_add_test(tc, methods_differ_as_defined_if_ranks_leave_a_barrier_apart);
    tcase_add_test(tc, a_barrier_that_hides_the_operation_leaves_no_negative_time);
    tcase_add_test(tc, ranks_that_do_not_count_change_nothing);
}

TEST_MAIN("timing", add_tests)
