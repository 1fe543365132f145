/* SPDX-License-Identifier: BSD-3-Clause */
/* check_private.c - formulas and trees that a program brings along are as good as those of the
 * library. */
#include <config.h>

#include "hitop/plan.h"
#include "hitop/predict.h"
#include "hitop/sys/model.h"
#include "hitop/sys/tree.h"

#include "tests/support/test_main.h"

#include <stdio.h>

static double constant(const struct hitop_terms *t, size_t bytes)
{
    (void)bytes;
    return t->link[0];
}

static void label(const struct hitop_terms *t, char *out, size_t length)
{
    snprintf(out, length, "%g", t->link[0]);
}

static const struct hitop_param steady[] = {{"steady", "seconds", 0.25, 0, 9, "s"}};
static const struct hitop_model_type mine = {.name = "mine",
                                             .summary = "T(m) = steady",
                                             .params = steady,
                                             .nparams = 1,
                                             .p2p = constant,
                                             .label = label};

/* All below the root, the highest first. */
static enum hitop_status build(const struct hitop_tree_args *args, const double *params,
                               int *parent, int *order, struct hitop_diag *diag)
{
    int n = 1;

    (void)params;
    (void)diag;
    order[0] = args->root;
    for (int r = args->size - 1; r >= 0; r--) {
        parent[r] = r == args->root ? HITOP_NO_RANK : args->root;
        if (r != args->root) {
            order[n++] = r;
        }
    }
    return HITOP_OK;
}

static const struct hitop_tree_builder star = {.name = "star", .summary = "a star", .build = build};

static const char file[] =
    "{\"format\":\"hitop-model\",\"version\":1,\"model\":\"mine\",\"convention\":\"one-way\","
    "\"units\":{\"time\":\"s\",\"size\":\"B\"},\"ranks\":3,\"tree\":{\"hosts\":[\"a\",\"b\",\"c\"],"
    "\"parents\":[3,3,3],\"groups\":[{\"node\":3,\"level\":\"root\",\"name\":\"\",\"parent\":null}]"
    "},"
    "\"classes\":[{\"node\":3,\"level\":\"root\",\"name\":\"\",\"pair\":[0,1],\"steady\":0.375,"
    "\"nsizes\":1,\"nsamples\":5,\"converged\":true,\"residual\":0}]}";

START_TEST(model_files_in_a_private_formula_are_refused_until_it_is_registered)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_model *model = NULL;

    ck_assert_int_eq(hitop_model_parse("m", file, sizeof(file) - 1, &model, &diag),
                     HITOP_ERR_FORMAT);
    ck_assert_ptr_nonnull(strstr(diag.message, "mine"));
    ck_assert_int_eq(hitop_model_type_register(&mine, NULL), HITOP_OK);
    ck_assert_int_eq(hitop_model_type_register(&mine, NULL), HITOP_OK); /* once more is fine */
    ck_assert_int_eq(hitop_model_parse("m", file, sizeof(file) - 1, &model, NULL), HITOP_OK);
    ck_assert_double_eq(hitop_model_p2p(model, 0, 2, 1000), 0.375);
    hitop_model_free(model);
}
END_TEST

START_TEST(a_private_tree_is_built_and_predicted)
{
    const struct hitop_tree_args args = {.size = 3, .root = 1};
    struct hitop_model *model = NULL;
    struct hitop_tree *tree = NULL;
    struct hitop_cost cost;
    struct hitop_predict_args ask = {
        .operation = "bcast", .algorithm = "star", .size = 3, .bytes = 1};
    const struct hitop_operation *bcast = &hitop_operations()[HITOP_BCAST];
    const size_t before = hitop_algorithm_count(bcast);
    double seconds;
    int count;

    ck_assert_int_eq(hitop_tree_build("star", &args, NULL, &tree, NULL), HITOP_ERR_NOTFOUND);
    ck_assert_int_eq(hitop_tree_builder_register(&star, NULL), HITOP_OK);
    ck_assert_int_eq(hitop_tree_builder_register(&star, NULL), HITOP_OK);
    ck_assert_uint_eq(hitop_algorithm_count(bcast), before + 1);
    ck_assert_int_eq(hitop_tree_build("star", &args, NULL, &tree, NULL), HITOP_OK);
    ck_assert_int_eq(hitop_tree_children(tree, 1, &count)[0], 2);
    ck_assert_int_eq(count, 2);
    hitop_tree_free(tree);

    ck_assert_int_eq(hitop_model_type_register(&mine, NULL), HITOP_OK);
    ck_assert_int_eq(hitop_model_parse("m", file, sizeof(file) - 1, &model, NULL), HITOP_OK);
    cost = hitop_model_cost(model);
    ask.cost = &cost;
    ck_assert_int_eq(hitop_predict(&ask, &seconds, NULL), HITOP_OK);
    ck_assert_double_eq(seconds, 0.75); /* one message after the other, 0.375 s each */
    hitop_model_free(model);
}
END_TEST

START_TEST(what_cannot_be_used_is_refused)
{
    static const struct hitop_param twice[] = {{"x", "", 1, 0, 2, ""}, {"x", "", 1, 0, 2, ""}};
    static const struct hitop_param outside[] = {{"x", "", 3, 0, 2, ""}};
    struct hitop_model_type bad = mine;
    struct hitop_tree_builder tree = star;
    struct hitop_diag diag = HITOP_DIAG_INIT;

    bad.name = "hockney";
    ck_assert_int_eq(hitop_model_type_register(&bad, &diag), HITOP_ERR_INVALID);
    ck_assert_str_eq(diag.message, "there is a model hockney already");
    bad.name = "two words";
    ck_assert_int_eq(hitop_model_type_register(&bad, NULL), HITOP_ERR_INVALID);
    bad.name = NULL;
    ck_assert_int_eq(hitop_model_type_register(&bad, NULL), HITOP_ERR_INVALID);
    bad.name = "bad";
    bad.params = NULL;
    ck_assert_int_eq(hitop_model_type_register(&bad, NULL), HITOP_ERR_INVALID);
    bad.params = outside;
    ck_assert_int_eq(hitop_model_type_register(&bad, &diag), HITOP_ERR_INVALID);
    ck_assert_str_eq(diag.message, "bad: the fallback of x, 3, is not in 0..2");
    bad.params = twice;
    bad.nparams = 2;
    ck_assert_int_eq(hitop_model_type_register(&bad, &diag), HITOP_ERR_INVALID);
    ck_assert_str_eq(diag.message, "bad: two parameters are called x");
    bad = mine;
    bad.name = "bad";
    bad.p2p = NULL;
    ck_assert_int_eq(hitop_model_type_register(&bad, NULL), HITOP_ERR_INVALID);

    tree.name = "ecef";
    ck_assert_int_eq(hitop_tree_builder_register(&tree, NULL), HITOP_ERR_INVALID);
    tree.name = "auto";
    ck_assert_int_eq(hitop_tree_builder_register(&tree, NULL), HITOP_ERR_INVALID);
    tree.name = "bad";
    tree.build = NULL;
    ck_assert_int_eq(hitop_tree_builder_register(&tree, NULL), HITOP_ERR_INVALID);
    ck_assert_int_eq(
        hitop_tree_builder_find("bad", &(const struct hitop_tree_builder *){NULL}, NULL),
        HITOP_ERR_NOTFOUND);
}
END_TEST

START_TEST(there_is_room_for_sixteen_of_each)
{
    static char name[HITOP_PRIVATE_MAX + 1][16];
    static struct hitop_model_type type[HITOP_PRIVATE_MAX + 1];
    static struct hitop_tree_builder tree[HITOP_PRIVATE_MAX + 1];

    const struct hitop_model_type *found;
    /* those of the tests before, where tests do not run in processes of their own */
    const int room = HITOP_PRIVATE_MAX - (hitop_model_type_find("mine", &found, NULL) == HITOP_OK);

    for (int i = 0; i <= HITOP_PRIVATE_MAX; i++) {
        const enum hitop_status want = i < room ? HITOP_OK : HITOP_ERR_UNSUPPORTED;
        snprintf(name[i], sizeof(name[i]), "own_%d", i);
        type[i] = mine;
        tree[i] = star;
        type[i].name = tree[i].name = name[i];
        ck_assert_int_eq(hitop_model_type_register(&type[i], NULL), want);
        ck_assert_int_eq(hitop_tree_builder_register(&tree[i], NULL), want);
    }
    ck_assert_uint_gt(hitop_algorithm_count(&hitop_operations()[HITOP_BCAST]), HITOP_PRIVATE_MAX);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, model_files_in_a_private_formula_are_refused_until_it_is_registered);
    tcase_add_test(tc, a_private_tree_is_built_and_predicted);
    tcase_add_test(tc, what_cannot_be_used_is_refused);
    tcase_add_test(tc, there_is_room_for_sixteen_of_each);
}

TEST_MAIN("private", add_tests)
