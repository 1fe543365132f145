/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check_irregular.c - what several messages at once take longer is predicted, and gone around by
 * splitting.
 */
#include <config.h>

#include "hitop/choice.h"
#include "hitop/closed_form.h"
#include "hitop/irregular.h"
#include "hitop/model.h"

#include "tests/support/test_main.h"
#include "tests/support/worked_models.h"

#include <math.h>

static double thresholds[HITOP_NTHRESHOLDS];

static void forget(void)
{
    for (int i = 0; i < HITOP_NTHRESHOLDS; i++) {
        thresholds[i] = NAN;
    }
}

/* A model, and all that a choice by it needs. */
struct question {
    struct hitop_model *model;
    struct hitop_cost cost;
    struct hitop_irregular irregular;
    struct hitop_choice_basis basis;
    struct hitop_call call;
};

/* Must stay where it is. */
static void ask(struct question *q, enum hitop_operation_id operation, int root, size_t bytes)
{
    q->model = worked_lmo(thresholds);
    q->cost = hitop_model_cost(q->model);
    q->basis = (struct hitop_choice_basis){
        .cost = &q->cost,
        .irregular = hitop_irregular_of(q->model, &q->irregular) ? &q->irregular : NULL};
    q->call = (struct hitop_call){
        .operation = &hitop_operations()[operation], .size = 4, .root = root, .bytes = bytes};
}

/* What a way with a parameter takes, in us. */
static double price(const struct question *q, const char *name, const char *param)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_algorithm algorithm;
    struct hitop_choice choice;
    double seconds;

    ck_assert_int_eq(hitop_algorithm_find(q->call.operation, name, &algorithm, NULL), HITOP_OK);
    choice = hitop_choice_default(algorithm);
    ck_assert(!param || hitop_choice_set(&choice, param, NULL) == HITOP_OK);
    ck_assert_msg(hitop_choice_price(&q->basis, &q->call, &choice, &seconds, &diag) == HITOP_OK,
                  "%s", diag.message);
    return seconds * 1e6;
}

static double price_of(enum hitop_operation_id operation, const char *name, int root, size_t bytes)
{
    struct question q;
    double us;

    ask(&q, operation, root, bytes);
    us = price(&q, name, NULL);
    hitop_model_free(q.model);
    return us;
}

static struct hitop_choice choose(const struct question *q)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_choice choice;

    ck_assert_msg(hitop_choose(&q->basis, &q->call, &choice, &diag) == HITOP_OK, "%s",
                  diag.message);
    return choice;
}

/*
 * Linear gather of the worked example takes 99 us by the formula when all overlaps and 187 us one
 * by one (check_closed_form.c), and 84 us where the slowest comes last, as in the plan; linear
 * scatter 151 us.
 */
START_TEST(plans_take_longer_by_what_the_formulas_differ)
{
    double before;

    forget();
    ck_assert_double_eq_tol(price_of(HITOP_GATHER, "flat", 0, 1000), 84, 1e-9);
    thresholds[HITOP_M1] = 1001;
    ck_assert_double_eq_tol(price_of(HITOP_GATHER, "flat", 0, 1000), 84, 1e-9);
    thresholds[HITOP_M1] = 500;
    ck_assert_double_eq_tol(price_of(HITOP_GATHER, "flat", 0, 1000), 84 + 9 * 99, 1e-9);
    thresholds[HITOP_M2] = 1000;
    ck_assert_double_eq_tol(price_of(HITOP_GATHER, "flat", 0, 1000), 84 + 187 - 99, 1e-9);

    before = price_of(HITOP_SCATTER, "flat", 3, 2000);
    thresholds[HITOP_S] = 2001;
    thresholds[HITOP_SCATTER_LARGE_A] = 100e-6;
    thresholds[HITOP_SCATTER_LARGE_B] = 50e-9;
    ck_assert_double_eq_tol(price_of(HITOP_SCATTER, "flat", 3, 2000), before, 1e-9);
    thresholds[HITOP_S] = 2000;
    ck_assert_double_eq_tol(price_of(HITOP_SCATTER, "flat", 3, 2000), before + 200 - 151, 1e-9);
}
END_TEST

/* The end of the last message. */
static void note_end(void *self, const struct hitop_activity *activity)
{
    double *last = self;

    *last = fmax(*last, activity->end);
}

START_TEST(what_happens_takes_as_long_as_is_predicted)
{
    struct question q;
    struct hitop_algorithm algorithm;
    struct hitop_choice choice;
    struct hitop_plan_args args;
    struct hitop_plan *plan;
    double finish[4], last = 0;

    forget();
    thresholds[HITOP_M1] = 500;
    ask(&q, HITOP_GATHER, 0, 1000);
    ck_assert_int_eq(hitop_algorithm_find(q.call.operation, "flat", &algorithm, NULL), HITOP_OK);
    choice = hitop_choice_default(algorithm);
    args = hitop_choice_plan_args(&choice, &q.call, &q.cost);
    ck_assert_int_eq(hitop_plan_build(&args, &plan, NULL), HITOP_OK);
    ck_assert_int_eq(hitop_choice_trace(&q.basis, plan, finish, note_end, &last, NULL), HITOP_OK);
    ck_assert_double_eq_tol(finish[0] * 1e6, price(&q, "flat", NULL), 1e-9);
    ck_assert_double_eq_tol(last * 1e6, 84 + 9 * 99, 1e-9);
    hitop_plan_free(plan);
    hitop_model_free(q.model);
}
END_TEST

START_TEST(one_sender_causes_no_delay)
{
    double before;

    forget();
    before = price_of(HITOP_GATHER, "chain", 0, 1000);
    thresholds[HITOP_M1] = 1;
    thresholds[HITOP_S] = 1;
    thresholds[HITOP_SCATTER_LARGE_A] = 1;
    thresholds[HITOP_SCATTER_LARGE_B] = 1;
    ck_assert_double_eq(price_of(HITOP_GATHER, "chain", 0, 1000), before);
}
END_TEST

START_TEST(escalating_gathers_are_split_below_the_threshold)
{
    struct question q;
    struct hitop_choice choice;

    forget();
    thresholds[HITOP_M1] = 5120;
    thresholds[HITOP_M2] = 65536;
    ask(&q, HITOP_GATHER, 0, 12000);
    choice = choose(&q);
    ck_assert_str_eq(hitop_algorithm_name(choice.algorithm), "split");
    ck_assert_double_eq(choice.params[0], 4000); /* three linear gathers */
    ck_assert_double_le(choice.seconds * 1e6, 3 * price_of(HITOP_GATHER, "flat", 0, 4000) + 1e-9);
    ck_assert_double_lt(price(&q, "split", "piece=4000"), price(&q, "flat", NULL) / 3);
    q.call.bytes = 5119;
    choice = choose(&q);
    ck_assert(choice.algorithm.tree || choice.params[0] == 0); /* in one piece */
    q.call.bytes = 5120;
    choice = choose(&q);
    ck_assert_str_eq(hitop_algorithm_name(choice.algorithm), "split");
    ck_assert_double_eq(choice.params[0], 2560);
    hitop_model_free(q.model);
}
END_TEST

/* The pieces of a split that names none; 0: whole blocks. */
static double pieces_of(struct question *q, size_t bytes)
{
    struct hitop_algorithm algorithm;
    struct hitop_irregular irregular;
    struct hitop_choice choice;
    const int is_known = hitop_irregular_of(q->model, &irregular);
    int is_set;

    q->call.bytes = bytes;
    ck_assert_int_eq(hitop_algorithm_find(q->call.operation, "split", &algorithm, NULL), HITOP_OK);
    choice = hitop_choice_default(algorithm);
    is_set = hitop_choice_pieces(&choice, &q->call, is_known ? &irregular : NULL);
    ck_assert_int_eq(is_set, choice.params[0] > 0);
    return choice.params[0];
}

START_TEST(a_split_without_pieces_takes_those_of_the_model)
{
    struct question q;

    forget();
    ask(&q, HITOP_GATHER, 0, 12000);
    ck_assert_double_eq(pieces_of(&q, 12000), 0);
    hitop_model_free(q.model);

    thresholds[HITOP_M1] = 5120;
    ask(&q, HITOP_GATHER, 0, 12000);
    ck_assert_double_eq(pieces_of(&q, 5119), 0);
    ck_assert_double_eq(pieces_of(&q, 5120), 2560);
    ck_assert_double_eq(pieces_of(&q, 12000), 4000);
    ck_assert_double_eq(pieces_of(&q, 65536), 5042); /* 13 pieces */
    hitop_model_free(q.model);

    thresholds[HITOP_M2] = 65536;
    thresholds[HITOP_S] = 4096;
    ask(&q, HITOP_GATHER, 0, 12000);
    ck_assert_double_eq(pieces_of(&q, 65536), 0);
    hitop_model_free(q.model);
    ask(&q, HITOP_SCATTER, 3, 12000);
    ck_assert_double_eq(pieces_of(&q, 4095), 0);
    ck_assert_double_eq(pieces_of(&q, 65536), 3856); /* 17 pieces */
    hitop_model_free(q.model);
}
END_TEST

START_TEST(scatters_are_split_where_that_is_cheaper)
{
    struct question q;
    struct hitop_choice choice;

    forget();
    thresholds[HITOP_S] = 4096;
    thresholds[HITOP_SCATTER_LARGE_A] = 1000e-6; /* leaps by far more than a piece takes */
    thresholds[HITOP_SCATTER_LARGE_B] = 50e-9;
    ask(&q, HITOP_SCATTER, 3, 10000);
    choice = choose(&q);
    ck_assert_str_eq(hitop_algorithm_name(choice.algorithm), "split");
    ck_assert_double_eq(choice.params[0], 3334);
    hitop_model_free(q.model);

    thresholds[HITOP_SCATTER_LARGE_A] = 0; /* no leap: less than what the model says anyway */
    thresholds[HITOP_SCATTER_LARGE_B] = 0;
    ask(&q, HITOP_SCATTER, 3, 10000);
    choice = choose(&q);
    ck_assert(choice.algorithm.tree || choice.params[0] == 0);
    hitop_model_free(q.model);
}
END_TEST

START_TEST(other_models_know_nothing_of_it)
{
    struct hitop_model *model = worked_hockney(4);
    struct hitop_irregular irregular;

    ck_assert(!hitop_irregular_of(model, &irregular));
    ck_assert(isnan(irregular.S) && isnan(irregular.M1));
    hitop_model_free(model);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, plans_take_longer_by_what_the_formulas_differ);
    tcase_add_test(tc, what_happens_takes_as_long_as_is_predicted);
    tcase_add_test(tc, one_sender_causes_no_delay);
    tcase_add_test(tc, a_split_without_pieces_takes_those_of_the_model);
    tcase_add_test(tc, escalating_gathers_are_split_below_the_threshold);
    tcase_add_test(tc, scatters_are_split_where_that_is_cheaper);
    tcase_add_test(tc, other_models_know_nothing_of_it);
}

TEST_MAIN("irregular", add_tests)
