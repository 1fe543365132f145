/* SPDX-License-Identifier: BSD-3-Clause */
/* check_model_contract.c - every registered model keeps the promises of sys/model.h. */
#include <config.h>

#include "hitop/sys/model.h"

#include "tests/support/test_main.h"

#include <math.h>

static const struct hitop_model_type *type_at(int index)
{
    return hitop_model_types()[index];
}

/* A message between two processors of the least a type can have: fallbacks, and a table of one
 * row. */
struct example {
    struct hitop_terms terms;
    double *link, *table, *processor;
};

static double *fallbacks(const struct hitop_model_type *type, const struct hitop_param *params,
                         size_t n)
{
    double *values = calloc(n + 1, sizeof(*values));

    ck_assert_int_eq(hitop_params_check(type->name, params, n, NULL, values, NULL), HITOP_OK);
    return values;
}

static struct example make_example(const struct hitop_model_type *type)
{
    struct example e = {
        .link = fallbacks(type, type->params, type->nparams),
        .table = fallbacks(type, type->columns, type->ncolumns),
        .processor = fallbacks(type, type->processor_params, type->nprocessor_params),
    };

    e.terms = (struct hitop_terms){.link = e.link,
                                   .table = type->ncolumns ? e.table : NULL,
                                   .nrows = type->ncolumns > 0,
                                   .from = type->nprocessor_params ? e.processor : NULL,
                                   .to = type->nprocessor_params ? e.processor : NULL};
    return e;
}

static void release(struct example *e)
{
    free(e->link);
    free(e->table);
    free(e->processor);
}

static void expect_sound(const struct hitop_param *params, size_t n)
{
    /* keys a model file uses itself */
    static const char *const taken[] = {"node",     "level",   "name",     "pair",      "nsizes",
                                        "se",       "between", "nsamples", "converged", "residual",
                                        "interval", "table",   "rank",     "ranks"};

    for (size_t p = 0; p < n; p++) {
        ck_assert(isfinite(params[p].min) && params[p].max < HUGE_VAL);
        ck_assert(params[p].unit && params[p].unit[0]);
        for (size_t k = 0; k < sizeof(taken) / sizeof(taken[0]); k++) {
            ck_assert_str_ne(params[p].name, taken[k]);
        }
    }
}

START_TEST(is_complete)
{
    const struct hitop_model_type *type = type_at(_i);
    const struct hitop_model_type *found = NULL;

    ck_assert_int_eq(hitop_model_type_find(type->name, &found, NULL), HITOP_OK);
    ck_assert_ptr_eq(found, type);
    ck_assert(type->summary && type->p2p && type->label);
    ck_assert_uint_gt(type->nparams + type->ncolumns, 0);
    ck_assert(!type->fit || type->needs);
    expect_sound(type->params, type->nparams);
    expect_sound(type->columns, type->ncolumns);
    expect_sound(type->processor_params, type->nprocessor_params);
    expect_sound(type->collective_params, type->ncollective_params);
    if (type->ncolumns > 0) { /* rows begin with the size at which they hold */
        ck_assert_str_eq(type->columns[0].name, "bytes");
        ck_assert_double_eq(type->columns[0].fallback, 0);
    }
}
END_TEST

START_TEST(never_gets_cheaper_with_size)
{
    const struct hitop_model_type *type = type_at(_i);
    struct example e = make_example(type);
    double before = 0;

    for (size_t bytes = 0; bytes < (size_t)1 << 40; bytes = bytes * 3 + 1) {
        const double t = type->p2p(&e.terms, bytes);
        ck_assert(isfinite(t) && t >= before);
        if (type->occupancy) {
            ck_assert(type->occupancy(&e.terms, bytes) <= t);
        }
        if (type->reception) {
            ck_assert(type->reception(&e.terms, bytes) <= t);
        }
        before = t;
    }
    release(&e);
}
END_TEST

/* Times are never negative, though a parameter may be. */
START_TEST(takes_no_negative_time_with_the_least_parameters)
{
    const struct hitop_model_type *type = type_at(_i);
    struct example e = make_example(type);

    for (size_t p = 0; p < type->nparams; p++) {
        e.link[p] = type->params[p].min;
    }
    for (size_t bytes = 0; bytes < (size_t)1 << 40; bytes = bytes * 3 + 1) {
        const double t = type->p2p(&e.terms, bytes);
        ck_assert(isfinite(t) && t >= 0);
        if (type->occupancy) {
            const double busy = type->occupancy(&e.terms, bytes);
            ck_assert(busy >= 0 && busy <= t);
        }
        if (type->reception) {
            const double busy = type->reception(&e.terms, bytes);
            ck_assert(busy >= 0 && busy <= t);
        }
    }
    release(&e);
}
END_TEST

START_TEST(labels_itself_within_bounds)
{
    const struct hitop_model_type *type = type_at(_i);
    struct example e = make_example(type);
    char text[64], tight[4];

    e.terms.from = e.terms.to = NULL;
    type->label(&e.terms, text, sizeof(text));
    ck_assert_uint_gt(strlen(text), 0);
    type->label(&e.terms, tight, sizeof(tight));
    ck_assert_uint_lt(strlen(tight), sizeof(tight));
    release(&e);
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
    tcase_add_loop_test(tc, takes_no_negative_time_with_the_least_parameters, 0, n);
    tcase_add_loop_test(tc, labels_itself_within_bounds, 0, n);
}

TEST_MAIN("model contract", add_tests)
