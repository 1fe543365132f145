/* SPDX-License-Identifier: BSD-3-Clause */
/* check_tree_contract.c - what every registered tree promises. */
#include <config.h>

#include "hitop/sys/tree.h"

#include "tests/support/costs.h"
#include "tests/support/test_main.h"

enum { MAX_RANKS = 127, ALL_SIZES = 33, BYTES = 2385 };

/* 1 .. 33, then 64, 100 and 127 ranks. */
static int next_size(int size)
{
    return size < ALL_SIZES    ? size + 1
           : size == ALL_SIZES ? 64
           : size == 64        ? 100
           : size == 100       ? MAX_RANKS
                               : MAX_RANKS + 1;
}

static const struct hitop_tree_builder *builder_at(int i)
{
    return hitop_tree_builders()[i];
}

/* Blocks of few or of many different sizes, some of them empty. */
static const size_t *make_counts(int ndifferent)
{
    static size_t counts[MAX_RANKS];

    for (int r = 0; r < MAX_RANKS; r++) {
        counts[r] = (size_t)(r * 67 % ndifferent) * 2385;
    }
    return counts;
}

static struct hitop_tree *build_for(const char *name, int size, int root,
                                    const struct hitop_cost *cost, const size_t *counts)
{
    const struct hitop_tree_args args = {
        .size = size, .root = root, .bytes = BYTES, .cost = cost, .counts = counts};
    struct hitop_tree *tree = NULL;
    struct hitop_diag diag = HITOP_DIAG_INIT;

    ck_assert_msg(hitop_tree_build(name, &args, NULL, &tree, &diag) == HITOP_OK, "%s: %s", name,
                  diag.message);
    return tree;
}

static struct hitop_tree *build(const char *name, int size, int root, const struct hitop_cost *cost)
{
    return build_for(name, size, root, cost, NULL);
}

/* Asserts only what is wrong: a passing assertion takes time, and there are a million of them. */
static void expect_spanning(const struct hitop_tree *tree, int size, int root)
{
    int edges = 0, wrong = 0;

    ck_assert_int_eq(hitop_tree_size(tree), size);
    ck_assert_int_eq(hitop_tree_root(tree), root);
    ck_assert_int_eq(hitop_tree_parent(tree, root), HITOP_NO_RANK);
    for (int rank = 0; rank < size; rank++) {
        int nchildren, hops = 0;
        const int *child = hitop_tree_children(tree, rank, &nchildren);
        for (int i = 0; i < nchildren; i++) {
            wrong += hitop_tree_parent(tree, child[i]) != rank;
            edges++;
        }
        for (int r = rank; r != root && hops < size; r = hitop_tree_parent(tree, r)) {
            hops++;
        }
        wrong += hops >= size;
    }
    ck_assert_int_eq(wrong, 0);
    ck_assert_int_eq(edges, size - 1);
}

START_TEST(spans_all_ranks_from_every_root)
{
    const struct hitop_tree_builder *b = builder_at(_i);
    const struct hitop_cost cost = random_cost(MAX_RANKS);

    for (int size = 1; size <= MAX_RANKS; size = next_size(size)) {
        for (int root = 0; root<size; root += size> ALL_SIZES ? 7 : 1) {
            struct hitop_tree *tree = build(b->name, size, root, &cost);
            expect_spanning(tree, size, root);
            hitop_tree_free(tree);
            tree = build_for(b->name, size, root, &cost, make_counts(root % 2 ? 5 : 100));
            expect_spanning(tree, size, root);
            hitop_tree_free(tree);
        }
    }
}
END_TEST

static int weight(const struct hitop_tree *tree, int rank)
{
    int nchildren, sum = 1;
    const int *child = hitop_tree_children(tree, rank, &nchildren);

    for (int i = 0; i < nchildren; i++) {
        sum += weight(tree, child[i]);
    }
    return sum;
}

/* Those that serve children in another order, as their files say. */
static const char *const own_order[] = {"binomial_mpich", "ecef",  "knomial_mpi", "nested",
                                        "nested_chain",   "traff", "traff_model"};

START_TEST(serves_the_largest_subtree_first)
{
    const struct hitop_tree_builder *b = builder_at(_i);
    const struct hitop_cost cost = random_cost(MAX_RANKS);

    for (size_t i = 0; i < sizeof(own_order) / sizeof(own_order[0]); i++) {
        if (strcmp(b->name, own_order[i]) == 0) {
            return;
        }
    }
    for (int size = 1; size <= MAX_RANKS; size = next_size(size)) {
        struct hitop_tree *tree = build(b->name, size, size / 2, &cost);
        for (int rank = 0; rank < size; rank++) {
            int nchildren;
            const int *child = hitop_tree_children(tree, rank, &nchildren);
            for (int i = 1; i < nchildren; i++) {
                ck_assert_int_ge(weight(tree, child[i - 1]), weight(tree, child[i]));
            }
        }
        hitop_tree_free(tree);
    }
}
END_TEST

/* Mark the ranks of a subtree; the number of them. */
static int mark(const struct hitop_tree *tree, int rank, int *is_in)
{
    int nchildren, count = 1;
    const int *child = hitop_tree_children(tree, rank, &nchildren);

    is_in[rank] = 1;
    for (int i = 0; i < nchildren; i++) {
        count += mark(tree, child[i], is_in);
    }
    return count;
}

/* Whether a subtree of so many ranks has them side by side. */
static int is_consecutive(const int *is_in, int count)
{
    int first = 0;

    while (!is_in[first]) {
        first++;
    }
    for (int i = 0; i < count; i++) {
        if (first + i == MAX_RANKS || !is_in[first + i]) {
            return 0;
        }
    }
    return 1;
}

START_TEST(knows_whether_subtrees_have_consecutive_ranks)
{
    const struct hitop_tree_builder *b = builder_at(_i);
    const struct hitop_cost cost = random_cost(MAX_RANKS);

    for (int size = 1; size <= ALL_SIZES; size++) {
        for (int root = 0; root < size; root++) {
            struct hitop_tree *tree = build(b->name, size, root, &cost);
            int expected = 1;
            for (int rank = 0; rank < size; rank++) {
                int is_in[MAX_RANKS] = {0};
                const int count = mark(tree, rank, is_in);
                expected = expected && is_consecutive(is_in, count);
            }
            ck_assert_int_eq(hitop_tree_in_order(tree), expected);
            hitop_tree_free(tree);
        }
    }
}
END_TEST

START_TEST(refuses_parameters_out_of_range)
{
    const struct hitop_tree_builder *b = builder_at(_i);
    const struct hitop_cost cost = random_cost(4);
    const struct hitop_tree_args args = {.size = 4, .bytes = BYTES, .cost = &cost};
    double values[8] = {0};

    for (size_t bad = 0; bad < b->nparams; bad++) {
        struct hitop_diag diag = HITOP_DIAG_INIT;
        struct hitop_tree *tree = (struct hitop_tree *)&diag;
        for (size_t i = 0; i < b->nparams; i++) {
            values[i] = b->params[i].fallback;
        }
        values[bad] = b->params[bad].max + 1;
        ck_assert_int_eq(hitop_tree_build(b->name, &args, values, &tree, &diag), HITOP_ERR_INVALID);
        ck_assert_ptr_null(tree);
        ck_assert_ptr_nonnull(strstr(diag.message, b->params[bad].name));
    }
}
END_TEST

START_TEST(refuses_roots_and_sizes_that_make_no_tree)
{
    const struct hitop_tree_builder *b = builder_at(_i);
    const struct hitop_cost cost = random_cost(4);
    static const int bad[][2] = {{0, 0}, {-3, 0}, {4, 4}, {4, -1}};

    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        const struct hitop_tree_args args = {
            .size = bad[i][0], .root = bad[i][1], .bytes = BYTES, .cost = &cost};
        struct hitop_tree *tree = NULL;
        ck_assert_int_eq(hitop_tree_build(b->name, &args, NULL, &tree, NULL), HITOP_ERR_INVALID);
        ck_assert_ptr_null(tree);
    }
}
END_TEST

START_TEST(refuses_to_map_without_prices_for_all_ranks)
{
    const struct hitop_tree_builder *b = builder_at(_i);
    const struct hitop_cost cost = random_cost(4);
    const struct hitop_tree_args none = {.size = 4}, few = {.size = 5, .cost = &cost};
    const enum hitop_status expected =
        b->needs & HITOP_TREE_NEEDS_COST ? HITOP_ERR_INVALID : HITOP_OK;
    struct hitop_tree *tree = NULL;

    ck_assert_int_eq(hitop_tree_build(b->name, &none, NULL, &tree, NULL), expected);
    hitop_tree_free(tree);
    ck_assert_int_eq(hitop_tree_build(b->name, &few, NULL, &tree, NULL), expected);
    hitop_tree_free(tree);
}
END_TEST

START_TEST(lists_the_valid_names_for_an_unknown_one)
{
    const struct hitop_tree_args args = {.size = 4};
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_tree *tree;

    ck_assert_int_eq(hitop_tree_build("oak", &args, NULL, &tree, &diag), HITOP_ERR_NOTFOUND);
    ck_assert_ptr_null(tree);
    ck_assert_ptr_nonnull(strstr(diag.message, "'oak'"));
    for (int i = 0; builder_at(i); i++) {
        ck_assert_ptr_nonnull(strstr(diag.message, builder_at(i)->name));
    }
}
END_TEST

static void add_tests(TCase *tc)
{
    int n = 0;

    while (builder_at(n)) {
        n++;
    }
    tcase_add_loop_test(tc, spans_all_ranks_from_every_root, 0, n);
    tcase_add_loop_test(tc, serves_the_largest_subtree_first, 0, n);
    tcase_add_loop_test(tc, knows_whether_subtrees_have_consecutive_ranks, 0, n);
    tcase_add_loop_test(tc, refuses_parameters_out_of_range, 0, n);
    tcase_add_loop_test(tc, refuses_roots_and_sizes_that_make_no_tree, 0, n);
    tcase_add_loop_test(tc, refuses_to_map_without_prices_for_all_ranks, 0, n);
    tcase_add_test(tc, lists_the_valid_names_for_an_unknown_one);
}

TEST_MAIN("tree contract", add_tests)
