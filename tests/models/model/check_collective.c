/* SPDX-License-Identifier: BSD-3-Clause */
/* check_collective.c - what a model knows of linear scatter and gather: found, kept, written,
 * read. */
#include <config.h>

#include "models/fit/scatter_gather.h"

#include "hitop/model.h"
#include "hitop/sys/model.h"

#include "tests/support/example_hierarchy.h"
#include "tests/support/test_main.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include <math.h>
#include <stdio.h>

enum { NPOINTS = 96 };

/* 1 % noise. */
static struct hitop_point point(gsl_rng *rng, size_t bytes, double seconds)
{
    const double seen = seconds * exp(gsl_ran_gaussian(rng, 0.01));

    return (struct hitop_point){.bytes = bytes, .seconds = seen, .se = 0.01 * seen};
}

/* Blocks of 1 to 96 KiB: a scatter that jumps at 64 KiB, a gather that is erratic from 6 to 48
 * KiB. */
static void make_curves(gsl_rng *rng, struct hitop_point *scatter, struct hitop_point *gather)
{
    for (size_t i = 0; i < NPOINTS; i++) {
        const size_t bytes = 1024 * (i + 1);
        const double m = (double)bytes;
        const int is_erratic = bytes >= 6144 && bytes < 49152 && gsl_rng_uniform(rng) < 0.8;
        scatter[i] = point(rng, bytes, bytes < 65536 ? 100e-6 + 90e-9 * m : 900e-6 + 95e-9 * m);
        gather[i] = point(rng, bytes,
                          is_erratic      ? 0.2 * gsl_rng_uniform_pos(rng)
                          : bytes < 49152 ? 120e-6 + 20e-9 * m
                                          : 200e-6 + 80e-9 * m);
    }
}

START_TEST(finds_thresholds_and_lines)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    int right = 0;

    gsl_rng_set(rng, 20);
    for (int trial = 0; trial < 100; trial++) {
        struct hitop_point scatter[NPOINTS], gather[NPOINTS];
        const struct hitop_curve to_many = {scatter, NPOINTS}, to_one = {gather, NPOINTS};
        double t[HITOP_NTHRESHOLDS];
        make_curves(rng, scatter, gather);
        ck_assert_int_eq(hitop_thresholds_fit(&to_many, &to_one, 6144, t, NULL), HITOP_OK);
        ck_assert_double_eq(t[HITOP_M1], 6144);
        right += t[HITOP_S] == 65536 && fabs(t[HITOP_M2] - 49152) <= 4096;
        ck_assert_double_eq_tol(t[HITOP_SCATTER_SMALL_A] / 100e-6, 1, 0.2);
        ck_assert_double_eq_tol(t[HITOP_SCATTER_SMALL_B] / 90e-9, 1, 0.02);
        ck_assert_double_eq_tol(t[HITOP_GATHER_SMALL_B] / 20e-9, 1, 0.5);
        ck_assert_double_eq_tol(t[HITOP_GATHER_LARGE_B] / 80e-9, 1, 0.1);
        ck_assert_double_eq_tol(
            (t[HITOP_SCATTER_LARGE_A] + 81920 * t[HITOP_SCATTER_LARGE_B]) / 8682.4e-6, 1, 0.01);
    }
    printf("thresholds right in %d of 100 runs\n", right);
    ck_assert_int_ge(right, 90);
    gsl_rng_free(rng);
}
END_TEST

START_TEST(finds_no_thresholds_where_there_are_none)
{
    struct hitop_point line[8];
    const struct hitop_curve curve = {line, 8}, none = {NULL, 0}, one = {line, 1};
    double t[HITOP_NTHRESHOLDS];

    for (size_t i = 0; i < 8; i++) {
        line[i] = (struct hitop_point){
            .bytes = 1000 * i, .seconds = 2e-4 + 1e-8 * (double)(1000 * i), .se = 1e-6};
    }
    ck_assert_int_eq(hitop_thresholds_fit(&curve, &curve, 0, t, NULL), HITOP_OK);
    ck_assert(isnan(t[HITOP_S]) && isnan(t[HITOP_M1]) && isnan(t[HITOP_M2]));
    ck_assert_double_eq_tol(t[HITOP_SCATTER_SMALL_A], 2e-4, 1e-15);
    ck_assert_double_eq_tol(t[HITOP_GATHER_SMALL_B], 1e-8, 1e-19);
    ck_assert(isnan(t[HITOP_SCATTER_LARGE_A]) && isnan(t[HITOP_GATHER_LARGE_A]));
    ck_assert_int_eq(hitop_thresholds_fit(&none, &one, 0, t, NULL), HITOP_OK);
    for (int i = 0; i < HITOP_NTHRESHOLDS; i++) {
        ck_assert(isnan(t[i]));
    }
    ck_assert_int_eq(hitop_thresholds_fit(&none, &curve, 7000, t, NULL), HITOP_OK);
    ck_assert_double_eq(t[HITOP_M1], 6144); /* erratic to the end */
    ck_assert(isnan(t[HITOP_M2]));
    for (size_t i = 4; i < 8; i++) { /* only the level rises: no end of what is erratic */
        line[i].seconds += 1e-2;
    }
    ck_assert_int_eq(hitop_thresholds_fit(&none, &curve, 1024, t, NULL), HITOP_OK);
    ck_assert(t[HITOP_M1] == 1024 && isnan(t[HITOP_M2]));
    line[3].se = 0;
    ck_assert_int_eq(hitop_thresholds_fit(&curve, &none, 0, t, NULL), HITOP_ERR_INVALID);
    ck_assert_int_eq(hitop_thresholds_fit(&none, &curve, 0, t, NULL), HITOP_ERR_INVALID);
}
END_TEST

/* The example of three levels with these numbers. */
static enum hitop_status build(const char *type, const double *collective, struct hitop_model **out,
                               struct hitop_diag *diag)
{
    static const double processor[] = {1e-6, 1e-10};
    static const struct hitop_processor processors[] = {{.rank = 0, .params = processor}};
    const int is_lmo = strcmp(type, "lmo") == 0;
    struct hitop_hierarchy *h = example_hierarchy();
    struct hitop_class classes[EXAMPLE_CLASSES];
    struct hitop_model_parts parts = {.type = type,
                                      .hierarchy = h,
                                      .classes = classes,
                                      .nclasses = EXAMPLE_CLASSES,
                                      .processors = is_lmo ? processors : NULL,
                                      .nprocessors = is_lmo,
                                      .collective = collective};
    enum hitop_status status;

    example_classes(classes);
    status = hitop_model_build(&parts, out, diag);
    hitop_hierarchy_free(h);
    return status;
}

START_TEST(a_model_keeps_what_is_known)
{
    double given[HITOP_NTHRESHOLDS];
    struct hitop_model *model = NULL, *again = NULL;
    FILE *stream;
    char *text = NULL;
    size_t length = 0;

    for (int i = 0; i < HITOP_NTHRESHOLDS; i++) {
        given[i] = NAN;
    }
    given[HITOP_S] = 65536;
    given[HITOP_SCATTER_SMALL_B] = 1 / 3e8;
    ck_assert_int_eq(build("lmo", given, &model, NULL), HITOP_OK);
    given[HITOP_S] = 1;
    ck_assert_double_eq(hitop_model_collective(model)[HITOP_S], 65536);
    stream = open_memstream(&text, &length);
    ck_assert_int_eq(hitop_model_write(model, stream, NULL), HITOP_OK);
    fclose(stream);
    ck_assert_ptr_nonnull(
        strstr(text, "\"collective\": {\"S\": 65536.0, \"one2many_small_beta\": "));
    ck_assert_int_eq(hitop_model_parse("m", text, length, &again, NULL), HITOP_OK);
    for (int i = 0; i < HITOP_NTHRESHOLDS; i++) {
        const double x = hitop_model_collective(model)[i], y = hitop_model_collective(again)[i];
        ck_assert(x == y || (isnan(x) && isnan(y)));
    }
    free(text);
    hitop_model_free(again);
    hitop_model_free(model);
    ck_assert_int_eq(build("lmo", NULL, &model, NULL), HITOP_OK);
    ck_assert_ptr_null(hitop_model_collective(model));
    hitop_model_free(model);
}
END_TEST

START_TEST(refuses_numbers_that_make_no_sense)
{
    double given[HITOP_NTHRESHOLDS] = {0};
    struct hitop_model *model = NULL;
    struct hitop_diag diag = HITOP_DIAG_INIT;

    ck_assert_int_eq(build("hockney", given, &model, &diag), HITOP_ERR_INVALID);
    ck_assert_str_eq(diag.message, "hockney has no numbers of collectives");
    given[HITOP_M2] = -1;
    ck_assert_int_eq(build("lmo", given, &model, &diag), HITOP_ERR_INVALID);
    ck_assert_str_eq(diag.message, "lmo: M2=-1 is outside [0, 1e+15]");
    ck_assert_ptr_null(model);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, finds_thresholds_and_lines);
    tcase_add_test(tc, finds_no_thresholds_where_there_are_none);
    tcase_add_test(tc, a_model_keeps_what_is_known);
    tcase_add_test(tc, refuses_numbers_that_make_no_sense);
}

TEST_MAIN("collective", add_tests)
