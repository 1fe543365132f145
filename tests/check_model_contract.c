/* SPDX-License-Identifier: BSD-3-Clause */
/* check_model_contract.c - every registered model keeps the promises of sys/model.h. */
#include <config.h>

#include "hitop/sys/model.h"

#include "test_main.h"

#include <math.h>

static const struct hitop_model_type *type_at(int index)
{
    return hitop_model_types()[index];
}

static double *fallbacks(const struct hitop_model_type *type)
{
    double *params = calloc(type->nparams, sizeof(*params));

    ck_assert_int_eq(
        hitop_params_check(type->name, type->params, type->nparams, NULL, params, NULL), HITOP_OK);
    return params;
}

START_TEST(is_complete)
{
    /* keys a model file uses itself */
    static const char *const taken[] = {"node", "level",    "name",      "pair",     "nsizes",
                                        "se",   "nsamples", "converged", "residual", "interval"};
    const struct hitop_model_type *type = type_at(_i);
    const struct hitop_model_type *found = NULL;

    ck_assert_int_eq(hitop_model_type_find(type->name, &found, NULL), HITOP_OK);
    ck_assert_ptr_eq(found, type);
    ck_assert(type->summary && type->p2p && type->label && type->nparams > 0);
    for (size_t p = 0; p < type->nparams; p++) {
        ck_assert(type->params[p].min >= 0 && type->params[p].max < HUGE_VAL);
        for (size_t k = 0; k < sizeof(taken) / sizeof(taken[0]); k++) {
            ck_assert_str_ne(type->params[p].name, taken[k]);
        }
    }
}
END_TEST

START_TEST(never_gets_cheaper_with_size)
{
    const struct hitop_model_type *type = type_at(_i);
    double *params = fallbacks(type);
    double before = 0;

    for (size_t bytes = 0; bytes < (size_t)1 << 40; bytes = bytes * 3 + 1) {
        const double t = type->p2p(params, bytes);
        ck_assert(isfinite(t) && t >= before);
        if (type->occupancy) {
            ck_assert(type->occupancy(params, bytes) <= t);
        }
        before = t;
    }
    free(params);
}
END_TEST

START_TEST(labels_itself_within_bounds)
{
    const struct hitop_model_type *type = type_at(_i);
    double *params = fallbacks(type);
    char text[64], tight[4];

    type->label(params, text, sizeof(text));
    ck_assert_uint_gt(strlen(text), 0);
    type->label(params, tight, sizeof(tight));
    ck_assert_uint_lt(strlen(tight), sizeof(tight));
    free(params);
}
END_TEST

static void add_tests(TCase *tc)
{
    int n = 0;

    while (type_at(n)) {
        n++;
    }
    tcase_add_loop_test(tc, is_complete, 0, n);
    tcase_add_loop_test(tc, never_gets_cheaper_with_size, 0, n);
    tcase_add_loop_test(tc, labels_itself_within_bounds, 0, n);
}

TEST_MAIN("model contract", add_tests)
