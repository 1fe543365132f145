/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check_scatter_worked.c - prices of scatters and gathers, worked out by closed formulas, against
 * schedules.
 *
 * The schedules are made by hand, so that the costing of schedules is all that is tested.
 */
#include <config.h>

#include "hitop/model.h"
#include "hitop/sched.h"
#include "hitop/tree.h"

#include "tests/support/costs.h"
#include "tests/support/test_main.h"
#include "tests/support/worked_models.h"
#include "tests/support/worked_trees.h"

#include <math.h>

enum { MAX_RANKS = 8 };

static const size_t alike[] = {WORKED_BYTES, WORKED_BYTES, WORKED_BYTES, WORKED_BYTES,
                               WORKED_BYTES, WORKED_BYTES, WORKED_BYTES, WORKED_BYTES};

static struct hitop_sched *sched[MAX_RANKS];

static void setup(void)
{
    for (int r = 0; r < MAX_RANKS; r++) {
        sched[r] = hitop_sched_new();
    }
}

static void teardown(void)
{
    for (int r = 0; r < MAX_RANKS; r++) {
        hitop_sched_free(sched[r]);
    }
}

/* When the last rank is done. */
static double last(int size, const struct hitop_cost *cost)
{
    double finish[MAX_RANKS], latest = 0;
    struct hitop_diag diag = HITOP_DIAG_INIT;

    ck_assert_msg(hitop_sched_predict(sched, size, cost, finish, &diag) == HITOP_OK, "%s",
                  diag.message);
    for (int r = 0; r < size; r++) {
        latest = fmax(latest, finish[r]);
    }
    return latest;
}

/* Bytes of the blocks of a subtree. */
static size_t blocks_below(const struct hitop_tree *tree, int rank, const size_t *bytes)
{
    size_t sum = bytes[rank];
    int n;
    const int *child = hitop_tree_children(tree, rank, &n);

    for (int i = 0; i < n; i++) {
        sum += blocks_below(tree, child[i], bytes);
    }
    return sum;
}

/* Each rank gets what its subtree needs, then serves its children in their order. */
static void plan_scatter(const struct hitop_tree *tree, const size_t *bytes)
{
    for (int r = 0; r < hitop_tree_size(tree); r++) {
        const int parent = hitop_tree_parent(tree, r);
        int n;
        const int *child = hitop_tree_children(tree, r, &n);
        if (parent != HITOP_NO_RANK) {
            hitop_sched_recv(sched[r], parent, hitop_span_recv(0, blocks_below(tree, r, bytes)));
        }
        hitop_sched_fence(sched[r]);
        for (int i = 0; i < n; i++) {
            hitop_sched_send(sched[r], child[i],
                             hitop_span_recv(0, blocks_below(tree, child[i], bytes)));
        }
        hitop_sched_fence(sched[r]);
    }
}

/* Blocks of whole subtrees, or one block that is combined on the way. */
enum volume { GATHER, REDUCE };

/*
 * Each rank hears its children, the last one that a scatter serves first; then it speaks to its
 * parent. In order: it waits for one before it hears the next.
 */
static void plan_up(const struct hitop_tree *tree, const size_t *bytes, enum volume volume,
                    int in_order)
{
    for (int r = 0; r < hitop_tree_size(tree); r++) {
        const int parent = hitop_tree_parent(tree, r);
        int n;
        const int *child = hitop_tree_children(tree, r, &n);
        for (int i = n - 1; i >= 0; i--) {
            const size_t heard = volume == GATHER ? blocks_below(tree, child[i], bytes) : bytes[r];
            hitop_sched_recv(sched[r], child[i], hitop_span_recv(0, heard));
            if (in_order) {
                hitop_sched_fence(sched[r]);
            }
        }
        hitop_sched_fence(sched[r]);
        if (parent != HITOP_NO_RANK) {
            const size_t spoken = volume == GATHER ? blocks_below(tree, r, bytes) : bytes[r];
            hitop_sched_send(sched[r], parent, hitop_span_recv(0, spoken));
        }
        hitop_sched_fence(sched[r]);
    }
}

/* All others send to the root at once; bytes by rank. */
static void plan_flat_up(int root, int size, size_t bytes)
{
    for (int r = 0; r < size; r++) {
        if (r != root) {
            hitop_sched_send(sched[r], root, hitop_span_send(0, bytes));
            hitop_sched_fence(sched[r]);
            hitop_sched_recv(sched[root], r, hitop_span_recv(0, bytes));
        }
    }
    hitop_sched_fence(sched[root]);
}

static void start_over(void)
{
    teardown();
    setup();
}

/* The root serves the others in the given order; bytes by rank. */
static void plan_flat(int root, const int *order, int n, const size_t *bytes)
{
    for (int i = 0; i < n; i++) {
        hitop_sched_send(sched[root], order[i], hitop_span_recv(0, bytes[order[i]]));
        hitop_sched_recv(sched[order[i]], root, hitop_span_recv(0, bytes[order[i]]));
        hitop_sched_fence(sched[order[i]]);
    }
    hitop_sched_fence(sched[root]);
}

START_TEST(scatters_take_the_time_of_the_oracle)
{
    const struct worked_tree *w = &worked_trees[_i];
    const struct hitop_cost cost = worked_cost();
    const double weight = w->weight;
    const struct hitop_tree_args args = {
        .size = w->size, .root = w->root, .bytes = WORKED_BYTES, .cost = &cost};
    struct hitop_tree *tree = NULL;

    ck_assert_int_eq(
        hitop_tree_build(w->name, &args, strcmp(w->name, "binomial") ? &weight : NULL, &tree, NULL),
        HITOP_OK);
    plan_scatter(tree, alike);
    ck_assert_double_eq_tol(last(w->size, &cost), w->scatter, 1e-15);
    hitop_tree_free(tree);
}
END_TEST

START_TEST(gathers_and_reductions_take_as_long_as_scatters_and_broadcasts)
{
    const struct worked_tree *w = &worked_trees[_i];
    const struct hitop_cost cost = hitop_cost_ports(worked_cost(), HITOP_PORTS_BOTH);
    const double weight = w->weight;
    const struct hitop_tree_args args = {
        .size = w->size, .root = w->root, .bytes = WORKED_BYTES, .cost = &cost};
    struct hitop_tree *tree = NULL;

    ck_assert_int_eq(
        hitop_tree_build(w->name, &args, strcmp(w->name, "binomial") ? &weight : NULL, &tree, NULL),
        HITOP_OK);
    for (int volume = GATHER; volume <= REDUCE; volume++) {
        const double expected = volume == GATHER ? w->scatter : w->bcast;
        plan_up(tree, alike, (enum volume)volume, 1);
        ck_assert_double_eq_tol(last(w->size, &cost), expected, 1e-15);
        start_over();
        plan_up(tree, alike, (enum volume)volume, 0); /* received in the order of arrival */
        ck_assert_double_le(last(w->size, &cost), expected + 1e-15);
        start_over();
    }
    hitop_tree_free(tree);
}
END_TEST

START_TEST(scatters_of_unlike_blocks_take_the_time_of_the_oracle)
{
    const struct worked_tree *w = &worked_count_trees[_i];
    const struct hitop_cost cost = worked_cost();
    const struct hitop_tree_args args = {.size = 8, .cost = &cost, .counts = worked_counts};
    struct hitop_tree *tree = NULL;

    ck_assert_int_eq(hitop_tree_build(w->name, &args, NULL, &tree, NULL), HITOP_OK);
    plan_scatter(tree, worked_counts);
    ck_assert_double_eq_tol(last(8, &cost), w->scatter, 1e-15);
    hitop_tree_free(tree);
}
END_TEST

/* A sender that is free at once. */
static double at_once(const void *self, int from, int to, size_t bytes)
{
    (void)self;
    (void)from;
    (void)to;
    (void)bytes;
    return 0;
}

/* The price of the mean link of worked_cost(). */
static double mean_link(const void *self, int from, int to, size_t bytes)
{
    (void)self;
    (void)from;
    (void)to;
    return 32.857142857142854e-6 + 5.285714285714286e-9 * (double)bytes;
}

static const int in_turn[] = {1, 2, 3, 4, 5, 6, 7};

static void expect_flat(struct hitop_cost cost, const size_t *bytes, double serial, double parallel)
{
    plan_flat(0, in_turn, 7, bytes);
    ck_assert_double_eq_tol(last(8, &cost), serial, 1e-15);
    cost.occupancy = at_once;
    ck_assert_double_eq_tol(last(8, &cost), parallel, 1e-15);
}

START_TEST(flat_gathers_are_sums_where_the_receiver_has_a_port)
{
    const struct hitop_cost cost = worked_cost();
    const struct hitop_cost both = hitop_cost_ports(cost, HITOP_PORTS_BOTH);

    plan_flat_up(0, 8, 1000);
    ck_assert_double_eq_tol(last(8, &cost), 52e-6, 1e-15);
    ck_assert_double_eq_tol(last(8, &both), 288e-6, 1e-15);
}
END_TEST

START_TEST(flat_scatters_are_sums_or_maxima)
{
    expect_flat(worked_cost(), alike, 288e-6, 52e-6);
}
END_TEST

START_TEST(flat_scatters_of_unlike_blocks_are_sums_or_maxima)
{
    expect_flat(worked_cost(), worked_counts, 399e-6, 76e-6);
}
END_TEST

START_TEST(equal_links_give_the_closed_formulas)
{
    const struct hitop_cost cost = {.nranks = 8, .p2p = mean_link, .occupancy = mean_link};
    const struct hitop_tree_args args = {.size = 8};
    struct hitop_tree *tree = NULL;

    expect_flat(cost, alike, 267e-6, 38.14285714285714e-6);
    start_over();
    ck_assert_int_eq(hitop_tree_build("binomial", &args, NULL, &tree, NULL), HITOP_OK);
    plan_scatter(tree, alike);
    ck_assert_double_eq_tol(last(8, &cost), 135.57142857142856e-6, 1e-15); /* 3 a + 7 b M */
    hitop_tree_free(tree);
}
END_TEST

/* A flat scatter over the model, in an order; the sender is busy until the arrival, or not. */
static double lmo_flat(int root, const int *order, size_t block, int overlapped)
{
    const size_t bytes[] = {block, block, block, block};
    struct hitop_model *model = worked_lmo(NULL);
    struct hitop_cost cost = hitop_model_cost(model);
    double seconds;

    if (!overlapped) {
        cost.occupancy = cost.p2p;
    }
    plan_flat(root, order, 3, bytes);
    seconds = last(4, &cost);
    hitop_model_free(model);
    start_over();
    return seconds;
}

START_TEST(lmo_scatters_as_worked_out)
{
    static const int up[] = {1, 2, 3}, slowest_first[] = {3, 1, 2}, of_three[] = {0, 2, 1};

    ck_assert_double_eq_tol(lmo_flat(0, up, 1000, 1), 99e-6, 1e-15);
    ck_assert_double_eq_tol(lmo_flat(0, slowest_first, 1000, 1), 84e-6, 1e-15);
    ck_assert_double_eq_tol(lmo_flat(3, of_three, 2000, 1), 151e-6, 1e-15);
    ck_assert_double_eq_tol(lmo_flat(0, up, 1000, 0), 187e-6, 1e-15);
}
END_TEST

/*
 * Messages reach the root after 46, 42 and 57 us, which takes 14 for each: 84. The formula has it
 * wait for the longest first, and so bounds what happens: 99.
 */
START_TEST(lmo_gathers_as_worked_out)
{
    struct hitop_model *model = worked_lmo(NULL);
    const struct hitop_cost cost = hitop_model_cost(model);
    const struct hitop_cost both = hitop_cost_ports(cost, HITOP_PORTS_BOTH);
    const struct hitop_cost sender = hitop_cost_ports(cost, HITOP_PORTS_SENDER);

    plan_flat_up(0, 4, 1000);
    ck_assert_double_eq_tol(last(4, &cost), 84e-6, 1e-15);
    ck_assert_double_eq_tol(last(4, &both), 187e-6, 1e-15);
    ck_assert_double_eq_tol(last(4, &sender), 71e-6, 1e-15);
    start_over();
    plan_flat_up(3, 4, 2000);
    ck_assert_double_le(last(4, &cost), 151e-6);
    hitop_model_free(model);
}
END_TEST

START_TEST(overlap_changes_nothing_in_a_binomial_tree_of_four)
{
    struct hitop_model *model = worked_lmo(NULL);
    struct hitop_cost cost = hitop_model_cost(model);
    const struct hitop_tree_args args = {.size = 4};
    struct hitop_tree *tree = NULL;

    ck_assert_int_eq(hitop_tree_build("binomial", &args, NULL, &tree, NULL), HITOP_OK);
    for (int overlapped = 0; overlapped < 2; overlapped++) {
        for (int scatter = 0; scatter < 2; scatter++) {
            if (scatter) {
                plan_scatter(tree, alike);
            } else { /* a broadcast: 0 to 2 and 1, then 2 to 3 */
                hitop_sched_send(sched[0], 2, hitop_span_recv(0, 1000));
                hitop_sched_send(sched[0], 1, hitop_span_recv(0, 1000));
                hitop_sched_fence(sched[0]);
                hitop_sched_recv(sched[1], 0, hitop_span_recv(0, 1000));
                hitop_sched_fence(sched[1]);
                hitop_sched_recv(sched[2], 0, hitop_span_recv(0, 1000));
                hitop_sched_fence(sched[2]);
                hitop_sched_send(sched[2], 3, hitop_span_recv(0, 1000));
                hitop_sched_fence(sched[2]);
                hitop_sched_recv(sched[3], 2, hitop_span_recv(0, 1000));
                hitop_sched_fence(sched[3]);
            }
            ck_assert_double_eq_tol(last(4, &cost), scatter ? 136.5e-6 : 121.5e-6, 1e-15);
            start_over();
        }
        cost = hitop_cost_ports(cost, HITOP_PORTS_BOTH);
    }
    hitop_tree_free(tree);
    hitop_model_free(model);
}
END_TEST

/* Scatter and gather of blocks of a model with equal links, which must take the same. */
static void expect_flat_both_ways(const struct hitop_model *model, size_t bytes, double seconds)
{
    const size_t block[] = {bytes, bytes, bytes, bytes, bytes, bytes, bytes, bytes};
    const struct hitop_cost cost = hitop_model_cost(model);

    plan_flat(0, in_turn, 7, block);
    ck_assert_double_eq_tol(last(8, &cost), seconds, 1e-15);
    start_over();
    plan_flat_up(0, 8, bytes);
    ck_assert_double_eq_tol(last(8, &cost), seconds, 1e-15);
}

START_TEST(plogp_scatters_and_gathers_as_worked_out)
{
    struct hitop_model *model = worked_plogp();

    expect_flat_both_ways(model, 4096, 370e-6); /* L + 7 g */
    ck_assert_double_eq_tol(hitop_model_p2p(model, 0, 1, 4096), 70e-6, 1e-15);
    hitop_model_free(model);
}
END_TEST

START_TEST(the_loggp_of_plogp_scatters_and_gathers_as_worked_out)
{
    static const double expected[] = {20.9e-6, 2e-6, 2.6e-6, 5.5e-6, 0.0102996826171875e-6};
    struct hitop_model *model = worked_plogp(), *loggp = NULL, *none = NULL;
    const struct hitop_class *c;

    ck_assert_int_eq(hitop_model_convert(model, "loggp", &loggp, NULL), HITOP_OK);
    c = hitop_model_class(loggp, 0);
    for (int p = 0; p < 5; p++) {
        ck_assert_double_eq_tol(c->params[p], expected[p], 1e-15 * (p == 4 ? 1e-3 : 1));
    }
    /* 4096 bytes: 67.68 instead of 70 us; 1024 bytes: 36.04 instead of 37 */
    ck_assert_double_eq_tol(c->residual, 1 - 67.67720031738281 / 70, 1e-9);
    ck_assert_double_eq_tol(hitop_model_p2p(loggp, 3, 4, 4096), 67.67720031738281e-6, 1e-15);
    /* L + 2 o + 7 (m - 1) G + 6 g */
    expect_flat_both_ways(loggp, 4096, 353.7404022216797e-6);
    ck_assert_int_eq(hitop_model_convert(loggp, "loggp", &none, NULL), HITOP_ERR_INVALID);
    ck_assert_ptr_null(none);
    hitop_model_free(loggp);
    hitop_model_free(model);
}
END_TEST

/* Classes of pairs stand as 0-1 0-2 .. 1-2 ..: I (2 n - I - 1) / 2 + J - I - 1. */
START_TEST(classes_of_pairs_stand_in_the_usual_order)
{
    static const double params[] = {1e-6, 1e-9};
    struct hitop_hierarchy *h = worked_flat(8);
    struct hitop_class classes[28];
    struct hitop_model *model = NULL;
    int n = 0;

    for (int j = 7; j > 0; j--) {
        for (int i = 0; i < j; i++) {
            classes[n++] = (struct hitop_class){
                .node = 8, .between = {i, j}, .pair = {i, j}, .params = params};
        }
    }
    ck_assert_int_eq(hitop_model_build(
                         &(struct hitop_model_parts){
                             .type = "hockney", .hierarchy = h, .classes = classes, .nclasses = 28},
                         &model, NULL),
                     HITOP_OK);
    for (int i = 0; i < 8; i++) {
        for (int j = i + 1; j < 8; j++) {
            ck_assert_ptr_eq(hitop_model_class_of(model, j, i),
                             hitop_model_class(model, i * (15 - i) / 2 + j - i - 1));
        }
    }
    ck_assert_ptr_eq(hitop_model_class_of(model, 2, 5), hitop_model_class(model, 15));
    hitop_model_free(model);
    hitop_hierarchy_free(h);
}
END_TEST

static void add_tests(TCase *tc)
{
    int nworked = 0, ncounts = 0;

    while (worked_trees[nworked].name) {
        nworked++;
    }
    while (worked_count_trees[ncounts].name) {
        ncounts++;
    }
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_loop_test(tc, scatters_of_unlike_blocks_take_the_time_of_the_oracle, 0, ncounts);
    tcase_add_loop_test(tc, scatters_take_the_time_of_the_oracle, 0, nworked);
    tcase_add_loop_test(tc, gathers_and_reductions_take_as_long_as_scatters_and_broadcasts, 0,
                        nworked);
    tcase_add_test(tc, flat_scatters_are_sums_or_maxima);
    tcase_add_test(tc, flat_gathers_are_sums_where_the_receiver_has_a_port);
    tcase_add_test(tc, flat_scatters_of_unlike_blocks_are_sums_or_maxima);
    tcase_add_test(tc, equal_links_give_the_closed_formulas);
    tcase_add_test(tc, lmo_scatters_as_worked_out);
    tcase_add_test(tc, lmo_gathers_as_worked_out);
    tcase_add_test(tc, overlap_changes_nothing_in_a_binomial_tree_of_four);
    tcase_add_test(tc, plogp_scatters_and_gathers_as_worked_out);
    tcase_add_test(tc, the_loggp_of_plogp_scatters_and_gathers_as_worked_out);
    tcase_add_test(tc, classes_of_pairs_stand_in_the_usual_order);
}

TEST_MAIN("worked scatters", add_tests)
