/* SPDX-License-Identifier: BSD-3-Clause */
/* check_tree_shapes.c - trees that need no prices, worked out by hand. */
#include <config.h>

#include "hitop/tree.h"

#include "tests/coll/trees/tree_asserts.h"
#include "tests/support/costs.h"
#include "tests/support/test_main.h"

START_TEST(shapes_over_few_ranks)
{
    struct hitop_tree *tree = build_tree("knomial", 7, 5, (double[]){3}, NULL);

    /* virtual parents of 0..6 in base 3: -, 0, 0, 0, 3, 3, 0; rank = virtual + 5 mod 7 */
    assert_parents(tree, (const int[]){5, 5, 1, 1, 5, HITOP_NO_RANK, 5});
    assert_children(tree, 5, 4, (const int[]){1, 6, 0, 4});
    hitop_tree_free(tree);

    tree = build_tree("chain", 4, 2, NULL, NULL);
    assert_parents(tree, (const int[]){3, 0, HITOP_NO_RANK, 2});
    hitop_tree_free(tree);

    tree = build_tree("flat", 4, 2, NULL, NULL);
    assert_children(tree, 2, 3, (const int[]){3, 0, 1});
    hitop_tree_free(tree);

    tree = build_tree("binary", 6, 0, NULL, NULL);
    assert_parents(tree, (const int[]){HITOP_NO_RANK, 0, 0, 1, 1, 2});
    assert_children(tree, 0, 2, (const int[]){1, 2});
    hitop_tree_free(tree);

    tree = build_tree("binomial", 8, 0, NULL, NULL);
    assert_children(tree, 0, 3, (const int[]){4, 2, 1});
    hitop_tree_free(tree);
}
END_TEST

START_TEST(traff_of_equal_blocks_doubles)
{
    struct hitop_tree *tree = build_tree("traff", 8, 0, NULL, NULL);

    /* below 0 the subsets {1} {2} {3 4} {5 6 7}, below 5 {6} {7} */
    assert_parents(tree, (const int[]){HITOP_NO_RANK, 0, 0, 0, 3, 0, 5, 5});
    assert_children(tree, 0, 4, (const int[]){5, 3, 2, 1});
    hitop_tree_free(tree);
}
END_TEST

START_TEST(binomial_mpich_serves_the_farthest_first)
{
    struct hitop_tree *tree = build_tree("binomial_mpich", 6, 1, NULL, NULL);

    /* virtual: 0 to 4 2 1, 4 to 5, 2 to 3 */
    assert_children(tree, 1, 3, (const int[]){5, 3, 2});
    assert_children(tree, 5, 1, (const int[]){0});
    assert_children(tree, 3, 1, (const int[]){4});
    hitop_tree_free(tree);
    tree = build_tree("binomial_mpich", 5, 0, NULL, NULL);
    assert_children(tree, 0, 3, (const int[]){4, 2, 1}); /* although 2 has a rank below it */
    hitop_tree_free(tree);
}
END_TEST

START_TEST(binomial_doubling_serves_the_nearest_first)
{
    struct hitop_tree *tree = build_tree("binomial_doubling", 7, 1, NULL, NULL);

    /* virtual: 0 to 1 2 4, 1 to 3 5, 2 to 6 */
    assert_parents(tree, (const int[]){3, HITOP_NO_RANK, 1, 1, 2, 1, 2});
    assert_children(tree, 1, 3, (const int[]){2, 3, 5});
    assert_children(tree, 2, 2, (const int[]){4, 6});
    hitop_tree_free(tree);
}
END_TEST

START_TEST(kary_has_a_subtree_for_each_remainder)
{
    struct hitop_tree *tree = build_tree("kary", 9, 0, NULL, NULL);

    assert_parents(tree, (const int[]){HITOP_NO_RANK, 0, 0, 1, 2, 1, 2, 3, 4});
    assert_children(tree, 1, 2, (const int[]){3, 5});
    hitop_tree_free(tree);
    tree = build_tree("kary", 6, 4, (double[]){3}, NULL);
    /* virtual: 0 to 1 2 3, 1 to 4, 2 to 5; rank = virtual + 4 mod 6 */
    assert_parents(tree, (const int[]){4, 4, 5, 0, HITOP_NO_RANK, 4});
    hitop_tree_free(tree);
    tree = build_tree("kary", 5, 0, (double[]){1}, NULL); /* a chain */
    assert_parents(tree, (const int[]){HITOP_NO_RANK, 0, 1, 2, 3});
    hitop_tree_free(tree);
}
END_TEST

START_TEST(knomial_mpi_serves_the_farthest_first)
{
    struct hitop_tree *tree = build_tree("knomial_mpi", 10, 0, NULL, NULL);

    assert_parents(tree, (const int[]){HITOP_NO_RANK, 0, 0, 0, 0, 4, 4, 4, 0, 8});
    assert_children(tree, 0, 5, (const int[]){4, 8, 1, 2, 3});
    hitop_tree_free(tree);
    tree = build_tree("knomial_mpi", 6, 0, (double[]){2}, NULL);
    assert_children(tree, 0, 3, (const int[]){4, 2, 1}); /* as binomial_mpich */
    hitop_tree_free(tree);
}
END_TEST

START_TEST(chains_differ_by_one_rank)
{
    struct hitop_tree *tree = build_tree("chains", 8, 0, (double[]){3}, NULL);

    assert_parents(tree, (const int[]){HITOP_NO_RANK, 0, 1, 2, 0, 4, 0, 6});
    assert_children(tree, 0, 3, (const int[]){1, 4, 6});
    hitop_tree_free(tree);
    tree = build_tree("chains", 3, 1, (double[]){9}, NULL); /* more chains than ranks */
    assert_children(tree, 1, 2, (const int[]){2, 0});
    hitop_tree_free(tree);
    tree = build_tree("chains", 4, 2, (double[]){1}, NULL);
    assert_parents(tree, (const int[]){3, 0, HITOP_NO_RANK, 2}); /* as chain */
    hitop_tree_free(tree);
}
END_TEST

START_TEST(binary_in_order_splits_intervals)
{
    struct hitop_tree *tree = build_tree("binary_in_order", 8, 2, NULL, NULL);

    assert_parents(tree, (const int[]){1, 2, HITOP_NO_RANK, 4, 5, 2, 7, 5});
    hitop_tree_free(tree);
    for (int size = 1; size <= 40; size++) {
        for (int root = 0; root < size; root++) {
            tree = build_tree("binary_in_order", size, root, NULL, NULL);
            ck_assert_int_eq(hitop_tree_in_order(tree), 1);
            hitop_tree_free(tree);
        }
    }
}
END_TEST

START_TEST(shapes_are_in_rank_order_below_rank_0)
{
    static const struct {
        const char *name;
        int size, root, expected;
    } cases[] = {
        {"binomial", 13, 0, 1}, {"binomial", 13, 1, 0}, {"knomial", 13, 0, 1},
        {"chain", 13, 0, 1},    {"chain", 13, 12, 1},   {"chain", 13, 5, 0},
        {"flat", 13, 7, 1},     {"binary", 6, 0, 0},    {"binary", 3, 0, 1},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct hitop_tree *tree =
            build_tree(cases[i].name, cases[i].size, cases[i].root, NULL, NULL);
        ck_assert_int_eq(hitop_tree_in_order(tree), cases[i].expected);
        hitop_tree_free(tree);
    }
}
END_TEST

START_TEST(knomial_refuses_a_fractional_radix)
{
    const struct hitop_tree_args args = {.size = 7};
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_tree *tree;

    ck_assert_int_eq(hitop_tree_build("knomial", &args, (double[]){2.5}, &tree, &diag),
                     HITOP_ERR_INVALID);
    ck_assert_str_eq(diag.message, "knomial: radix=2.5 is not a whole number");
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, shapes_over_few_ranks);
    tcase_add_test(tc, traff_of_equal_blocks_doubles);
    tcase_add_test(tc, binomial_mpich_serves_the_farthest_first);
    tcase_add_test(tc, binomial_doubling_serves_the_nearest_first);
    tcase_add_test(tc, kary_has_a_subtree_for_each_remainder);
    tcase_add_test(tc, knomial_mpi_serves_the_farthest_first);
    tcase_add_test(tc, chains_differ_by_one_rank);
    tcase_add_test(tc, binary_in_order_splits_intervals);
    tcase_add_test(tc, shapes_are_in_rank_order_below_rank_0);
    tcase_add_test(tc, knomial_refuses_a_fractional_radix);
}

TEST_MAIN("tree shapes", add_tests)
