/* SPDX-License-Identifier: BSD-3-Clause */
/* check_tree_nested.c - no set of near ranks is entered twice, and the right rank leads it. */
#include <config.h>

#include "hitop/tree.h"

#include "tests/coll/trees/tree_asserts.h"
#include "tests/support/costs.h"
#include "tests/support/draw.h"
#include "tests/support/test_main.h"

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
        struct hitop_tree *tree = build_tree("nested", 200, root, NULL, &cost);
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
    struct hitop_tree *tree = build_tree("nested", 6, 1, NULL, &cost);

    assert_children(tree, 1, 2, (const int[]){3, 0});
    assert_children(tree, 0, 1, (const int[]){2});
    assert_children(tree, 3, 2, (const int[]){4, 5});
    hitop_tree_free(tree);
}
END_TEST

START_TEST(chains_within_chains)
{
    /*
     * sites {0 1 2} and {3 4 5}, led by 4, the root, and by 0, the lowest: one link between them,
     * one chain in each
     */
    const struct hitop_cost cost = {.nranks = 6, .p2p = two_sites, .occupancy = two_sites};
    struct hitop_tree *tree = build_tree("nested_chain", 6, 4, NULL, &cost);

    assert_children(tree, 4, 2, (const int[]){0, 3});
    assert_children(tree, 3, 1, (const int[]){5});
    assert_children(tree, 0, 1, (const int[]){1});
    assert_children(tree, 1, 1, (const int[]){2});
    hitop_tree_free(tree);
}
END_TEST

START_TEST(no_rank_serves_two_of_a_chain)
{
    const struct hitop_cost cost = layered_cost(200);

    for (int root = 0; root < 200; root += 37) {
        struct hitop_tree *tree = build_tree("nested_chain", 200, root, NULL, &cost);
        for (int r = 0; r < 200; r++) { /* one rack, one host of the rack, one rank of the host */
            int n, other_racks = 0, other_hosts = 0;
            const int *child = hitop_tree_children(tree, r, &n);
            for (int i = 0; i < n; i++) {
                other_racks += rack(child[i]) != rack(r);
                other_hosts += host(child[i]) != host(r) && rack(child[i]) == rack(r);
            }
            ck_assert_int_le(other_racks, 1);
            ck_assert_int_le(other_hosts, 1);
            ck_assert_int_le(n - other_racks - other_hosts, 1);
        }
        hitop_tree_free(tree);
    }
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
    struct hitop_tree *tree = build_tree("nested", 9, 0, NULL, &cost);

    assert_children(tree, 0, 3, (const int[]){3, 1, 8});
    assert_children(tree, 1, 1, (const int[]){2});
    hitop_tree_free(tree);
}
END_TEST

/*
 * Sites {0 1 2} and {3 .. 8}, this of hosts {3 4 5} and {6 7 8}; rank 4 sends faster than others of
 * its host.
 */
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
    struct hitop_tree *tree = build_tree("nested", 9, 0, NULL, &cost);

    assert_children(tree, 0, 3, (const int[]){4, 1, 2});
    assert_children(tree, 4, 3, (const int[]){6, 3, 5});
    assert_children(tree, 6, 2, (const int[]){7, 8});
    hitop_tree_free(tree);
}
END_TEST

/* Sets within sets, and ranks beside them: the time of a message is that of the smallest set. */
enum { MOST_RANKS = 40, MOST_SETS = MOST_RANKS + 12 };

struct mixed {
    int nranks, nsets;
    int enclosing[MOST_SETS];
    double seconds[MOST_SETS];
};

static int smallest_set(const struct mixed *m, int a, int b)
{
    while (a != b) { /* a set around another one has a higher number */
        if (a < b) {
            a = m->enclosing[a];
        } else {
            b = m->enclosing[b];
        }
    }
    return a;
}

static double mixed_time(const void *self, int from, int to, size_t bytes)
{
    const struct mixed *m = self;

    (void)bytes;
    return m->seconds[smallest_set(m, from, to)];
}

static int mixed_enclosing(const void *self, int set)
{
    return ((const struct mixed *)self)->enclosing[set];
}

/* An inner set is faster than the one around it, or slower in one of eight. */
static struct mixed draw_mixed(uint64_t *state)
{
    struct mixed m = {.nranks = 2 + draw(state, MOST_RANKS - 1)};

    m.nsets = m.nranks + 1 + draw(state, MOST_SETS - m.nranks - 1 < 8 ? 4 : 8);
    m.enclosing[m.nsets - 1] = -1;
    m.seconds[m.nsets - 1] = 64;
    for (int s = m.nsets - 2; s >= 0; s--) {
        const int least = s < m.nranks ? m.nranks : s + 1;
        m.enclosing[s] = least + draw(state, m.nsets - least);
        m.seconds[s] = m.seconds[m.enclosing[s]] * (draw(state, 8) == 0 ? 2 : 0.5);
    }
    return m;
}

/* Sets say which times are equal; without them all times are asked for, and are the same. */
START_TEST(sets_change_no_tree)
{
    uint64_t state = draw_seed();

    for (int i = 0; i < 2000; i++) {
        const struct mixed m = draw_mixed(&state);
        const struct hitop_cost plain = {
            .self = &m, .nranks = m.nranks, .p2p = mixed_time, .occupancy = mixed_time};
        struct hitop_cost with_sets = plain;
        const char *name = i % 2 ? "nested" : "nested_chain";
        const int size = i % 3 ? m.nranks : 1 + m.nranks / 2, root = draw(&state, size);
        struct hitop_tree *a, *b;
        with_sets.enclosing = mixed_enclosing;
        with_sets.nsets = m.nsets;
        a = build_tree(name, size, root, NULL, &plain);
        b = build_tree(name, size, root, NULL, &with_sets);
        assert_same_tree(a, b);
        hitop_tree_free(b);
        hitop_tree_free(a);
    }
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, sets_change_no_tree);
    tcase_add_test(tc, nested_enters_every_group_once);
    tcase_add_test(tc, nested_over_two_sites);
    tcase_add_test(tc, chains_within_chains);
    tcase_add_test(tc, no_rank_serves_two_of_a_chain);
    tcase_add_test(tc, nested_serves_the_slowest_site_first);
    tcase_add_test(tc, nested_lets_the_fastest_sender_lead);
}

TEST_MAIN("nested trees", add_tests)
