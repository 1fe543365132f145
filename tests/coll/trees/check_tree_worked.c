/* SPDX-License-Identifier: BSD-3-Clause */
/* check_tree_worked.c - trees against results worked out independently. */
#include <config.h>

#include "hitop/tree.h"

#include "tests/coll/trees/tree_asserts.h"
#include "tests/support/costs.h"
#include "tests/support/test_main.h"
#include "tests/support/worked_trees.h"

START_TEST(builders_give_the_trees_of_the_oracle)
{
    const struct worked_tree *w = &worked_trees[_i];
    const struct hitop_cost cost = worked_cost();
    const double weight = w->weight;
    struct hitop_tree *tree =
        build_tree(w->name, w->size, w->root, strcmp(w->name, "binomial") ? &weight : NULL, &cost);

    assert_parents(tree, w->parent);
    hitop_tree_free(tree);
}
END_TEST

START_TEST(unlike_blocks_give_the_trees_of_the_oracle)
{
    const struct worked_tree *w = &worked_count_trees[_i];
    const struct hitop_cost cost = worked_cost();
    const struct hitop_tree_args args = {.size = 8, .cost = &cost, .counts = worked_counts};
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_tree *tree = NULL;

    ck_assert_msg(hitop_tree_build(w->name, &args, NULL, &tree, &diag) == HITOP_OK, "%s",
                  diag.message);
    assert_parents(tree, w->parent);
    if (strcmp(w->name, "flat_asc") == 0) {
        assert_children(tree, 0, 7, (const int[]){2, 6, 3, 5, 7, 4, 1});
    } else if (strcmp(w->name, "flat_dsc") == 0) {
        assert_children(tree, 0, 7, (const int[]){1, 4, 7, 5, 3, 6, 2});
    } else if (strcmp(w->name, "traff") == 0) { /* the heaviest subset last formed comes first */
        assert_children(tree, 0, 3, (const int[]){5, 3, 1});
        assert_children(tree, 5, 2, (const int[]){6, 4});
    }
    hitop_tree_free(tree);
}
END_TEST

START_TEST(ecef_gives_the_tree_of_the_oracle)
{
    /* in order of creation: 0>3 3>6 3>2 0>5 6>1 5>4 1>7 */
    static const int parent[8] = {HITOP_NO_RANK, 6, 3, 0, 5, 0, 3, 1};
    const struct hitop_cost cost = worked_cost();
    struct hitop_tree *tree = build_tree("ecef", 8, 0, NULL, &cost);

    assert_parents(tree, parent);
    assert_children(tree, 0, 2, (const int[]){3, 5});
    assert_children(tree, 3, 2, (const int[]){6, 2});
    hitop_tree_free(tree);
}
END_TEST

/* The definition, taken literally: every sender with every receiver in every round. */
static void ecef_by_definition(const struct hitop_cost *cost, int size, int root, int *parent)
{
    double ready[64];

    for (int r = 0; r < size; r++) {
        parent[r] = r == root ? HITOP_NO_RANK : -2;
    }
    ready[root] = 0;
    for (int round = 1; round < size; round++) {
        int from = -1, to = -1;
        double best = 0;
        for (int u = 0; u < size; u++) {
            for (int v = 0; v < size && parent[u] != -2; v++) {
                const double time = ready[u] + cost->p2p(cost->self, u, v, WORKED_BYTES);
                if (parent[v] == -2 && (from < 0 || time < best)) {
                    from = u;
                    to = v;
                    best = time;
                }
            }
        }
        parent[to] = from;
        ready[to] = best;
        ready[from] += cost->occupancy(cost->self, from, to, WORKED_BYTES);
    }
}

START_TEST(ecef_agrees_with_its_definition)
{
    const struct hitop_cost costs[] = {random_cost(40), layered_cost(40)};

    for (int c = 0; c < 2; c++) {
        for (int size = 1; size <= 40; size += 3) {
            const int root = size / 3;
            struct hitop_tree *tree = build_tree("ecef", size, root, NULL, &costs[c]);
            int parent[64];
            ecef_by_definition(&costs[c], size, root, parent);
            assert_parents(tree, parent);
            hitop_tree_free(tree);
        }
    }
}
END_TEST

static void add_tests(TCase *tc)
{
    int n = 0, ncounts = 0;

    while (worked_trees[n].name) {
        n++;
    }
    tcase_add_loop_test(tc, builders_give_the_trees_of_the_oracle, 0, n);
    while (worked_count_trees[ncounts].name) {
        ncounts++;
    }
    tcase_add_loop_test(tc, unlike_blocks_give_the_trees_of_the_oracle, 0, ncounts);
    tcase_add_test(tc, ecef_gives_the_tree_of_the_oracle);
    tcase_add_test(tc, ecef_agrees_with_its_definition);
}

TEST_MAIN("worked trees", add_tests)
