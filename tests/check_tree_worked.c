/* SPDX-License-Identifier: BSD-3-Clause */
/* check_tree_worked.c - trees against results worked out independently. */
#include <config.h>

#include "hitop/tree.h"

#include "costs.h"
#include "test_main.h"
#include "worked_trees.h"

static void assert_parents(const struct hitop_tree *tree, const int *parent)
{
    for (int r = 0; r < hitop_tree_size(tree); r++) {
        ck_assert_msg(hitop_tree_parent(tree, r) == parent[r], "rank %d: parent %d, expected %d", r,
                      hitop_tree_parent(tree, r), parent[r]);
    }
}

static void assert_children(const struct hitop_tree *tree, int rank, int n, const int *child)
{
    int count;
    const int *actual = hitop_tree_children(tree, rank, &count);

    ck_assert_int_eq(count, n);
    for (int i = 0; i < n; i++) {
        ck_assert_int_eq(actual[i], child[i]);
    }
}

static struct hitop_tree *build(const char *name, int size, int root, const double *params,
                                const struct hitop_cost *cost)
{
    const struct hitop_tree_args args = {
        .size = size, .root = root, .bytes = WORKED_BYTES, .cost = cost};
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_tree *tree = NULL;

    ck_assert_msg(hitop_tree_build(name, &args, params, &tree, &diag) == HITOP_OK, "%s: %s", name,
                  diag.message);
    return tree;
}

START_TEST(builders_give_the_trees_of_the_oracle)
{
    const struct worked_tree *w = &worked_trees[_i];
    const struct hitop_cost cost = worked_cost();
    const double weight = w->weight;
    struct hitop_tree *tree =
        build(w->name, w->size, w->root, strcmp(w->name, "binomial") ? &weight : NULL, &cost);

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
    struct hitop_tree *tree = build("ecef", 8, 0, NULL, &cost);

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
            struct hitop_tree *tree = build("ecef", size, root, NULL, &costs[c]);
            int parent[64];
            ecef_by_definition(&costs[c], size, root, parent);
            assert_parents(tree, parent);
            hitop_tree_free(tree);
        }
    }
}
END_TEST

/* The host or rack of layered_cost() that a rank is in, at two levels. */
static int host(int rank)
{
    return rank % 64;
}

static int rack(int rank)
{
    return rank % 8;
}

START_TEST(nested_enters_every_group_once)
{
    const struct hitop_cost cost = layered_cost(200);

    for (int root = 0; root < 200; root += 37) {
        struct hitop_tree *tree = build("nested", 200, root, NULL, &cost);
        int between_racks = 0, between_hosts = 0;
        for (int r = 0; r < 200; r++) {
            const int up = hitop_tree_parent(tree, r);
            if (up != HITOP_NO_RANK) {
                between_racks += rack(r) != rack(up);
                between_hosts += host(r) != host(up) && rack(r) == rack(up);
            }
        }
        ck_assert_int_eq(between_racks, 8 - 1);
        ck_assert_int_eq(between_hosts, 64 - 8);
        hitop_tree_free(tree);
    }
}
END_TEST

static double two_sites(const void *self, int from, int to, size_t bytes)
{
    (void)self;
    (void)bytes;
    return from / 3 == to / 3 ? 1 : 10;
}

START_TEST(nested_over_two_sites)
{
    /* sites {0 1 2} and {3 4 5}: 1 informs 3 first, then each site doubles its informed ranks */
    const struct hitop_cost cost = {.nranks = 6, .p2p = two_sites, .occupancy = two_sites};
    struct hitop_tree *tree = build("nested", 6, 1, NULL, &cost);

    assert_children(tree, 1, 2, (const int[]){3, 0});
    assert_children(tree, 0, 1, (const int[]){2});
    assert_children(tree, 3, 2, (const int[]){4, 5});
    hitop_tree_free(tree);
}
END_TEST

static double three_sites(const void *self, int from, int to, size_t bytes)
{
    static const int site[] = {0, 1, 1, 2, 2, 2, 2, 2, 0};

    (void)self;
    (void)bytes;
    return site[from] == site[to] ? 1 : 1.5;
}

START_TEST(nested_serves_the_slowest_site_first)
{
    /* {0 8}, {1 2} and {3 4 5 6 7}, which takes three rounds inside: it comes first */
    const struct hitop_cost cost = {.nranks = 9, .p2p = three_sites, .occupancy = three_sites};
    struct hitop_tree *tree = build("nested", 9, 0, NULL, &cost);

    assert_children(tree, 0, 3, (const int[]){3, 1, 8});
    assert_children(tree, 1, 1, (const int[]){2});
    hitop_tree_free(tree);
}
END_TEST

/* Sites {0 1 2} and {3 .. 8}, this of hosts {3 4 5} and {6 7 8}; rank 4 sends faster than others of its host. */
static double one_fast_sender(const void *self, int from, int to, size_t bytes)
{
    (void)self;
    (void)bytes;
    if (from / 3 != to / 3) {
        return from < 3 || to < 3 ? 10 : 5;
    }
    return from == 4 ? 1 : 3;
}

START_TEST(nested_lets_the_fastest_sender_lead)
{
    const struct hitop_cost cost = {
        .nranks = 9, .p2p = one_fast_sender, .occupancy = one_fast_sender};
    struct hitop_tree *tree = build("nested", 9, 0, NULL, &cost);

    assert_children(tree, 0, 3, (const int[]){4, 1, 2});
    assert_children(tree, 4, 3, (const int[]){6, 3, 5});
    assert_children(tree, 6, 2, (const int[]){7, 8});
    hitop_tree_free(tree);
}
END_TEST

START_TEST(shapes_over_few_ranks)
{
    struct hitop_tree *tree = build("knomial", 7, 5, (double[]){3}, NULL);

    /* virtual parents of 0..6 in base 3: -, 0, 0, 0, 3, 3, 0; rank = virtual + 5 mod 7 */
    assert_parents(tree, (const int[]){5, 5, 1, 1, 5, HITOP_NO_RANK, 5});
    assert_children(tree, 5, 4, (const int[]){1, 6, 0, 4});
    hitop_tree_free(tree);

    tree = build("chain", 4, 2, NULL, NULL);
    assert_parents(tree, (const int[]){3, 0, HITOP_NO_RANK, 2});
    hitop_tree_free(tree);

    tree = build("flat", 4, 2, NULL, NULL);
    assert_children(tree, 2, 3, (const int[]){3, 0, 1});
    hitop_tree_free(tree);

    tree = build("binary", 6, 0, NULL, NULL);
    assert_parents(tree, (const int[]){HITOP_NO_RANK, 0, 0, 1, 1, 2});
    assert_children(tree, 0, 2, (const int[]){1, 2});
    hitop_tree_free(tree);

    tree = build("binomial", 8, 0, NULL, NULL);
    assert_children(tree, 0, 3, (const int[]){4, 2, 1});
    hitop_tree_free(tree);
}
END_TEST

START_TEST(traff_of_equal_blocks_doubles)
{
    struct hitop_tree *tree = build("traff", 8, 0, NULL, NULL);

    /* below 0 the subsets {1} {2} {3 4} {5 6 7}, below 5 {6} {7} */
    assert_parents(tree, (const int[]){HITOP_NO_RANK, 0, 0, 0, 3, 0, 5, 5});
    assert_children(tree, 0, 4, (const int[]){5, 3, 2, 1});
    hitop_tree_free(tree);
}
END_TEST

START_TEST(binomial_mpich_serves_the_farthest_first)
{
    struct hitop_tree *tree = build("binomial_mpich", 6, 1, NULL, NULL);

    /* virtual: 0 to 4 2 1, 4 to 5, 2 to 3 */
    assert_children(tree, 1, 3, (const int[]){5, 3, 2});
    assert_children(tree, 5, 1, (const int[]){0});
    assert_children(tree, 3, 1, (const int[]){4});
    hitop_tree_free(tree);
    tree = build("binomial_mpich", 5, 0, NULL, NULL);
    assert_children(tree, 0, 3, (const int[]){4, 2, 1}); /* although 2 has a rank below it */
    hitop_tree_free(tree);
}
END_TEST

START_TEST(binary_in_order_splits_intervals)
{
    struct hitop_tree *tree = build("binary_in_order", 8, 2, NULL, NULL);

    assert_parents(tree, (const int[]){1, 2, HITOP_NO_RANK, 4, 5, 2, 7, 5});
    hitop_tree_free(tree);
    for (int size = 1; size <= 40; size++) {
        for (int root = 0; root < size; root++) {
            tree = build("binary_in_order", size, root, NULL, NULL);
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
        struct hitop_tree *tree = build(cases[i].name, cases[i].size, cases[i].root, NULL, NULL);
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
    tcase_add_test(tc, nested_enters_every_group_once);
    tcase_add_test(tc, nested_over_two_sites);
    tcase_add_test(tc, nested_serves_the_slowest_site_first);
    tcase_add_test(tc, nested_lets_the_fastest_sender_lead);
    tcase_add_test(tc, shapes_over_few_ranks);
    tcase_add_test(tc, traff_of_equal_blocks_doubles);
    tcase_add_test(tc, binomial_mpich_serves_the_farthest_first);
    tcase_add_test(tc, binary_in_order_splits_intervals);
    tcase_add_test(tc, shapes_are_in_rank_order_below_rank_0);
    tcase_add_test(tc, knomial_refuses_a_fractional_radix);
}

TEST_MAIN("worked trees", add_tests)
