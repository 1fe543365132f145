/* SPDX-License-Identifier: BSD-3-Clause */
/* check_tree_prices.c - what costs and counts say changes how much is asked, not what is built. */
#include <config.h>

#include "hitop/sys/tree.h"

#include "tests/coll/trees/tree_asserts.h"
#include "tests/support/costs.h"
#include "tests/support/test_main.h"
#include "tests/support/worked_trees.h"

enum { ALL_SIZES = 33 };

static const struct hitop_tree_builder *builder_at(int i)
{
    return hitop_tree_builders()[i];
}

/* To give each rank the same block by counts is to give it by bytes. */
START_TEST(equal_counts_change_nothing)
{
    const struct hitop_tree_builder *b = builder_at(_i);
    const struct hitop_cost cost = random_cost(ALL_SIZES);
    size_t counts[ALL_SIZES];

    for (int r = 0; r < ALL_SIZES; r++) {
        counts[r] = WORKED_BYTES;
    }
    for (int size = 1; size <= ALL_SIZES; size++) {
        const struct hitop_tree_args args = {
            .size = size, .root = size / 3, .bytes = WORKED_BYTES, .cost = &cost, .counts = counts};
        struct hitop_tree *x = build_tree(b->name, size, size / 3, NULL, &cost), *y = NULL;
        ck_assert_int_eq(hitop_tree_build(b->name, &args, NULL, &y, NULL), HITOP_OK);
        assert_same_tree(x, y);
        hitop_tree_free(x);
        hitop_tree_free(y);
    }
}
END_TEST

/*
 * Sets and kinds only save questions: with many equal prices the tree is the same with and without.
 */
START_TEST(sets_and_kinds_change_nothing_but_the_number_of_prices)
{
    const struct hitop_tree_builder *b = builder_at(_i);
    const struct hitop_cost sets = layered_cost(300), kinds = hosts_cost(300);
    struct hitop_cost neither = kinds;

    neither.kind = NULL;
    for (int size = 1; size <= 300; size += size < ALL_SIZES ? 1 : 29) {
        for (int root = 0; root < size; root += 1 + size / 4) {
            struct hitop_tree *x = build_tree(b->name, size, root, NULL, &sets);
            struct hitop_tree *y = build_tree(b->name, size, root, NULL, &kinds);
            struct hitop_tree *z = build_tree(b->name, size, root, NULL, &neither);
            assert_same_tree(x, z);
            assert_same_tree(y, z);
            hitop_tree_free(x);
            hitop_tree_free(y);
            hitop_tree_free(z);
        }
    }
}
END_TEST

/* 4096 ranks: everyone against everyone would be 8 million prices or more. */
START_TEST(asks_for_few_prices_when_there_are_sets_or_kinds)
{
    enum { SIZE = LAYERED_MAX, HOSTS = 64, DEPTH = 3 };
    const struct hitop_tree_builder *b = builder_at(_i);
    const struct hitop_cost sets = layered_cost(SIZE), kinds = hosts_cost(SIZE);
    /*
     * Traff trees sort ranks anew below each rank, which takes two prices per rank and level;
     * nested ones are served twice, once to find out how long it takes
     */
    const int times = strcmp(b->name, "traff_model") == 0 ? 24
                      : strcmp(b->name, "nested") == 0    ? 3
                                                          : 1;

    costs_asked = 0;
    hitop_tree_free(build_tree(b->name, SIZE, 17, NULL, &sets));
    ck_assert_int_le(costs_asked, SIZE * DEPTH * times);
    costs_asked = 0;
    hitop_tree_free(build_tree(b->name, SIZE, 17, NULL, &kinds));
    ck_assert_int_le(costs_asked, SIZE * HOSTS + 4 * HOSTS * HOSTS + SIZE);
    if (!(b->needs & HITOP_TREE_NEEDS_COST)) {
        ck_assert_int_eq(costs_asked, 0);
    }
}
END_TEST

static void add_tests(TCase *tc)
{
    int n = 0;

    while (builder_at(n)) {
        n++;
    }
    tcase_add_loop_test(tc, equal_counts_change_nothing, 0, n);
    tcase_add_loop_test(tc, sets_and_kinds_change_nothing_but_the_number_of_prices, 0, n);
    tcase_add_loop_test(tc, asks_for_few_prices_when_there_are_sets_or_kinds, 0, n);
}

TEST_MAIN("prices of trees", add_tests)
