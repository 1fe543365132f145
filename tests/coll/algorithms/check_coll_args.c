/* SPDX-License-Identifier: BSD-3-Clause */
/* check_coll_args.c - what no algorithm takes, and what some of them do not. */
#include <config.h>

#include "hitop/sys/coll.h"
#include "hitop/sys/tree.h"

#include "tests/support/test_main.h"

enum { SEGMENT = 24 };

/* The defaults of an algorithm, with `segment` where it knows that word. To be freed. */
static double *make_params(const struct hitop_coll_type *type, double segment)
{
    double *values = calloc(type->nparams + 1, sizeof(*values));

    if (!values) {
        ck_abort_msg("out of memory");
    }
    for (size_t p = 0; p < type->nparams; p++) {
        const int is_segment = strcmp(type->params[p].name, "segment") == 0;
        values[p] = is_segment ? segment : type->params[p].fallback;
    }
    return values;
}

START_TEST(refuses_a_tree_with_another_root)
{
    const struct hitop_coll_type *type = hitop_coll_types()[_i];
    const struct hitop_tree_args tree_args = {.size = 4, .root = 1};
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_sched *sched;
    struct hitop_tree *tree = NULL;
    struct hitop_coll_args args = {.rank = 0, .size = 4, .root = 0, .bytes = 8};

    if (!(type->needs & HITOP_NEED_TREE)) {
        return;
    }
    ck_assert_int_eq(hitop_tree_build("chain", &tree_args, NULL, &tree, NULL), HITOP_OK);
    args.tree = tree;
    ck_assert_int_eq(hitop_coll_plan(type->name, &args, &sched, &diag), HITOP_ERR_INVALID);
    ck_assert_ptr_nonnull(strstr(diag.message, "needs a tree over 4 ranks rooted at 0"));
    args.tree = NULL;
    ck_assert_int_eq(hitop_coll_plan(type->name, &args, &sched, NULL), HITOP_ERR_INVALID);
    hitop_tree_free(tree);
}
END_TEST

START_TEST(refuses_ranks_and_parameters_out_of_range)
{
    const struct hitop_coll_type *type = hitop_coll_types()[_i];
    const struct hitop_tree_args tree_args = {.size = 4};
    struct hitop_sched *sched;
    struct hitop_tree *tree = NULL;
    struct hitop_coll_args args = {.rank = 4, .size = 4, .bytes = 8};

    ck_assert_int_eq(hitop_tree_build("chain", &tree_args, NULL, &tree, NULL), HITOP_OK);
    args.tree = tree;
    ck_assert_int_eq(hitop_coll_plan(type->name, &args, &sched, NULL), HITOP_ERR_INVALID);
    args.rank = 0;
    for (size_t bad = 0; bad < type->nparams; bad++) {
        double *params = make_params(type, SEGMENT);
        struct hitop_diag diag = HITOP_DIAG_INIT;
        params[bad] = type->params[bad].min - 1;
        args.params = params;
        ck_assert_int_eq(hitop_coll_plan(type->name, &args, &sched, &diag), HITOP_ERR_INVALID);
        ck_assert_ptr_null(sched);
        ck_assert_ptr_nonnull(strstr(diag.message, type->params[bad].name));
        ck_assert_ptr_nonnull(strstr(diag.message, "is outside"));
        free(params);
    }
    hitop_tree_free(tree);
}
END_TEST

START_TEST(refuses_more_segments_than_memory_holds)
{
    const struct hitop_tree_args tree_args = {.size = 4};
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_sched *sched;
    struct hitop_tree *tree = NULL;
    struct hitop_coll_args args = {
        .rank = 0, .size = 4, .bytes = (size_t)1 << 40, .params = (double[]){1}};

    ck_assert_int_eq(hitop_tree_build("chain", &tree_args, NULL, &tree, NULL), HITOP_OK);
    args.tree = tree;
    ck_assert_int_eq(hitop_coll_plan("bcast_tree", &args, &sched, &diag), HITOP_ERR_UNSUPPORTED);
    ck_assert_ptr_nonnull(strstr(diag.message, "segment=1 cuts"));
    hitop_tree_free(tree);
}
END_TEST

START_TEST(lists_the_valid_names_for_an_unknown_one)
{
    const struct hitop_coll_args args = {.size = 1};
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_sched *sched;

    ck_assert_int_eq(hitop_coll_plan("bcast_pigeon", &args, &sched, &diag), HITOP_ERR_NOTFOUND);
    ck_assert_ptr_nonnull(strstr(diag.message, "no collective is called 'bcast_pigeon'; valid: "));
    ck_assert_ptr_nonnull(strstr(diag.message, hitop_coll_types()[0]->name));
}
END_TEST

static void add_tests(TCase *tc)
{
    int n = 0;

    while (hitop_coll_types()[n]) {
        n++;
    }
    tcase_add_loop_test(tc, refuses_a_tree_with_another_root, 0, n);
    tcase_add_loop_test(tc, refuses_ranks_and_parameters_out_of_range, 0, n);
    tcase_add_test(tc, refuses_more_segments_than_memory_holds);
    tcase_add_test(tc, lists_the_valid_names_for_an_unknown_one);
}

TEST_MAIN("arguments of collectives", add_tests)
