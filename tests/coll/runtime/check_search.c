/* SPDX-License-Identifier: BSD-3-Clause */
/* check_search.c - searches run one after another, in slices and in one thread. */
#include <config.h>

#include "coll/runtime/search.h"
#include "hitop/coroutine.h"

#include "tests/support/count_entries.h"
#include "tests/support/test_main.h"

#include <pthread.h>
#include <stdlib.h>

enum { STEPS = 100, MANY = 200 };

static int nbegun, ncomplete;

/* The answer is the bytes of the key. */
static void decide(const void *self, const struct choice_key *key,
                   const struct hitop_coll_args *args, void *answer)
{
    ck_assert_ptr_eq(self, &nbegun);
    ck_assert_uint_eq(args->bytes, key->bytes);
    nbegun++;
    for (int i = 0; i < STEPS; i++) {
        if (hitop_coroutine_yield(1)) {
            return;
        }
    }
    ncomplete++;
    *(size_t *)answer = key->bytes;
}

static const struct search_work work = {
    .decide = decide, .self = &nbegun, .answer_bytes = sizeof(size_t), .size = 3};

/* Returns the answer for a key of so many bytes, or 0. */
static size_t ask(struct search **list, size_t bytes, size_t steps)
{
    const struct choice_key key = {.bytes = bytes};
    const size_t starts[4] = {0, 1, 2, bytes};
    const struct hitop_coll_args args = {.size = 3, .bytes = bytes, .starts = starts};
    size_t *found = hitop_search_run(list, &work, &key, &args, steps), answer = 0;

    if (found) {
        answer = *found;
        ck_assert_uint_ne(answer, 0);
    }
    free(found);
    return answer;
}

static int count_threads(void)
{
    return count_entries("/proc/self/task");
}

START_TEST(answers_in_slices_one_after_another)
{
    struct search *list = NULL;

    ck_assert_uint_eq(ask(&list, 8, STEPS / 2), 0);
    ck_assert_uint_eq(ask(&list, 9, STEPS / 4), 0); /* runs the first one */
    ck_assert_int_eq(nbegun, 1);
    ck_assert_uint_eq(ask(&list, 9, STEPS), 0); /* completes it */
    ck_assert_int_eq(ncomplete, 1);
    ck_assert_uint_eq(ask(&list, 8, 1), 8);
    ck_assert_int_eq(nbegun, 2);
    hitop_search_continue(list, 2 * STEPS);
    ck_assert_uint_eq(ask(&list, 9, 1), 9);
    ck_assert_ptr_null(list);
    ck_assert_uint_eq(ask(&list, 7, 2 * STEPS), 7);
    ck_assert_ptr_null(list);
    ck_assert_int_eq(count_threads(), 1);
}
END_TEST

/* No key is asked for twice, and memory for their answers has a limit. */
START_TEST(has_one_thread_for_many_keys)
{
    struct search *list = NULL;
    int before;

    for (size_t key = 1; key <= MANY; key++) {
        ck_assert_uint_eq(ask(&list, key, STEPS / 2), 0);
        ck_assert_int_le(count_threads(), 2);
    }
    ck_assert_int_ge(ncomplete, MANY / 4);
    for (int i = 0; i < MANY; i++) {
        hitop_search_continue(list, STEPS);
    }
    ck_assert_int_eq(ncomplete, nbegun);
    before = nbegun;
    ck_assert_uint_eq(ask(&list, MANY + 1, 2 * STEPS),
                      MANY + 1); /* in the place of a complete one */
    ck_assert_int_eq(nbegun, before + 1);
    hitop_search_clear(&list);
    ck_assert_ptr_null(list);
    ck_assert_int_eq(count_threads(), 1);
}
END_TEST

START_TEST(answers_at_once_without_threads)
{
    struct search *list = NULL;
    pthread_attr_t attr;

    ck_assert_int_eq(pthread_attr_init(&attr), 0);
    ck_assert_int_eq(pthread_attr_setstacksize(&attr, (size_t)1 << 50), 0);
    ck_assert_int_eq(pthread_setattr_default_np(&attr), 0); /* threads cannot be created */
    ck_assert_uint_eq(ask(&list, 8, 1), 8);
    ck_assert_uint_eq(ask(&list, 9, 1), 9);
    ck_assert_ptr_null(list);
    (void)pthread_attr_destroy(&attr);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, answers_in_slices_one_after_another);
    tcase_add_test(tc, has_one_thread_for_many_keys);
    tcase_add_test(tc, answers_at_once_without_threads);
}

TEST_MAIN("searches for choices", add_tests)
