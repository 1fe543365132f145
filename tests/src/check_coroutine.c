/* SPDX-License-Identifier: BSD-3-Clause */
/* check_coroutine.c - a computation stops at counted steps, continues, completes or is cancelled.
 */
#include <config.h>

#include "hitop/choice.h"
#include "hitop/coroutine.h"

#include "tests/support/costs.h"
#include "tests/support/test_main.h"

/* Work of so many steps, one by one. */
struct work {
    int most, done, is_cancelled;
};

static void work(void *self)
{
    struct work *w = self;

    while (w->done < w->most && !w->is_cancelled) {
        w->done++;
        w->is_cancelled = hitop_coroutine_yield(1);
    }
}

START_TEST(stops_after_the_steps_of_each_slice)
{
    struct work w = {.most = 100};
    struct hitop_coroutine *c = hitop_coroutine_new(work, &w);

    ck_assert_ptr_nonnull(c);
    ck_assert_int_eq(w.done, 0);
    ck_assert_int_eq(hitop_coroutine_resume(c, 10), 0);
    ck_assert_int_eq(w.done, 10);
    ck_assert_int_eq(hitop_coroutine_resume(c, 50), 0);
    ck_assert_int_eq(w.done, 60);
    ck_assert_int_eq(hitop_coroutine_resume(c, 41), 1);
    ck_assert_int_eq(w.done, 100);
    ck_assert_int_eq(hitop_coroutine_resume(c, 1), 1);
    ck_assert_int_eq(w.is_cancelled, 0);
    hitop_coroutine_free(c);
}
END_TEST

START_TEST(ends_when_it_is_freed)
{
    struct work w = {.most = 100}, never = {.most = 100};
    struct hitop_coroutine *c = hitop_coroutine_new(work, &w);

    ck_assert_int_eq(hitop_coroutine_resume(c, 10), 0);
    hitop_coroutine_free(c);
    ck_assert_int_eq(w.is_cancelled, 1);
    ck_assert_int_eq(w.done, 10);
    hitop_coroutine_free(hitop_coroutine_new(work, &never)); /* it has never begun */
    ck_assert_int_eq(never.done, 0);
    hitop_coroutine_free(NULL);
}
END_TEST

START_TEST(counts_nothing_outside_of_a_coroutine)
{
    struct work w = {.most = 100};

    work(&w);
    ck_assert_int_eq(w.done, 100);
}
END_TEST

/* ---- A choice in slices ---- */

enum { RANKS = 48, SLICE = 500 };

struct decision {
    struct hitop_cost cost;
    enum hitop_operation_id operation;
    struct hitop_choice choice;
    enum hitop_status status;
};

static void decide(void *self)
{
    struct decision *d = self;
    const struct hitop_choice_basis basis = {.cost = &d->cost};
    const struct hitop_call call = {
        .operation = &hitop_operations()[d->operation], .size = RANKS, .bytes = 65536, .unit = 8};

    d->status = hitop_choose(&basis, &call, &d->choice, NULL);
}

/* The same choice as in one piece, in as many slices as its steps need: they are counted alike. */
START_TEST(chooses_the_same_in_slices)
{
    struct decision whole = {.cost = layered_cost(RANKS), .operation = (enum hitop_operation_id)_i};
    struct decision sliced = whole, halves = whole;
    struct hitop_coroutine *c = hitop_coroutine_new(decide, &sliced);
    int nslices = 1, nhalves = 1;

    decide(&whole);
    while (!hitop_coroutine_resume(c, SLICE)) {
        nslices++;
    }
    hitop_coroutine_free(c);
    ck_assert_int_eq(whole.status, HITOP_OK);
    ck_assert_int_eq(sliced.status, HITOP_OK);
    ck_assert_ptr_eq(sliced.choice.algorithm.type, whole.choice.algorithm.type);
    ck_assert_ptr_eq(sliced.choice.algorithm.tree, whole.choice.algorithm.tree);
    ck_assert_mem_eq(sliced.choice.params, whole.choice.params, sizeof(whole.choice.params));
    ck_assert_double_eq(sliced.choice.seconds, whole.choice.seconds);
    c = hitop_coroutine_new(decide, &halves);
    while (!hitop_coroutine_resume(c, SLICE / 2)) {
        nhalves++;
    }
    hitop_coroutine_free(c);
    ck_assert_int_ge(nslices, 4);
    ck_assert_msg(nhalves > 1.5 * nslices && nhalves < 2.1 * nslices, "%d slices, %d halves",
                  nslices, nhalves);
}
END_TEST

START_TEST(cancels_a_choice_at_any_step)
{
    for (int nslices = 0; nslices < 12; nslices++) {
        struct decision d = {.cost = layered_cost(RANKS), .operation = HITOP_BCAST};
        struct hitop_coroutine *c = hitop_coroutine_new(decide, &d);
        for (int i = 0; i < nslices; i++) {
            ck_assert_int_eq(hitop_coroutine_resume(c, 97), 0);
        }
        hitop_coroutine_free(c);
        ck_assert_int_eq(d.status, nslices == 0 ? HITOP_OK : HITOP_ERR_CANCELLED);
    }
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, stops_after_the_steps_of_each_slice);
    tcase_add_test(tc, ends_when_it_is_freed);
    tcase_add_test(tc, counts_nothing_outside_of_a_coroutine);
    tcase_add_loop_test(tc, chooses_the_same_in_slices, 0, HITOP_NOPERATIONS);
    tcase_add_test(tc, cancels_a_choice_at_any_step);
}

TEST_MAIN("coroutine", add_tests)
