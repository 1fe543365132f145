/* SPDX-License-Identifier: BSD-3-Clause */
/* check_cpm.c - every operation of CPM is found by its name, and predicted by its model. */
#include <config.h>

#include "hitop/cpm.h"
#include "hitop/model.h"
#include "hitop/plan.h"
#include "hitop/predict.h"
#include "hitop/sys/coll.h"
#include "hitop/sys/model.h"
#include "hitop/sys/tree.h"

#include "tests/support/test_main.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The lines of testdata/cpm/operations, which come from CPM's manual. */
static char names[HITOP_CPM_NOPERATIONS + 1][64];
static int nnames;

static struct hitop_model *models[5];
static const char *const types[5] = {"hockney", "lininterp", "loggp", "plogp", "lmo"};

static const char *path_of(const char *folder, const char *name, const char *ending)
{
    static char path[1024];
    const char *dir = getenv("srcdir");

    (void)snprintf(path, sizeof(path), "%s/../testdata/%s/%s%s", dir ? dir : ".", folder, name,
                   ending);
    return path;
}

static void read_files(void)
{
    FILE *file = fopen(path_of("cpm", "operations", ""), "r");

    ck_assert_ptr_nonnull(file);
    for (nnames = 0; nnames <= HITOP_CPM_NOPERATIONS; nnames++) {
        if (fscanf(file, "%63s", names[nnames]) != 1) {
            break;
        }
    }
    (void)fclose(file);
    for (int i = 0; i < 5; i++) {
        ck_assert_int_eq(
            hitop_model_read(path_of("models/two-sites", types[i], ".json"), &models[i], NULL),
            HITOP_OK);
    }
}

static void free_models(void)
{
    for (int i = 0; i < 5; i++) {
        hitop_model_free(models[i]);
    }
}

static const struct hitop_model *model_of(const char *type)
{
    int i = 0;

    while (strcmp(types[i], type) != 0) {
        i++;
    }
    return models[i];
}

/* The time of 8 ranks with blocks of 1000 bytes; NAN after a failure. */
static double predict(const char *operation, const char *algorithm, const struct hitop_cost *cost)
{
    const struct hitop_predict_args args = {.operation = operation,
                                            .algorithm = algorithm,
                                            .size = 8,
                                            .root = 2,
                                            .bytes = 1000,
                                            .cost = cost};
    struct hitop_diag diag = HITOP_DIAG_INIT;
    double seconds = NAN;

    ck_assert_msg(hitop_predict(&args, &seconds, &diag) == HITOP_OK, "%s", diag.message);
    return seconds;
}

START_TEST(the_manual_has_170_operations_and_the_list_is_theirs)
{
    ck_assert_int_eq(nnames, HITOP_CPM_NOPERATIONS);
    for (int i = 0; i < HITOP_CPM_NOPERATIONS; i++) {
        char name[64];
        int k = 0;
        hitop_cpm_operation(i, name, sizeof(name), NULL);
        while (k < nnames && strcmp(names[k], name) != 0) {
            k++;
        }
        ck_assert_msg(k < nnames, "%s is not in the manual", name);
        names[k][0] = '\0'; /* once only */
    }
}
END_TEST

START_TEST(each_operation_is_found_and_predicted)
{
    const struct hitop_operation *operation = NULL;
    const struct hitop_tree_builder *tree = NULL;
    struct hitop_algorithm algorithm;
    struct hitop_cpm_name cpm;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    const struct hitop_coll_type *type = NULL;
    const char *found = NULL;
    struct hitop_cost cost;
    double seconds;
    char words[96];

    ck_assert_int_eq(hitop_cpm_find(names[_i], &cpm, &diag), HITOP_OK);
    ck_assert_int_eq(hitop_operation_split(names[_i], &operation, &found, &diag), HITOP_OK);
    ck_assert_str_eq(operation->name, cpm.operation);
    ck_assert_str_eq(found, cpm.algorithm);
    ck_assert_msg(hitop_algorithm_find(operation, names[_i], &algorithm, &diag) == HITOP_OK, "%s",
                  diag.message);
    ck_assert_str_eq(hitop_algorithm_name(algorithm), cpm.algorithm);
    if (algorithm.tree) {
        ck_assert_int_eq(hitop_tree_builder_find(names[_i], &tree, &diag), HITOP_OK);
        ck_assert_ptr_eq(tree, algorithm.tree);
        ck_assert_int_eq(hitop_coll_type_find(names[_i], &type, &diag), HITOP_ERR_NOTFOUND);
        (void)snprintf(words, sizeof(words), "is the collective %s over the tree %s",
                       algorithm.type->name, tree->name);
        ck_assert_msg(strstr(diag.message, words), "%s", diag.message);
    } else {
        ck_assert_int_eq(hitop_coll_type_find(names[_i], &type, &diag), HITOP_OK);
        ck_assert_ptr_eq(type, algorithm.type);
    }
    cost = hitop_model_cost(model_of(cpm.model));
    seconds = predict(names[_i], NULL, &cost);
    ck_assert_double_gt(seconds, 0);
    ck_assert_double_eq(seconds, predict(cpm.operation, cpm.algorithm, &cost));
    ck_assert_double_eq(seconds, predict(cpm.operation, names[_i], &cost));
}
END_TEST

static const struct {
    const char *name, *model, *operation, *algorithm;
} parts[] = {
    {"Hockney", "hockney", NULL, NULL},
    {"LinInterp_model", "lininterp", NULL, NULL},
    {"hockney_p2p_model", "hockney", NULL, NULL},
    {"LMO", "lmo", NULL, NULL},
    {"Hockney_dfs_binomial_min", "hockney", NULL, "dfs_min"},
    {"dfs_binomial_min", NULL, NULL, "dfs_min"},
    {"sorted_flat_dsc", NULL, NULL, "flat_dsc"},
    {"CPM_Scatterv_Traff", NULL, "scatterv", "traff_model"},
    {"MPIB_Scatterv_Traff", NULL, "scatterv", "traff"},
    {"MPIB_Scatter_binomial", NULL, "scatter", "binomial"},
    {"MPIB_Gather_linear", NULL, "gather", "flat"},
    {"MPIB_Bcast", NULL, "bcast", NULL},
    {"plogp_GATHER_bfs_binomial_max", "plogp", "gather", "bfs_max"},
};

static int equal(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

START_TEST(parts_of_names_are_names)
{
    struct hitop_cpm_name cpm;

    ck_assert_int_eq(hitop_cpm_find(parts[_i].name, &cpm, NULL), HITOP_OK);
    ck_assert_msg(equal(cpm.model, parts[_i].model) && equal(cpm.operation, parts[_i].operation) &&
                      equal(cpm.algorithm, parts[_i].algorithm),
                  "%s", parts[_i].name);
}
END_TEST

START_TEST(other_names_are_not_of_cpm)
{
    static const char *const others[] = {"",         "_",           "bcast",  "Hockney_",
                                         "MPIB",     "MPIB_",       "CPM__",  "dfs_binomial_",
                                         "Hockneys", "reduce_ring", "Scatter"};
    struct hitop_diag diag = {"unchanged"};
    struct hitop_cpm_name cpm;

    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        const enum hitop_status status = hitop_cpm_find(others[i], &cpm, &diag);
        ck_assert_msg(status == HITOP_ERR_NOTFOUND && !cpm.model && !cpm.operation &&
                          !cpm.algorithm,
                      "%s", others[i]);
    }
    ck_assert_str_eq(diag.message, "unchanged");
}
END_TEST

/* Names that Hitop cannot serve, and what the message says. */
static const struct {
    const char *name, *advice;
} unserved[] = {
    {"CPM_Scatter_dfs_binomial", "use dfs_min or dfs_max"},
    {"CPM_Bcast_bfs_binomial", "use bfs_min or bfs_max"},
    {"CPM_Reduce_ucs_binomial", "use ucs_min or ucs_max"},
    {"CPM_Gatherv_sorted_flat", "use flat_asc or flat_dsc"},
    {"MPIB_Scatterv_sorted_binomial_asc", "use traff"},
    {"MPIB_Gather_flat_rsend", "use flat"},
    {"Hockney_Scatter_dfs", "their algorithms: dfs_binomial_min, dfs_binomial_max, "},
    {"LMO_Gather_split_flat_min", "their algorithms: dfs_binomial_min, "},
    {"MPIB_Allgather_ring", "their operations: Bcast, Reduce, Scatter, Gather, Scatterv, Gatherv"},
    {"Hockney_read", "their operations: Bcast, "},
};

START_TEST(the_message_says_what_to_use_instead)
{
    const struct hitop_operation *operation;
    const char *algorithm;
    struct hitop_cpm_name cpm;
    struct hitop_diag diag = HITOP_DIAG_INIT;

    ck_assert_int_eq(hitop_cpm_find(unserved[_i].name, &cpm, &diag), HITOP_ERR_UNSUPPORTED);
    ck_assert(!cpm.model && !cpm.operation && !cpm.algorithm);
    diag.message[0] = '\0';
    ck_assert_int_eq(hitop_operation_split(unserved[_i].name, &operation, &algorithm, &diag),
                     HITOP_ERR_NOTFOUND);
    ck_assert_msg(strstr(diag.message, unserved[_i].advice), "%s", diag.message);
}
END_TEST

START_TEST(a_name_of_another_operation_is_refused)
{
    const struct hitop_operation *const bcast = &hitop_operations()[HITOP_BCAST];
    const struct hitop_operation *operation;
    struct hitop_algorithm algorithm;
    struct hitop_diag diag = HITOP_DIAG_INIT;

    ck_assert_int_eq(
        hitop_algorithm_find(bcast, "Hockney_Scatter_dfs_binomial_min", &algorithm, &diag),
        HITOP_ERR_NOTFOUND);
    ck_assert_ptr_nonnull(strstr(diag.message, "is for the operation scatter, not bcast"));
    ck_assert_int_eq(hitop_operation_find("Hockney_Scatter_dfs_binomial_min", &operation, &diag),
                     HITOP_ERR_NOTFOUND);
    ck_assert_ptr_nonnull(strstr(diag.message, "the algorithm dfs_min of the operation scatter"));
}
END_TEST

START_TEST(models_are_found)
{
    const struct hitop_model_type *type = NULL;

    ck_assert_int_eq(hitop_model_type_find("Hockney", &type, NULL), HITOP_OK);
    ck_assert_str_eq(type->name, "hockney");
    ck_assert_int_eq(hitop_model_type_find("MPIB", &type, NULL), HITOP_ERR_NOTFOUND);
    ck_assert_int_eq(hitop_model_type_find("LMO_Gather_split_flat", &type, NULL),
                     HITOP_ERR_NOTFOUND);
}
END_TEST

static void count(void *self, const char *line)
{
    ck_assert_str_eq(line, "'MPIB_Reduce_binomial' is a name of MPIBlib; the present name is "
                           "'reduce/binomial'");
    ++*(int *)self;
}

START_TEST(a_name_is_reported_once)
{
    const struct hitop_operation *operation;
    const char *algorithm;
    int n = 0;

    hitop_cpm_watch(count, &n);
    for (int i = 0; i < 3; i++) {
        ck_assert_int_eq(
            hitop_operation_split("MPIB_Reduce_binomial", &operation, &algorithm, NULL), HITOP_OK);
    }
    ck_assert_int_eq(hitop_operation_split("reduce/binomial", &operation, &algorithm, NULL),
                     HITOP_OK);
    hitop_cpm_watch(NULL, NULL);
    ck_assert_int_eq(n, 1);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_checked_fixture(tc, read_files, free_models);
    tcase_add_test(tc, the_manual_has_170_operations_and_the_list_is_theirs);
    tcase_add_loop_test(tc, each_operation_is_found_and_predicted, 0, HITOP_CPM_NOPERATIONS);
    tcase_add_loop_test(tc, parts_of_names_are_names, 0, (int)(sizeof(parts) / sizeof(parts[0])));
    tcase_add_test(tc, other_names_are_not_of_cpm);
    tcase_add_loop_test(tc, the_message_says_what_to_use_instead, 0,
                        (int)(sizeof(unserved) / sizeof(unserved[0])));
    tcase_add_test(tc, a_name_of_another_operation_is_refused);
    tcase_add_test(tc, models_are_found);
    tcase_add_test(tc, a_name_is_reported_once);
}

TEST_MAIN("cpm", add_tests)
