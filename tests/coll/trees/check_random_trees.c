/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check_random_trees.c - what a hierarchy says of random trees is what a plain search finds.
 *
 * Each tree is built in two orders, written and read; each time all questions are asked.
 */
#include <config.h>

#include "hitop/dot.h"

#include "tests/coll/trees/random_tree.h"
#include "tests/support/test_main.h"

#include <stdio.h>

enum { RUNS = 100 };

/* Compare a list of ranges with the ranks for which is_in is true. */
static void expect_ranks(const struct hitop_rank_range *range, int nranges, const int *is_in, int n)
{
    int at = 0;

    for (int i = 0; i < nranges; i++) {
        for (int r = range[i].first; r <= range[i].last; r += range[i].step) {
            for (; at < r; at++) {
                ck_assert_int_eq(is_in[at], 0);
            }
            ck_assert_int_eq(is_in[at++], 1);
        }
    }
    for (; at < n; at++) {
        ck_assert_int_eq(is_in[at], 0);
    }
}

static void check_group(const struct hitop_hierarchy *h, const struct tree *t, int group)
{
    const struct tree_facts f = tree_search(t, group);
    const int node = tree_number_of(t, group);
    int nmembers, nexpected = 0, nsets, is_in[MAX_RANKS];
    const int *member = hitop_hierarchy_children(h, node, &nmembers);
    const int first_set = hitop_hierarchy_leaf_sets(h, node, &nsets);
    struct hitop_ranks ranks = {0};
    char name[16];

    (void)snprintf(name, sizeof(name), "g%d", group);
    ck_assert_str_eq(hitop_hierarchy_name(h, node), name);
    ck_assert_int_eq(hitop_hierarchy_parent(h, node),
                     group > 0 ? tree_number_of(t, t->up[group]) : HITOP_NO_NODE);
    ck_assert_int_eq(hitop_hierarchy_first_rank(h, node), f.first_rank);
    ck_assert_int_eq(hitop_hierarchy_count_ranks(h, node), f.count);
    ck_assert_int_eq(hitop_hierarchy_height(h, node), f.height);
    ck_assert_int_eq(hitop_hierarchy_depth(h, node), f.depth);
    for (int i = 0; i < nmembers; i++) {
        ck_assert_int_eq(hitop_hierarchy_parent(h, member[i]), node);
        ck_assert(i == 0 || hitop_hierarchy_first_rank(h, member[i - 1]) <
                                hitop_hierarchy_first_rank(h, member[i]));
    }
    for (int g = 1; g < t->ngroups; g++) {
        nexpected += t->up[g] == group;
    }
    for (int r = 0; r < t->nranks; r++) {
        int one;
        const int set = hitop_hierarchy_leaf_sets(h, r, &one);
        nexpected += t->innermost[r] == group;
        is_in[r] = tree_climb(t, r, group) > 0;
        ck_assert_int_eq(set >= first_set && set < first_set + nsets, is_in[r]);
    }
    ck_assert_int_eq(nmembers, nexpected);
    ck_assert_int_eq(hitop_hierarchy_ranks(h, node, &ranks, NULL), HITOP_OK);
    expect_ranks(ranks.range, ranks.n, is_in, t->nranks);
    hitop_ranks_clear(&ranks);
}

static void check_rank(const struct hitop_hierarchy *h, const struct tree *t, int rank)
{
    const char *color = hitop_hierarchy_attr(h, rank, "color");
    int count, nranges, is_in[MAX_RANKS], first = 0;
    const int set = hitop_hierarchy_leaf_sets(h, rank, &count);
    const struct hitop_rank_range *range = hitop_hierarchy_leaf_set(h, set, &nranges);

    ck_assert_str_eq(hitop_hierarchy_host(h, rank), tree_host_name(t->host[rank]));
    ck_assert_int_eq(hitop_hierarchy_parent(h, rank), tree_number_of(t, t->innermost[rank]));
    ck_assert_str_eq(color ? color : "", tree_color_name(t->color[rank]));
    while (t->host[first] != t->host[rank]) {
        first++;
    }
    ck_assert_int_eq(hitop_hierarchy_rank_on_host(h, tree_host_name(t->host[rank])), first);
    ck_assert_int_eq(count, 1);
    for (int r = 0; r < t->nranks; r++) {
        int meeting = t->innermost[rank];
        while (!tree_climb(t, r, meeting)) {
            meeting = t->up[meeting];
        }
        ck_assert_int_eq(hitop_hierarchy_lca(h, rank, r),
                         r == rank ? rank : tree_number_of(t, meeting));
        is_in[r] = tree_are_alike(t, r, rank);
    }
    expect_ranks(range, nranges, is_in, t->nranks);
}

/*
 * The walk from node on, which stands at *at, is: the node, then those below each member in turn.
 */
static void expect_walk(const struct hitop_hierarchy *h, int top, int node, int *at)
{
    int count;
    const int *member = hitop_hierarchy_children(h, node, &count);

    ck_assert_int_eq(*at, node);
    *at = hitop_hierarchy_next(h, top, node);
    for (int i = 0; i < count; i++) {
        expect_walk(h, top, member[i], at);
    }
}

static void check(const struct hitop_hierarchy *h, const struct tree *t)
{
    const int n = t->nranks + t->ngroups;

    ck_assert_int_eq(hitop_hierarchy_nranks(h), t->nranks);
    ck_assert_int_eq(hitop_hierarchy_nnodes(h), n);
    for (int g = 0; g < t->ngroups; g++) {
        check_group(h, t, g);
    }
    for (int rank = 0; rank < t->nranks; rank++) {
        check_rank(h, t, rank);
    }
    for (int top = 0; top < n; top++) {
        int at = top;
        expect_walk(h, top, top, &at);
        ck_assert_int_eq(at, HITOP_NO_NODE);
    }
    for (int height = 0, next = 0, count; next < n; height++, next += count) {
        ck_assert_int_eq(hitop_hierarchy_at_height(h, height, &count), next);
        for (int node = next; node < next + count; node++) {
            ck_assert_int_eq(hitop_hierarchy_height(h, node), height);
        }
        ck_assert_int_gt(count, 0);
    }
}

static char *write_text(const struct hitop_hierarchy *h)
{
    char *text = NULL;
    size_t length;
    FILE *to = open_memstream(&text, &length);

    ck_assert_int_eq(hitop_dot_write(h, NULL, to, NULL), HITOP_OK);
    ck_assert_int_eq(fclose(to), 0);
    return text;
}

START_TEST(random_trees_are_what_they_were_drawn_as)
{
    tree_seed();
    for (int run = 0; run < RUNS; run++) {
        const struct tree t = tree_draw();
        struct hitop_diag diag = HITOP_DIAG_INIT;
        struct hitop_hierarchy *h[3] = {tree_build(&t), tree_build(&t), NULL};
        char *text[3] = {write_text(h[0]), write_text(h[1]), NULL};

        ck_assert_msg(hitop_dot_parse("text", text[0], strlen(text[0]), NULL, &h[2], &diag) ==
                          HITOP_OK,
                      "run %d: %s", run, diag.message);
        text[2] = write_text(h[2]);
        for (int i = 0; i < 3; i++) {
            check(h[i], &t);
            ck_assert_str_eq(text[i], text[0]);
        }
        for (int i = 0; i < 3; i++) {
            hitop_hierarchy_free(h[i]);
            free(text[i]);
        }
    }
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, random_trees_are_what_they_were_drawn_as);
}

TEST_MAIN("random_trees", add_tests)
