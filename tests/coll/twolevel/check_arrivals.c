/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check_arrivals.c - leaders announce themselves while ranks are late, and stop soon after no rank
 * is.
 */
#include <config.h>

#include "coll/twolevel/arrivals.h"

#include "tests/support/test_main.h"

/* The root judges an operation with announcements. */
static int judge(struct arrivals *a, double part)
{
    const int is_judged = hitop_arrivals_is_judged(a);

    if (is_judged) {
        hitop_arrivals_learn(a, part, 0);
    }
    return is_judged;
}

/*
 * Operations, one every second, in which no rank is late, until the next one uses default leaders.
 */
static int until_fixed(struct arrivals *a, int most)
{
    for (int n = 1; n <= most; n++) {
        (void)judge(a, 0);
        if (!hitop_arrivals_shall_announce(a, 0, 1)) {
            return n;
        }
    }
    return most + 1;
}

START_TEST(ceases_when_all_come_together)
{
    struct arrivals a;

    hitop_arrivals_begin(&a);
    ck_assert(a.pays);
    ck_assert_int_eq(until_fixed(&a, 100), 5);
    hitop_arrivals_begin(&a);
    for (int i = 0; i < 1000; i++) { /* many late ranks, whose influence is bounded */
        (void)judge(&a, 5);
        ck_assert(hitop_arrivals_shall_announce(&a, 0, 1));
    }
    ck_assert_int_le(until_fixed(&a, 100), 32 + 24);
}
END_TEST

/* Among `operations` in which a rank is late by `part`, the number that is judged. */
static int count_judged(struct arrivals *a, int operations, double part)
{
    int judged = 0;

    for (int i = 0; i < operations; i++) {
        judged += judge(a, part);
    }
    return judged;
}

START_TEST(judges_ever_less_often_while_a_rank_is_late)
{
    struct arrivals a;

    hitop_arrivals_begin(&a);
    ck_assert_int_eq(count_judged(&a, 8, 1), 8);
    (void)count_judged(&a, 56, 1);
    ck_assert_int_eq(count_judged(&a, 320, 1), 10);
    ck_assert_int_gt(count_judged(&a, 64, 0),
                     32); /* all from the first one in which no rank is late */
}
END_TEST

START_TEST(goes_on_while_one_of_five_is_late)
{
    struct arrivals a;

    hitop_arrivals_begin(&a);
    for (int i = 0; i < 10000; i++) {
        (void)judge(&a, i % 5 == 0);
        ck_assert(i < 8 || hitop_arrivals_shall_announce(&a, 0, 1));
    }
}
END_TEST

/*
 * Among `operations`, one every `seconds`, in which a rank is late by `part`, the number in which
 * leaders announce themselves.
 */
static int count_looks_at(struct arrivals *a, int operations, double seconds, double span,
                          double part)
{
    int looks = 0;

    for (int i = 0; i < operations; i++) {
        const double now = i * seconds;
        if (hitop_arrivals_shall_announce(a, now, span)) {
            looks++;
            a->last_look = now;
            (void)judge(a, part);
        }
    }
    return looks;
}

/* The same without late ranks. */
static int count_looks(struct arrivals *a, int operations, double seconds, double span)
{
    return count_looks_at(a, operations, seconds, span, 0);
}

START_TEST(looks_ever_less_often)
{
    struct arrivals a;
    int soon, late;

    hitop_arrivals_begin(&a);
    (void)until_fixed(&a, 100);
    soon = count_looks(&a, 128, 0, 1);
    late = count_looks(&a, 1280, 0, 1);
    ck_assert_int_ge(soon, 6);
    ck_assert_int_le(soon, 10);
    ck_assert_int_ge(late, 16);
    ck_assert_int_le(late, 22);
}
END_TEST

/* Also where a rank is a little late each time, too little for announcements to pay. */
START_TEST(looks_less_often_at_what_does_not_pay)
{
    struct arrivals a;

    hitop_arrivals_begin(&a);
    (void)until_fixed(&a, 100);
    (void)count_looks_at(&a, 1000, 0, 1, 0.12);
    ck_assert(!a.pays);
    ck_assert_int_le(count_looks_at(&a, 1280, 0, 1, 0.12), 22);
}
END_TEST

/* Looks that cost nothing come at once, and do not make the others rarer. */
START_TEST(looks_at_once_where_operations_are_rare)
{
    struct arrivals a;
    int after;

    hitop_arrivals_begin(&a);
    (void)until_fixed(&a, 100);
    after = a.look_after;
    ck_assert_int_eq(count_looks(&a, 100, 2, 1), 99);
    ck_assert_int_ge(count_looks(&a, 100, 0.25, 1), 30);
    ck_assert_int_eq(a.look_after, after);
}
END_TEST

START_TEST(begins_when_a_rank_is_late_again)
{
    struct arrivals a;
    int operations = 0;

    hitop_arrivals_begin(&a);
    (void)until_fixed(&a, 100);
    (void)count_looks(&a, 1000, 0, 1);
    ck_assert(!a.pays);
    while (!a.pays && operations < 1000) {
        operations++;
        if (hitop_arrivals_shall_announce(&a, 0, 1)) {
            (void)judge(&a, 1);
        }
    }
    ck_assert_int_le(operations, 140); /* the next pair of looks decides */
}
END_TEST

/* A lateness of 0.55 raises the score too little in one pair of looks. */
START_TEST(looks_soon_after_one_that_saw_a_late_rank)
{
    struct arrivals a;
    int operations = 0, looks = 0;

    hitop_arrivals_begin(&a);
    (void)until_fixed(&a, 100);
    (void)count_looks(&a, 1000, 0, 1);
    while (!a.pays && operations < 1000) {
        operations += looks > 0; /* since the first look */
        if (hitop_arrivals_shall_announce(&a, 0, 1)) {
            looks++;
            (void)judge(&a, 0.55);
        }
    }
    ck_assert(a.pays);
    ck_assert_int_gt(looks, 2);
    ck_assert_int_le(operations, 30);
}
END_TEST

/*
 * 2000 operations in a row take 1 ms each and a look 5 ms: looks by number and, with a short span,
 * by time have at most their part.
 */
static void look_for_two_seconds(struct arrivals *a, double span)
{
    int looks = 0;

    hitop_arrivals_begin(a);
    (void)until_fixed(a, 100);
    hitop_arrivals_learn(a, 0, 5e-3);
    for (int i = 0; i < 2000; i++) {
        const double now = i * 1e-3;
        if (hitop_arrivals_shall_announce(a, arrivals_needs_time(a) ? now : a->last_look, span)) {
            looks++;
            a->last_look = now;
            hitop_arrivals_learn(a, 0, 5e-3);
        }
    }
    ck_assert_int_ge(looks, 10);
    ck_assert_int_le(looks, 2 * 2000 / 250);
}

START_TEST(looks_take_a_small_part_of_the_time)
{
    struct arrivals a;

    look_for_two_seconds(&a, 1e-3);
    look_for_two_seconds(&a, 100);
    hitop_arrivals_learn(&a, 0.4, 5e-3); /* a late rank: the next look comes soon */
    a.last_look = 0;
    ck_assert_int_ge(count_looks(&a, 9, 0, 1), 1);
}
END_TEST

/* A root that follows others looks after the time that a look is assumed to take allows. */
START_TEST(follows_earlier_roots)
{
    struct arrivals a;

    hitop_arrivals_begin(&a);
    a.last_look = 1;
    hitop_arrivals_compare(&a, 0, 1e-3);
    ck_assert(!a.pays);
    ck_assert_int_eq(count_looks(&a, 40, 1.0 / 40, 100), 0);
    ck_assert(hitop_arrivals_shall_announce(&a, 1.06, 100));
    hitop_arrivals_learn(&a, 1, 1e-3);
    ck_assert(a.pays);
}
END_TEST

/* One operation after another root does not make a root forget that ranks are late at its own. */
START_TEST(knows_more_than_one_operation_of_another_root)
{
    struct arrivals a;

    hitop_arrivals_begin(&a);
    (void)count_judged(&a, 20, 1);
    for (int i = 0; i < 10; i++) {
        hitop_arrivals_compare(&a, 0, 1e-3);
        ck_assert(hitop_arrivals_shall_announce(&a, 0, 1));
        hitop_arrivals_compare(&a, 1, 1e-3);
    }
    hitop_arrivals_compare(&a, 0, 1e-3);
    hitop_arrivals_compare(&a, 0, 1e-3);
    ck_assert(!a.pays);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, ceases_when_all_come_together);
    tcase_add_test(tc, judges_ever_less_often_while_a_rank_is_late);
    tcase_add_test(tc, goes_on_while_one_of_five_is_late);
    tcase_add_test(tc, looks_ever_less_often);
    tcase_add_test(tc, looks_less_often_at_what_does_not_pay);
    tcase_add_test(tc, looks_at_once_where_operations_are_rare);
    tcase_add_test(tc, looks_soon_after_one_that_saw_a_late_rank);
    tcase_add_test(tc, begins_when_a_rank_is_late_again);
    tcase_add_test(tc, looks_take_a_small_part_of_the_time);
    tcase_add_test(tc, follows_earlier_roots);
    tcase_add_test(tc, knows_more_than_one_operation_of_another_root);
}

TEST_MAIN("arrivals", add_tests)
