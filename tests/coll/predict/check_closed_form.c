/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check_closed_form.c - formulas for collectives against worked numbers, and against plans of their
 * steps.
 */
#include <config.h>

#include "hitop/closed_form.h"
#include "hitop/model.h"
#include "hitop/predict.h"

#include "tests/support/costs.h"
#include "tests/support/example_hierarchy.h"
#include "tests/support/test_main.h"
#include "tests/support/worked_models.h"
#include "tests/support/worked_trees.h"

#include <math.h>
#include <stdint.h>

static struct hitop_bounds price(enum hitop_closed_form form,
                                 const struct hitop_closed_form_args *args)
{
    struct hitop_bounds out = {NAN, NAN};
    struct hitop_diag diag = HITOP_DIAG_INIT;

    ck_assert_msg(hitop_closed_form(form, args, &out, &diag) == HITOP_OK, "%s", diag.message);
    return out;
}

static void expect_between(enum hitop_closed_form form, const struct hitop_closed_form_args *args,
                           double lower, double upper)
{
    const struct hitop_bounds b = price(form, args);

    ck_assert_double_eq_tol(b.lower, lower, 1e-15);
    ck_assert_double_eq_tol(b.upper, upper, 1e-15);
}

static void expect(enum hitop_closed_form form, const struct hitop_closed_form_args *args,
                   double seconds)
{
    expect_between(form, args, seconds, seconds);
}

static const size_t unlike[] = {4000, 9000, 1000, 7000, 3000, 5000, 2000, 6000};

START_TEST(flat_trees_take_sums_or_maxima)
{
    struct hitop_model *model = worked_hockney(8);
    struct hitop_closed_form_args args = {.model = model, .bytes = 1000};

    expect(HITOP_FLAT_SERIAL, &args, 288e-6);
    expect(HITOP_LINEAR_SCATTER, &args,
           288e-6); /* where a message occupies its sender all the time */
    expect(HITOP_LINEAR_GATHER, &args, 288e-6);
    expect(HITOP_FLAT_PARALLEL, &args, 52e-6);
    args.blocks = unlike;
    expect(HITOP_FLAT_SERIAL, &args, 399e-6);
    expect(HITOP_FLAT_PARALLEL, &args, 76e-6);
    hitop_model_free(model);
}
END_TEST

START_TEST(flat_trees_over_three_levels)
{
    struct hitop_model *model = example_model();
    struct hitop_closed_form_args args = {.model = model, .bytes = 1000};

    expect(HITOP_FLAT_SERIAL, &args, 252.7e-6);
    expect(HITOP_FLAT_PARALLEL, &args, 61.2e-6);
    args.homogeneous = 1;
    expect(HITOP_FLAT_PARALLEL, &args, (35.21071428571428 + 0.8069642857142855) * 1e-6);
    args.bytes = 0;
    expect(HITOP_FLAT_PARALLEL, &args, 35.21071428571428e-6);
    hitop_model_free(model);
}
END_TEST

START_TEST(equal_links_take_the_mean_of_all)
{
    struct hitop_model *model = worked_hockney(8);
    const struct hitop_closed_form_args args = {.model = model, .bytes = 1000, .homogeneous = 1};
    const double alpha = 32.857142857142854e-6, beta = 5.285714285714286e-9;

    expect(HITOP_FLAT_SERIAL, &args, 267e-6);
    expect(HITOP_FLAT_PARALLEL, &args, 38.14285714285714e-6);
    expect(HITOP_BINOMIAL_SCATTER, &args, 135.57142857142856e-6); /* 3 alpha + 7 beta m */
    expect(HITOP_BINOMIAL_BCAST, &args, 3 * (alpha + beta * 1000));
    hitop_model_free(model);
}
END_TEST

START_TEST(binomial_trees_take_the_time_of_the_oracle)
{
    int nfound = 0;

    for (const struct worked_tree *w = worked_trees; w->name; w++) {
        if (strcmp(w->name, "binomial") == 0) {
            struct hitop_model *model = worked_hockney(w->size);
            const struct hitop_closed_form_args args = {
                .model = model, .root = w->root, .bytes = WORKED_BYTES};
            expect(HITOP_BINOMIAL_BCAST, &args, w->bcast);
            expect(HITOP_BINOMIAL_SCATTER, &args, w->scatter);
            hitop_model_free(model);
            nfound++;
        }
    }
    ck_assert_int_eq(nfound, 3);
}
END_TEST

/* The tree of the formula is that of the broadcast's plans for powers of two. */
START_TEST(binomial_broadcasts_take_as_long_as_their_plans)
{
    struct hitop_model *model = worked_lmo(NULL);

    for (int root = 0; root < 4; root++) {
        const struct hitop_cost cost = hitop_model_cost(model);
        const struct hitop_closed_form_args args = {.model = model, .root = root, .bytes = 5000};
        const struct hitop_predict_args planned = {.operation = "bcast",
                                                   .algorithm = "binomial",
                                                   .size = 4,
                                                   .root = root,
                                                   .bytes = 5000,
                                                   .cost = &cost};
        double seconds;
        ck_assert_int_eq(hitop_predict(&planned, &seconds, NULL), HITOP_OK);
        expect(HITOP_BINOMIAL_BCAST, &args, seconds);
    }
    hitop_model_free(model);
}
END_TEST

START_TEST(binomial_scatter_adds_up_unlike_blocks)
{
    static const size_t blocks[] = {4000, 9000, 1000, 7000};
    struct hitop_model *model = worked_hockney(4);
    const struct hitop_closed_form_args args = {.model = model, .root = 1, .blocks = blocks};
    /* 1 to 3 what 3 and 0 get, then 1 to 2; meanwhile 3 to 0 */
    const double first = 21e-6 + 11000 * 6e-9, then = 17e-6 + 4000 * 5e-9, last = 50e-6 + 8e-6;

    expect(HITOP_BINOMIAL_SCATTER, &args, first + fmax(then, last));
    hitop_model_free(model);
}
END_TEST

START_TEST(lmo_overlaps_what_its_receivers_do)
{
    struct hitop_model *model = worked_lmo(NULL);
    struct hitop_closed_form_args args = {.model = model, .bytes = 1000};

    expect(HITOP_LINEAR_SCATTER, &args, 99e-6);
    expect(HITOP_BINOMIAL_BCAST, &args, 121.5e-6);
    expect(HITOP_BINOMIAL_SCATTER, &args, 136.5e-6);
    expect_between(HITOP_LINEAR_GATHER, &args, 99e-6, 187e-6); /* M1 and M2 are unknown */
    args.root = 3;
    args.bytes = 2000;
    expect(HITOP_LINEAR_SCATTER, &args, 151e-6);
    hitop_model_free(model);
}
END_TEST

START_TEST(thresholds_of_lmo_select_the_formula)
{
    double collective[HITOP_NTHRESHOLDS];
    static const size_t blocks[] = {0, 1000, 1000, 3000};
    struct hitop_model *model;
    struct hitop_closed_form_args args = {.bytes = 1000};

    for (int i = 0; i < HITOP_NTHRESHOLDS; i++) {
        collective[i] = NAN;
    }
    collective[HITOP_M1] = 1024;
    args.model = model = worked_lmo(collective);
    expect(HITOP_LINEAR_GATHER, &args, 99e-6); /* short ones are received while others come */
    args.bytes = 1024;
    ck_assert(price(HITOP_LINEAR_GATHER, &args).lower < price(HITOP_LINEAR_GATHER, &args).upper);
    hitop_model_free(model);

    collective[HITOP_M1] = 512;
    collective[HITOP_M2] = 1000;
    collective[HITOP_S] = 2000;
    collective[HITOP_SCATTER_LARGE_A] = 100e-6;
    collective[HITOP_SCATTER_LARGE_B] = 50e-9;
    args.model = model = worked_lmo(collective);
    args.bytes = 1000;
    expect(HITOP_LINEAR_GATHER, &args, 187e-6); /* long ones one by one */
    expect(HITOP_LINEAR_SCATTER, &args, 99e-6);
    args.bytes = 999;
    expect_between(HITOP_LINEAR_GATHER, &args, 98.971e-6, 186.946e-6);
    args.bytes = 2000;
    args.root = 3;
    expect_between(HITOP_LINEAR_SCATTER, &args, 151e-6, 200e-6);
    args.root = 0;
    args.blocks = blocks; /* of which the root has its own */
    ck_assert_double_eq(price(HITOP_LINEAR_GATHER, &args).lower,
                        price(HITOP_FLAT_SERIAL, &args).lower);
    hitop_model_free(model);
}
END_TEST

START_TEST(linear_scatter_of_plogp_and_loggp)
{
    struct hitop_model *plogp = worked_plogp(), *loggp = NULL;
    struct hitop_closed_form_args args = {.model = plogp, .bytes = 4096};

    expect(HITOP_LINEAR_SCATTER, &args, 370e-6); /* L + 7 g */
    ck_assert_int_eq(hitop_model_convert(plogp, "loggp", &loggp, NULL), HITOP_OK);
    args.model = loggp;
    expect(HITOP_LINEAR_SCATTER, &args, 353.7404022216797e-6); /* L + 2 o + 7 (m - 1) G + 6 g */
    args.homogeneous = 1;
    expect(HITOP_LINEAR_SCATTER, &args, 353.7404022216797e-6);
    hitop_model_free(loggp);
    hitop_model_free(plogp);
}
END_TEST

START_TEST(one_rank_takes_no_time)
{
    struct hitop_hierarchy *h = worked_flat(1);
    struct hitop_model *model = NULL;

    ck_assert_int_eq(
        hitop_model_build(&(struct hitop_model_parts){.type = "hockney", .hierarchy = h}, &model,
                          NULL),
        HITOP_OK);
    for (int form = 0; form <= HITOP_BINOMIAL_SCATTER; form++) {
        for (int homogeneous = 0; homogeneous < 2; homogeneous++) {
            expect((enum hitop_closed_form)form,
                   &(struct hitop_closed_form_args){
                       .model = model, .bytes = 1000, .homogeneous = homogeneous},
                   0);
        }
    }
    hitop_model_free(model);
    hitop_hierarchy_free(h);
}
END_TEST

static void expect_refused(enum hitop_closed_form form, struct hitop_closed_form_args args,
                           const char *message)
{
    struct hitop_bounds out = {1, 1};
    struct hitop_diag diag = HITOP_DIAG_INIT;

    ck_assert_int_eq(hitop_closed_form(form, &args, &out, &diag), HITOP_ERR_INVALID);
    ck_assert_str_eq(diag.message, message);
    ck_assert(out.lower == 0 && out.upper == 0);
}

START_TEST(refuses_what_has_no_formula)
{
    static const size_t blocks[] = {1, SIZE_MAX, 1, 1};
    struct hitop_model *model = worked_hockney(4);
    char message[128];

    expect_refused(HITOP_FLAT_SERIAL, (struct hitop_closed_form_args){.model = model, .root = 4},
                   "closed form: root 4 is not in 0..3");
    expect_refused(HITOP_FLAT_SERIAL, (struct hitop_closed_form_args){.model = model, .root = -1},
                   "closed form: root -1 is not in 0..3");
    expect_refused(HITOP_BINOMIAL_BCAST,
                   (struct hitop_closed_form_args){.model = model, .blocks = blocks},
                   "closed form: blocks must be of one size for a broadcast");
    expect_refused(
        HITOP_FLAT_SERIAL,
        (struct hitop_closed_form_args){.model = model, .blocks = blocks, .homogeneous = 1},
        "closed form: blocks must be of one size for equal links");
    (void)snprintf(message, sizeof(message),
                   "closed form: the blocks of 4 ranks exceed %zu bytes together",
                   (size_t)SIZE_MAX);
    expect_refused(HITOP_FLAT_SERIAL,
                   (struct hitop_closed_form_args){.model = model, .blocks = blocks}, message);
    expect_refused(HITOP_BINOMIAL_SCATTER,
                   (struct hitop_closed_form_args){.model = model, .bytes = SIZE_MAX / 3}, message);
    hitop_model_free(model);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, flat_trees_take_sums_or_maxima);
    tcase_add_test(tc, flat_trees_over_three_levels);
    tcase_add_test(tc, equal_links_take_the_mean_of_all);
    tcase_add_test(tc, binomial_trees_take_the_time_of_the_oracle);
    tcase_add_test(tc, binomial_broadcasts_take_as_long_as_their_plans);
    tcase_add_test(tc, binomial_scatter_adds_up_unlike_blocks);
    tcase_add_test(tc, lmo_overlaps_what_its_receivers_do);
    tcase_add_test(tc, thresholds_of_lmo_select_the_formula);
    tcase_add_test(tc, linear_scatter_of_plogp_and_loggp);
    tcase_add_test(tc, one_rank_takes_no_time);
    tcase_add_test(tc, refuses_what_has_no_formula);
}

TEST_MAIN("closed form", add_tests)
