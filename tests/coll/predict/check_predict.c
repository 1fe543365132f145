/* SPDX-License-Identifier: BSD-3-Clause */
/* check_predict.c - predictions against recursions that share no code with them. */
#include <config.h>

#include "hitop/choice.h"
#include "hitop/predict.h"
#include "hitop/sys/coll.h"
#include "hitop/sys/tree.h"

#include "tests/support/costs.h"
#include "tests/support/test_main.h"
#include "tests/support/worked_trees.h"

#include <math.h>

static double predict(const struct hitop_predict_args *args)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    double seconds = NAN;

    ck_assert_msg(hitop_predict(args, &seconds, &diag) == HITOP_OK, "%s", diag.message);
    return seconds;
}

START_TEST(broadcasts_take_the_time_of_the_oracle)
{
    const struct worked_tree *w = &worked_trees[_i];
    const struct hitop_cost cost = worked_cost();
    const double weight = w->weight;
    const struct hitop_predict_args args = {.operation = "bcast",
                                            .algorithm = w->name,
                                            .tree_params =
                                                strcmp(w->name, "binomial") ? &weight : NULL,
                                            .size = w->size,
                                            .root = w->root,
                                            .bytes = WORKED_BYTES,
                                            .cost = &cost};

    ck_assert_double_eq_tol(predict(&args), w->bcast, 1e-15);
}
END_TEST

START_TEST(ecef_takes_the_time_of_the_oracle)
{
    const struct hitop_cost cost = worked_cost();
    const struct hitop_predict_args args = {
        .operation = "bcast", .algorithm = "ecef", .size = 8, .bytes = WORKED_BYTES, .cost = &cost};

    ck_assert_double_eq_tol(predict(&args), 76e-6, 1e-15);
}
END_TEST

/*
 * T(v, c1..ck) = price(v, c1) + max(T(c1), T(v, c2..ck)): the sender is busy with a message until
 * it has arrived.
 */
static double down(const struct hitop_tree *tree, const struct hitop_cost *cost, size_t bytes,
                   int rank, int skip)
{
    int n;
    const int *child = hitop_tree_children(tree, rank, &n);

    if (skip == n) {
        return 0;
    }
    return cost->p2p(cost->self, rank, child[skip], bytes) +
           fmax(down(tree, cost, bytes, child[skip], 0), down(tree, cost, bytes, rank, skip + 1));
}

/* The same where a sender is free after cost->occupancy(). */
static double overlapped(const struct hitop_tree *tree, const struct hitop_cost *cost, size_t bytes,
                         int rank)
{
    int n;
    const int *child = hitop_tree_children(tree, rank, &n);
    double start = 0, last = 0;

    for (int i = 0; i < n; i++) {
        last = fmax(last, start + cost->p2p(cost->self, rank, child[i], bytes) +
                              overlapped(tree, cost, bytes, child[i]));
        start += cost->occupancy(cost->self, rank, child[i], bytes);
    }
    return fmax(last, start);
}

START_TEST(broadcasts_agree_with_the_recursion_over_the_tree)
{
    const char *name = hitop_tree_builders()[_i]->name;
    const struct hitop_cost costs[] = {random_cost(100), layered_cost(100)};

    for (int c = 0; c < 2; c++) {
        for (int size = 1; size <= 100; size += 11) {
            const int root = size / 3;
            const size_t bytes = 48611;
            const struct hitop_tree_args tree_args = {
                .size = size, .root = root, .bytes = bytes, .cost = &costs[c]};
            const struct hitop_predict_args args = {.operation = "bcast",
                                                    .algorithm = name,
                                                    .size = size,
                                                    .root = root,
                                                    .bytes = bytes,
                                                    .cost = &costs[c]};
            struct hitop_tree *tree = NULL;
            double expected;
            ck_assert_int_eq(hitop_tree_build(name, &tree_args, NULL, &tree, NULL), HITOP_OK);
            expected = c == 0 ? down(tree, &costs[c], bytes, root, 0)
                              : overlapped(tree, &costs[c], bytes, root);
            ck_assert_double_eq_tol(predict(&args), expected, 1e-12 * (expected + 1e-6));
            hitop_tree_free(tree);
        }
    }
}
END_TEST

static double alike(const void *self, int from, int to, size_t bytes)
{
    (void)self;
    (void)from;
    (void)to;
    return 5e-6 + 1e-9 * (double)bytes;
}

START_TEST(a_segmented_chain_is_a_pipeline)
{
    const struct hitop_cost cost = {.nranks = 12, .p2p = alike, .occupancy = alike};
    const double segment = 8192;

    for (int size = 2; size <= 12; size += 5) {
        for (size_t nsegments = 1; nsegments <= 16; nsegments += 5) {
            const struct hitop_predict_args args = {.operation = "bcast",
                                                    .algorithm = "chain",
                                                    .params = &segment,
                                                    .size = size,
                                                    .bytes = nsegments * 8192,
                                                    .cost = &cost};
            const double stages = (double)nsegments + size - 2;
            ck_assert_double_eq_tol(predict(&args), stages * alike(NULL, 0, 1, 8192), 1e-15);
        }
    }
}
END_TEST

START_TEST(mapped_trees_over_equal_links_double_the_informed_ranks)
{
    static const char *const names[] = {"binomial", "bfs_min", "ecef", "nested", "ucs_max"};
    const struct hitop_cost cost = {.nranks = 16, .p2p = alike, .occupancy = alike};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        for (int size = 9; size <= 16; size++) {
            const struct hitop_predict_args args = {.operation = "bcast",
                                                    .algorithm = names[i],
                                                    .size = size,
                                                    .bytes = 8192,
                                                    .cost = &cost};
            ck_assert_double_eq_tol(predict(&args), 4 * alike(NULL, 0, 1, 8192), 1e-15);
        }
    }
}
END_TEST

START_TEST(point_to_point_is_the_price)
{
    const struct hitop_cost cost = worked_cost();
    struct hitop_predict_args args = {
        .operation = "p2p", .size = 8, .root = 2, .peer = 3, .bytes = 1000, .cost = &cost};
    struct hitop_diag diag = HITOP_DIAG_INIT;
    double seconds;

    ck_assert_double_eq_tol(predict(&args), 14e-6, 1e-18);
    args.peer = 2;
    ck_assert_double_eq(predict(&args), 0);
    args.peer = 8;
    ck_assert_int_eq(hitop_predict(&args, &seconds, &diag), HITOP_ERR_INVALID);
    ck_assert_str_eq(diag.message, "receiver 8 is not in 0..7");
    args.root = -1;
    ck_assert_int_eq(hitop_predict(&args, &seconds, &diag), HITOP_ERR_INVALID);
    ck_assert_str_eq(diag.message, "sender -1 is not in 0..7");
    args.size = 9;
    ck_assert_int_eq(hitop_predict(&args, &seconds, &diag), HITOP_ERR_INVALID);
    ck_assert_str_eq(diag.message, "9 ranks: allowed are 1..8, those with a price");
}
END_TEST

START_TEST(auto_is_the_fastest_of_all)
{
    const struct hitop_cost cost = worked_cost();
    struct hitop_predict_args args = {
        .operation = "bcast", .algorithm = "auto", .size = 8, .bytes = 1000, .cost = &cost};
    const double best = predict(&args);
    const struct hitop_choice_basis basis = {.cost = &cost};
    const struct hitop_call call = {
        .operation = &hitop_operations()[HITOP_BCAST], .size = 8, .bytes = 1000};
    const size_t n = hitop_algorithm_count(call.operation);
    struct hitop_candidate *all = calloc(n, sizeof(*all));
    size_t fastest = n;

    ck_assert_int_eq(hitop_choice_rank_cut(&basis, &call, 0, all, &fastest, NULL), HITOP_OK);
    ck_assert_str_eq(hitop_algorithm_name(all[fastest].choice.algorithm), "ecef");
    ck_assert_double_ge(all[fastest].choice.seconds, best); /* its parameters are the defaults */
    for (size_t i = 0; i < n; i++) {
        const struct hitop_algorithm algorithm = hitop_algorithm_at(call.operation, i);
        const int by_name = algorithm.type->by_name || (algorithm.tree && algorithm.tree->by_name);

        args.algorithm = hitop_algorithm_name(algorithm);
        ck_assert(by_name ? isnan(all[i].choice.seconds) : all[i].choice.seconds == predict(&args));
    }
    free(all);
}
END_TEST

START_TEST(what_is_not_cut_keeps_the_parameters_of_its_tree)
{
    const struct hitop_cost cost = worked_cost();
    const double radix = 5;
    struct hitop_predict_args args = {.operation = "scatter",
                                      .algorithm = "knomial",
                                      .tree_params = &radix,
                                      .size = 8,
                                      .bytes = 1000,
                                      .cost = &cost};
    const double whole = predict(&args);

    args.segment = 128;
    ck_assert_double_eq(predict(&args), whole);
    args.tree_params = NULL;
    ck_assert_double_ne(predict(&args), whole);
}
END_TEST

START_TEST(refuses_what_it_cannot_predict)
{
    const struct hitop_cost cost = worked_cost();
    const struct hitop_predict_args good = {
        .operation = "bcast", .algorithm = "flat", .size = 8, .bytes = 1000, .cost = &cost};
    struct hitop_predict_args bad;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    double seconds, tiny = 1;

    bad = good;
    bad.operation = "sing";
    ck_assert_int_eq(hitop_predict(&bad, &seconds, &diag), HITOP_ERR_NOTFOUND);
    ck_assert_ptr_nonnull(
        strstr(diag.message, "no operation is called 'sing'; valid: allgather, "));
    bad = good;
    bad.algorithm = "pigeon";
    ck_assert_int_eq(hitop_predict(&bad, &seconds, &diag), HITOP_ERR_NOTFOUND);
    ck_assert_ptr_nonnull(strstr(diag.message, "bcast has no algorithm 'pigeon'; valid: auto, "));
    ck_assert_ptr_nonnull(strstr(diag.message, "ecef"));
    bad = good;
    bad.size = 9;
    ck_assert_int_eq(hitop_predict(&bad, &seconds, &diag), HITOP_ERR_INVALID);
    ck_assert_str_eq(diag.message, "9 ranks: allowed are 1..8, those with a price");
    bad = good;
    bad.root = 8;
    ck_assert_int_eq(hitop_predict(&bad, &seconds, &diag), HITOP_ERR_INVALID);
    ck_assert_str_eq(diag.message, "root 8 is not in 0..7");
    bad = good;
    bad.bytes = 1000000; /* one tree would need no plan */
    bad.algorithm = "double_binary";
    bad.params = &tiny;
    ck_assert_int_eq(hitop_predict(&bad, &seconds, &diag), HITOP_ERR_UNSUPPORTED);
    ck_assert_ptr_nonnull(strstr(diag.message, "need more than 8388608 steps"));
}
END_TEST

static void add_tests(TCase *tc)
{
    int nworked = 0, ntrees = 0;

    while (worked_trees[nworked].name) {
        nworked++;
    }
    while (hitop_tree_builders()[ntrees]) {
        ntrees++;
    }
    tcase_add_loop_test(tc, broadcasts_take_the_time_of_the_oracle, 0, nworked);
    tcase_add_test(tc, ecef_takes_the_time_of_the_oracle);
    tcase_add_loop_test(tc, broadcasts_agree_with_the_recursion_over_the_tree, 0, ntrees);
    tcase_add_test(tc, a_segmented_chain_is_a_pipeline);
    tcase_add_test(tc, mapped_trees_over_equal_links_double_the_informed_ranks);
    tcase_add_test(tc, point_to_point_is_the_price);
    tcase_add_test(tc, auto_is_the_fastest_of_all);
    tcase_add_test(tc, what_is_not_cut_keeps_the_parameters_of_its_tree);
    tcase_add_test(tc, refuses_what_it_cannot_predict);
}

TEST_MAIN("predict", add_tests)
