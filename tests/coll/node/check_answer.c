/* SPDX-License-Identifier: BSD-3-Clause */
/* check_answer.c - who waits for an answer learns how long to rest before it looks. */
#include <config.h>

#include "coll/node/answer.h"

#include "tests/support/test_main.h"

/* An answer that is there after so many rests: looks in vain. */
static unsigned look(const struct hitop_answer *answer, unsigned time)
{
    return answer->rests < time ? time - answer->rests : 0;
}

/* So many answers; of them, how many were looked for too early. */
static unsigned learn(struct hitop_answer *answer, unsigned time, unsigned answers)
{
    unsigned early = 0;

    for (unsigned i = 0; i < answers; i++) {
        const unsigned looks = look(answer, time);

        hitop_answer_learn(answer, looks);
        early += looks > 0;
    }
    return early;
}

START_TEST(rests_as_long_as_answers_take)
{
    struct hitop_answer answer = {0};
    const unsigned time = (unsigned)_i;

    ck_assert_uint_le(learn(&answer, time, time), time);
    ck_assert_uint_eq(answer.rests, time);
    ck_assert_uint_le(learn(&answer, time, 1000), 1000 / HITOP_ANSWER_FOUND);
    ck_assert_uint_le(answer.rests, time);
    ck_assert_uint_ge(answer.rests + 1, time);
}
END_TEST

START_TEST(late_answers_change_nothing)
{
    struct hitop_answer answer = {0};

    (void)learn(&answer, 5, 50);
    const struct hitop_answer before = answer;
    hitop_answer_learn(&answer, HITOP_ANSWER_SOON + 1);
    ck_assert_mem_eq(&answer, &before, sizeof(answer));
}
END_TEST

START_TEST(never_rests_longer_than_that)
{
    struct hitop_answer answer = {0};

    (void)learn(&answer, HITOP_ANSWER_RESTS + 3, 1000);
    ck_assert_uint_eq(answer.rests, HITOP_ANSWER_RESTS);
}
END_TEST

/* Not for long where answers come sooner than before. */
START_TEST(forgets_at_once)
{
    struct hitop_answer answer = {0};

    (void)learn(&answer, HITOP_ANSWER_RESTS, 100);
    (void)learn(&answer, 0, 3 * HITOP_ANSWER_FOUND);
    ck_assert_uint_eq(answer.rests, 0);
}
END_TEST

START_TEST(lengths_of_a_class_differ_by_a_factor_of_two)
{
    struct hitop_answer class[HITOP_ANSWER_CLASSES];
    size_t first = HITOP_ANSWER_LEAST;
    int nclasses = 1;

    ck_assert_ptr_null(hitop_answer_of(class, HITOP_ANSWER_LEAST - 1));
    ck_assert_ptr_null(hitop_answer_of(class, HITOP_ANSWER_MOST + 1));
    for (size_t bytes = first; bytes <= HITOP_ANSWER_MOST; bytes++) {
        const struct hitop_answer *answer = hitop_answer_of(class, bytes);

        if (answer != hitop_answer_of(class, first)) {
            first = bytes;
            nclasses++;
        }
        ck_assert_ptr_eq(answer, &class[nclasses - 1]);
        ck_assert_uint_lt(bytes, 2 * first);
    }
    ck_assert_int_eq(nclasses, HITOP_ANSWER_CLASSES);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, rests_as_long_as_answers_take, 0, HITOP_ANSWER_RESTS + 1);
    tcase_add_test(tc, late_answers_change_nothing);
    tcase_add_test(tc, never_rests_longer_than_that);
    tcase_add_test(tc, forgets_at_once);
    tcase_add_test(tc, lengths_of_a_class_differ_by_a_factor_of_two);
}

TEST_MAIN("answer", add_tests)
