/* SPDX-License-Identifier: BSD-3-Clause */
/* check_course.c - writers find out whether laps of their rings cost less than going all the way round. */
#include <config.h>

#include "coll/node/course.h"

#include "tests/support/test_main.h"

enum { LAP = 256 * 1024, RING = 16 * LAP, MANY = 20000 };

/* ns per byte */
struct machine {
    double laps, ring;
};

static struct hitop_courses of_a_ring(void)
{
    struct hitop_courses c;

    hitop_courses_init(&c, LAP, RING);
    return c;
}

/* How many of n messages go in laps, behind others of the same writer or not. */
static int of_kind_in_laps(struct hitop_courses *c, const struct machine *m, size_t bytes,
                           int is_again, int n)
{
    struct hitop_course_kind *lesson;
    int laps = 0, copies = 0;

    for (int i = 0; i < n; i++) {
        const enum hitop_course now = hitop_courses_begin(c, bytes, is_again, &lesson);
        const double cost = now == HITOP_COURSE_LAPS ? m->laps : m->ring;

        laps += now == HITOP_COURSE_LAPS;
        for (size_t at = 0; at < bytes && lesson; at += 16384) {
            const size_t n_bytes = bytes - at < 16384 ? bytes - at : 16384;
            copies++; /* now and then one is interrupted */
            hitop_course_learn(lesson, n_bytes,
                               (double)n_bytes * cost * (copies % 7 == 3 ? 50 : 1));
        }
    }
    return laps;
}

static int in_laps(struct hitop_courses *c, const struct machine *m, size_t bytes, int n)
{
    return of_kind_in_laps(c, m, bytes, 1, n);
}

static const struct machine shared = {.laps = 0.03, .ring = 0.06},
                            apart = {.laps = 0.11, .ring = 0.03};
static const size_t length[] = {5000, 65536, LAP, 1024 * 1024, 8 * 1024 * 1024};

START_TEST(takes_what_costs_less)
{
    struct hitop_courses here = of_a_ring(), there = of_a_ring();

    (void)in_laps(&here, &shared, length[_i], MANY);
    ck_assert_int_gt(in_laps(&here, &shared, length[_i], MANY), MANY * 95 / 100);
    (void)in_laps(&there, &apart, length[_i], MANY);
    ck_assert_int_lt(in_laps(&there, &apart, length[_i], MANY), MANY * 5 / 100);
}
END_TEST

/* How many messages the first trials take: two laps, then all of the ring and a lap, of three messages at least. */
static int first_trials(size_t bytes)
{
    const size_t laps = (2 * LAP + bytes - 1) / bytes, ring = (RING + LAP + bytes - 1) / bytes;

    return (int)((laps < 3 ? 3 : laps) + (ring < 3 ? 3 : ring));
}

/* The first messages go in laps, and the first trials are soon over. */
START_TEST(decides_early)
{
    struct hitop_courses c = of_a_ring();

    ck_assert_int_eq(in_laps(&c, &apart, length[_i], 3), 3);
    (void)in_laps(&c, &apart, length[_i], first_trials(length[_i]) - 3);
    ck_assert_int_eq(in_laps(&c, &apart, length[_i], 10), 0);
}
END_TEST

/* The first time round the ring takes several times as long, which says nothing of the next one. */
START_TEST(does_not_count_new_memory)
{
    struct hitop_courses c = of_a_ring();
    struct hitop_course_kind *lesson;
    const size_t bytes = length[_i];
    size_t in_ring = 0;

    for (int n = first_trials(bytes); n > 0; n--) {
        const enum hitop_course now = hitop_courses_begin(&c, bytes, 1, &lesson);
        const double cost = now == HITOP_COURSE_LAPS ? apart.laps
                            : in_ring < RING         ? 4 * apart.laps
                                                     : apart.ring;
        if (lesson) {
            hitop_course_learn(lesson, bytes, (double)bytes * cost);
        }
        in_ring += now == HITOP_COURSE_RING ? bytes : 0;
    }
    ck_assert_int_eq(in_laps(&c, &apart, bytes, 10), 0);
}
END_TEST

/* Who has kept to laps finds the ring dearer for a whole round, but a little: then that round is awaited. Not if it is much. */
START_TEST(warms_a_ring_in_doubt)
{
    const double laps = 0.055, cold = _i == 0 ? 0.09 : 0.4, warm = 0.04;
    struct hitop_courses c = of_a_ring();
    struct hitop_course_kind *lesson;
    size_t round = 0; /* bytes since the last message in laps */
    int in_ring = 0, last = 0;

    for (int i = 0; i < MANY; i++) {
        if (hitop_courses_begin(&c, 65536, 1, &lesson) == HITOP_COURSE_LAPS) {
            round = 0;
        } else {
            round += 65536;
            in_ring++;
            last += i >= MANY / 2;
        }
        if (lesson) {
            hitop_course_learn(lesson, 65536,
                               65536 * (round == 0     ? laps
                                        : round < RING ? cold
                                                       : warm));
        }
    }
    if (_i == 0) {
        ck_assert_int_gt(last, MANY / 2 * 95 / 100);
    } else { /* but for the ring's first bytes no more than a lap and the next */
        ck_assert_int_lt(in_ring, MANY * 5 / 100);
    }
}
END_TEST

/* What somebody else has chosen teaches nothing and is no trial, but has been written. */
START_TEST(follows_others)
{
    struct hitop_courses c = of_a_ring();

    for (size_t at = 0; at < RING + LAP; at += length[1]) {
        ck_assert_int_eq(hitop_courses_follow(&c, length[1], HITOP_COURSE_RING), HITOP_COURSE_RING);
        ck_assert_uint_eq(c.gone, at + length[1] < RING ? at + length[1] : RING);
    }
    ck_assert_int_eq(hitop_courses_follow(&c, length[1], HITOP_COURSE_LAPS), HITOP_COURSE_LAPS);
    ck_assert_int_eq(in_laps(&c, &apart, length[1], 8), 8); /* two laps */
    ck_assert_int_eq(in_laps(&c, &apart, length[1], 20), 0);
}
END_TEST

/* One trial that goes wrong is found out soon, even after long. */
START_TEST(looks_again_after_a_change)
{
    struct hitop_courses c = of_a_ring();
    const struct hitop_course_kind *k = &c.kind[hitop_course_length(&c, length[1])][1];
    int laps = 0;

    (void)in_laps(&c, &apart, length[1], MANY);
    while (k->better == HITOP_COURSE_RING) { /* it seems so for a trial */
        (void)in_laps(&c, &shared, length[1], 1);
    }
    laps = in_laps(&c, &apart, length[1], 1000);
    ck_assert_int_gt(laps, 0);
    ck_assert_int_lt(laps, 100); /* each trial has two laps of 4 messages, the first rest eight */
}
END_TEST

/* Machines change, and programs. */
START_TEST(changes_its_mind)
{
    struct hitop_courses c = of_a_ring();

    (void)in_laps(&c, &apart, length[_i], 3 * MANY);
    (void)in_laps(&c, &shared, length[_i], MANY);
    ck_assert_int_gt(in_laps(&c, &shared, length[_i], MANY), MANY * 95 / 100);
    hitop_courses_forget(&c);
    ck_assert_int_eq(in_laps(&c, &apart, length[_i], 3), 3);
}
END_TEST

/* A small difference leads neither away from laps nor back to them. */
START_TEST(keeps_to_the_ring_while_that_is_cheaper)
{
    const struct machine doubtful = {.laps = 0.146, .ring = 0.133},
                         no_more = {.laps = 0.133, .ring = 0.146};
    struct hitop_courses fresh = of_a_ring(), c = of_a_ring();

    (void)in_laps(&fresh, &doubtful, length[_i], MANY);
    ck_assert_int_gt(in_laps(&fresh, &doubtful, length[_i], MANY), MANY * 94 / 100);
    ck_assert_int_gt(in_laps(&fresh, &doubtful, length[_i], MANY), MANY * 95 / 100);
    (void)in_laps(&c, &apart, length[_i], MANY);
    (void)in_laps(&c, &doubtful, length[_i], MANY);
    ck_assert_int_lt(in_laps(&c, &doubtful, length[_i], MANY), MANY * 5 / 100);
    (void)in_laps(&c, &no_more, length[_i], MANY);
    ck_assert_int_gt(in_laps(&c, &no_more, length[_i], MANY), MANY * 94 / 100);
}
END_TEST

/* Lengths of two classes do not learn from each other. */
START_TEST(knows_classes_of_lengths)
{
    static const size_t pairs[][2] = {
        {16384, LAP / 8 + 1}, {LAP / 8, 65536}, {20000, LAP}, {LAP - 1, LAP}, {65536, 1000000}};
    const size_t cheap = pairs[_i / 2][_i % 2], dear = pairs[_i / 2][1 - _i % 2];
    struct hitop_courses c = of_a_ring();

    for (int i = 0; i < MANY; i++) {
        (void)in_laps(&c, &shared, cheap, 1);
        (void)in_laps(&c, &apart, dear, 1);
    }
    ck_assert_int_gt(in_laps(&c, &shared, cheap, MANY), MANY * 95 / 100);
    ck_assert_int_lt(in_laps(&c, &apart, dear, MANY), MANY * 5 / 100);
}
END_TEST

/* Who writes where it has just read pays something else than who has written there before; neither forgets it meanwhile. */
START_TEST(knows_who_wrote_before)
{
    struct hitop_courses c = of_a_ring();

    (void)of_kind_in_laps(&c, &shared, length[_i], 0, MANY);
    (void)of_kind_in_laps(&c, &apart, length[_i], 1, MANY);
    ck_assert_int_gt(of_kind_in_laps(&c, &shared, length[_i], 0, MANY), MANY * 95 / 100);
    ck_assert_int_lt(of_kind_in_laps(&c, &apart, length[_i], 1, MANY), MANY * 5 / 100);
}
END_TEST

/* Where nothing was timed, as that of pieces under 1 KiB is not, laps stay. */
START_TEST(keeps_to_laps_without_times)
{
    struct hitop_courses c = of_a_ring();
    struct hitop_course_kind *lesson;
    int laps = 0;

    for (int i = 0; i < MANY; i++) {
        laps += hitop_courses_begin(&c, 10000, 1, &lesson) == HITOP_COURSE_LAPS;
    }
    ck_assert_int_gt(laps, MANY * 90 / 100);
}
END_TEST

static void add_tests(TCase *tc)
{
    const int n = sizeof(length) / sizeof(length[0]);

    tcase_add_loop_test(tc, takes_what_costs_less, 0, n);
    tcase_add_loop_test(tc, decides_early, 0, n);
    tcase_add_loop_test(tc, does_not_count_new_memory, 0, n);
    tcase_add_test(tc, looks_again_after_a_change);
    tcase_add_loop_test(tc, warms_a_ring_in_doubt, 0, 2);
    tcase_add_test(tc, follows_others);
    tcase_add_loop_test(tc, changes_its_mind, 0, n);
    tcase_add_loop_test(tc, keeps_to_the_ring_while_that_is_cheaper, 0, n);
    tcase_add_loop_test(tc, knows_classes_of_lengths, 0, 10);
    tcase_add_loop_test(tc, knows_who_wrote_before, 0, n);
    tcase_add_test(tc, keeps_to_laps_without_times);
}

TEST_MAIN("course", add_tests)
