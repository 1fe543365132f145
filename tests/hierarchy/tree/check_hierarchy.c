/* SPDX-License-Identifier: BSD-3-Clause */
/* check_hierarchy.c - a hierarchy is numbered by its shape alone, and only trees get through. */
#include <config.h>

#include "hitop/hierarchy.h"

#include "tests/support/test_main.h"

#include <stdio.h>

/* Two sites of two hosts with two ranks each, ranks dealt round robin: eight leaves, groups 8..14.
 */
static const int parents[15] = {8, 9, 10, 11, 8, 9, 10, 11, 12, 12, 13, 13, 14, 14, HITOP_NO_NODE};

/* Add the example's nodes in the order first, first + step, ... modulo 15. */
static struct hitop_hierarchy *two_sites(int first, int step)
{
    static const char *const hosts[] = {"alpha01.site1.org", "alpha02.site1.org",
                                        "betas01.site2.org", "betas02.site2.org"};
    struct hitop_hierarchy_builder *b = hitop_hierarchy_builder_new();
    struct hitop_hierarchy *h = NULL;
    int handle[15];

    for (int i = 0; i < 15; i++) {
        const int node = (first + i * step) % 15;
        handle[node] = node < 8    ? hitop_hierarchy_builder_leaf(b, node, hosts[node % 4])
                       : node < 12 ? hitop_hierarchy_builder_group(b, "host", hosts[node - 8])
                       : node < 14 ? hitop_hierarchy_builder_group(b, "domain", NULL)
                                   : hitop_hierarchy_builder_group(b, "root", "all");
    }
    for (int i = 0; i < 15; i++) {
        const int node = (first + i * step) % 15;
        if (parents[node] != HITOP_NO_NODE) {
            hitop_hierarchy_builder_edge(b, handle[node], handle[parents[node]]);
        }
    }
    hitop_hierarchy_builder_attr(b, handle[14], "zone", "europe");
    hitop_hierarchy_builder_attr(b, handle[14], "capacity", "2.385");
    hitop_hierarchy_builder_attr(b, handle[14], "zone", "asia");
    ck_assert_int_eq(hitop_hierarchy_builder_finish(b, &h, NULL), HITOP_OK);
    hitop_hierarchy_builder_free(b);
    return h;
}

START_TEST(numbers_nodes_by_shape_whatever_the_order)
{
    static const int first_ranks[15] = {0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 0, 2, 0};
    static const int steps[] = {1, 2, 4, 7, 8, 11, 13, 14}; /* coprime to 15 */

    for (size_t s = 0; s < sizeof(steps) / sizeof(steps[0]); s++) {
        struct hitop_hierarchy *h = two_sites((int)s, steps[s]);

        ck_assert_int_eq(hitop_hierarchy_nranks(h), 8);
        ck_assert_int_eq(hitop_hierarchy_nnodes(h), 15);
        ck_assert_int_eq(hitop_hierarchy_root(h), 14);
        for (int node = 0; node < 15; node++) {
            ck_assert_int_eq(hitop_hierarchy_parent(h, node), parents[node]);
            ck_assert_int_eq(hitop_hierarchy_first_rank(h, node), first_ranks[node]);
            ck_assert_int_eq(hitop_hierarchy_height(h, node),
                             (node > 7) + (node > 11) + (node > 13));
            ck_assert_int_eq(hitop_hierarchy_count_ranks(h, node), node < 8    ? 1
                                                                   : node < 12 ? 2
                                                                   : node < 14 ? 4
                                                                               : 8);
        }
        hitop_hierarchy_free(h);
    }
}
END_TEST

START_TEST(lists_children_by_smallest_rank)
{
    struct hitop_hierarchy *h = two_sites(3, 7);
    int count = -1;
    const int *child = hitop_hierarchy_children(h, 13, &count);

    ck_assert_int_eq(count, 2);
    ck_assert_int_eq(child[0], 10);
    ck_assert_int_eq(child[1], 11);
    child = hitop_hierarchy_children(h, 9, &count);
    ck_assert_int_eq(count, 2);
    ck_assert_int_eq(child[0], 1);
    ck_assert_int_eq(child[1], 5);
    (void)hitop_hierarchy_children(h, 0, &count);
    ck_assert_int_eq(count, 0);
    hitop_hierarchy_free(h);
}
END_TEST

START_TEST(meets_ranks_in_the_smallest_common_group)
{
    struct hitop_hierarchy *h = two_sites(0, 1);

    ck_assert_int_eq(hitop_hierarchy_lca(h, 0, 4), 8);
    ck_assert_int_eq(hitop_hierarchy_lca(h, 7, 3), 11);
    ck_assert_int_eq(hitop_hierarchy_lca(h, 0, 5), 12);
    ck_assert_int_eq(hitop_hierarchy_lca(h, 6, 3), 13);
    ck_assert_int_eq(hitop_hierarchy_lca(h, 6, 5), 14);
    ck_assert_int_eq(hitop_hierarchy_lca(h, 6, 6), 6);
    hitop_hierarchy_free(h);
}
END_TEST

START_TEST(finds_where_two_trees_differ_whatever_names)
{
    static const char *const hosts[] = {"a", "b", "c", "d", "e", "f", "g", "h"};
    struct hitop_hierarchy *h = two_sites(0, 1), *same = two_sites(3, 2), *flat, *small;

    ck_assert_int_eq(hitop_hierarchy_flat(hosts, 8, &flat, NULL), HITOP_OK);
    ck_assert_int_eq(hitop_hierarchy_flat(hosts, 7, &small, NULL), HITOP_OK);
    ck_assert_int_eq(hitop_hierarchy_first_difference(h, same), HITOP_NO_NODE);
    ck_assert_int_eq(hitop_hierarchy_first_difference(h, flat), 1);
    ck_assert_int_eq(hitop_hierarchy_first_difference(flat, h), 1);
    ck_assert_int_eq(hitop_hierarchy_first_difference(small, flat), 0);
    hitop_hierarchy_free(small);
    hitop_hierarchy_free(flat);
    hitop_hierarchy_free(same);
    hitop_hierarchy_free(h);
}
END_TEST

START_TEST(knows_names_levels_hosts_and_attributes)
{
    struct hitop_hierarchy *h = two_sites(0, 1);
    const struct hitop_attr *attr;
    int count;

    ck_assert_str_eq(hitop_hierarchy_level(h, 0), "rank");
    ck_assert_str_eq(hitop_hierarchy_name(h, 0), "");
    ck_assert_str_eq(hitop_hierarchy_host(h, 5), "alpha02.site1.org");
    ck_assert_str_eq(hitop_hierarchy_level(h, 9), "host");
    ck_assert_str_eq(hitop_hierarchy_name(h, 9), "alpha02.site1.org");
    ck_assert_str_eq(hitop_hierarchy_name(h, 12), "");
    ck_assert_int_eq(hitop_hierarchy_rank_on_host(h, "betas02.site2.org"), 3);
    ck_assert_int_eq(hitop_hierarchy_rank_on_host(h, "alpha01.site1.org"), 0);
    ck_assert_int_eq(hitop_hierarchy_rank_on_host(h, "betas02"), HITOP_NO_RANK);
    ck_assert_int_eq(hitop_hierarchy_rank_on_host(h, "zeta"), HITOP_NO_RANK);
    attr = hitop_hierarchy_attrs(h, HITOP_ATTR_OF_NODE, 14, &count);
    ck_assert_int_eq(count, 2);
    ck_assert_str_eq(attr[0].key, "capacity");
    ck_assert_str_eq(attr[0].value, "2.385");
    ck_assert_str_eq(hitop_hierarchy_attr(h, 14, "zone"), "asia");
    ck_assert_double_eq(hitop_hierarchy_capacity(h, 14), 2.385);
    ck_assert_double_eq(hitop_hierarchy_capacity(h, 13), 0);
    ck_assert_double_eq(hitop_hierarchy_capacity(h, 3), 0);
    ck_assert_ptr_null(hitop_hierarchy_attr(h, 14, "absent"));
    (void)hitop_hierarchy_attrs(h, HITOP_ATTR_OF_NODE, 13, &count);
    ck_assert_int_eq(count, 0);
    hitop_hierarchy_free(h);
}
END_TEST

START_TEST(holds_a_single_rank)
{
    struct hitop_hierarchy_builder *b = hitop_hierarchy_builder_new();
    struct hitop_hierarchy *h = NULL;
    const int leaf = hitop_hierarchy_builder_leaf(b, 0, NULL);

    hitop_hierarchy_builder_edge(b, leaf, hitop_hierarchy_builder_group(b, "root", NULL));
    ck_assert_int_eq(hitop_hierarchy_builder_finish(b, &h, NULL), HITOP_OK);
    ck_assert_int_eq(hitop_hierarchy_nnodes(h), 2);
    ck_assert_int_eq(hitop_hierarchy_root(h), 1);
    ck_assert_int_eq(hitop_hierarchy_lca(h, 0, 0), 0);
    ck_assert_str_eq(hitop_hierarchy_host(h, 0), "");
    hitop_hierarchy_free(h);
    hitop_hierarchy_builder_free(b);
}
END_TEST

START_TEST(takes_no_text_for_empty_text)
{
    struct hitop_hierarchy_builder *b = hitop_hierarchy_builder_new();
    struct hitop_hierarchy *h = NULL;
    const int group = hitop_hierarchy_builder_group(b, NULL, NULL);

    hitop_hierarchy_builder_edge(b, hitop_hierarchy_builder_leaf(b, 0, NULL), group);
    hitop_hierarchy_builder_label(b, group, NULL);
    hitop_hierarchy_builder_attr(b, group, "key", NULL);
    hitop_hierarchy_builder_id(b, group, NULL);
    hitop_hierarchy_builder_graph_name(b, NULL);
    ck_assert_int_eq(hitop_hierarchy_builder_finish(b, &h, NULL), HITOP_OK);
    ck_assert_str_eq(hitop_hierarchy_attr(h, 1, "key"), "");
    ck_assert_str_eq(hitop_hierarchy_id(h, 1), "");
    ck_assert_str_eq(hitop_hierarchy_graph_name(h), "");
    hitop_hierarchy_free(h);
    hitop_hierarchy_builder_free(b);
}
END_TEST

START_TEST(stays_linear_for_many_ranks_and_deep_chains)
{
    enum { RANKS = 100000, DEPTH = 100000 };
    struct hitop_hierarchy_builder *b = hitop_hierarchy_builder_new();
    struct hitop_hierarchy *h = NULL;
    int up = hitop_hierarchy_builder_group(b, "root", NULL);

    for (int i = 0; i < DEPTH; i++) {
        const int below = hitop_hierarchy_builder_group(b, "", NULL);
        hitop_hierarchy_builder_edge(b, below, up);
        up = below;
    }
    for (int rank = 0; rank < RANKS; rank++) {
        char host[32];
        (void)snprintf(host, sizeof(host), "node%06d", rank);
        hitop_hierarchy_builder_edge(b, hitop_hierarchy_builder_leaf(b, rank, host), up);
    }
    ck_assert_int_eq(hitop_hierarchy_builder_finish(b, &h, NULL), HITOP_OK);
    ck_assert_int_eq(hitop_hierarchy_height(h, hitop_hierarchy_root(h)), DEPTH + 1);
    ck_assert_int_eq(hitop_hierarchy_lca(h, 0, RANKS - 1), RANKS);
    ck_assert_int_eq(hitop_hierarchy_rank_on_host(h, "node054321"), 54321);
    hitop_hierarchy_free(h);
    hitop_hierarchy_builder_free(b);
}
END_TEST

/*
 * Mistakes as text. Letters are nodes, named by the letter: "a0" the leaf of rank 0, "c" a group;
 * "ac" after the bar puts a below c.
 */
static const struct {
    const char *nodes, *edges, *message;
} mistakes[] = {
    {"", "", "empty: no leaves"},
    {"r", "", "empty: no leaves"},
    {"a0 b0 r", "ar br", "node \"b\": rank 0 is already at node \"a\""},
    {"a0 b2 r", "ar br", "rank 1 is missing: 2 leaves must have ranks 0..1"},
    {"a0 b9 r", "ar br", "rank 1 is missing: 2 leaves must have ranks 0..1"},
    {"a0 b-3 r", "ar br", "node \"b\": rank -3 is negative"},
    {"a0 b1 r", "ar ba", "node \"a\": a leaf cannot have members, but \"b\" is below it"},
    {"a0 b1 r", "ar", "node \"b\": a leaf that belongs to no group"},
    {"a0", "", "node \"a\": a leaf that belongs to no group"},
    {"a0 b1 r e", "ar br er", "node \"e\": a group without members"},
    {"a0 b1 r e", "ar br", "node \"e\": a group without members"},
    {"a0 b1 r s", "ar bs", "two roots: nodes \"r\" and \"s\" have no parent"},
    {"a0 b1 r s", "ar br as bs", "node \"a\": has two parents, \"r\" and \"s\""},
    {"a0 b1 r", "ar br ar", "node \"a\": put below \"r\" twice"},
    {"a0 r", "ar rr", "node \"r\": part of a cycle"},
    {"a0 b1 r c d", "ar bc cd dc", "node \"c\": part of a cycle"},
    {"a0 c d e", "ac cd de ec", "node \"c\": part of a cycle"},
};

START_TEST(refuses_whatever_is_not_a_tree)
{
    struct hitop_hierarchy_builder *b = hitop_hierarchy_builder_new();
    struct hitop_hierarchy *h = NULL;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    int handle[128] = {0};

    for (const char *p = mistakes[_i].nodes; *p; p += strcspn(p, " "), p += *p == ' ') {
        const char label[2] = {p[0], '\0'};
        const int node = p[1] && p[1] != ' '
                             ? hitop_hierarchy_builder_leaf(b, (int)strtol(p + 1, NULL, 10), "h")
                             : hitop_hierarchy_builder_group(b, "", NULL);
        hitop_hierarchy_builder_label(b, node, label);
        handle[(int)p[0]] = node;
    }
    for (const char *p = mistakes[_i].edges; *p; p += p[2] ? 3 : 2) {
        hitop_hierarchy_builder_edge(b, handle[(int)p[0]], handle[(int)p[1]]);
    }
    ck_assert_int_eq(hitop_hierarchy_builder_finish(b, &h, &diag), HITOP_ERR_FORMAT);
    ck_assert_ptr_null(h);
    ck_assert_str_eq(diag.message, mistakes[_i].message);
    hitop_hierarchy_builder_free(b);
}
END_TEST

/* A group in a root, of which the group and its edge say something, or not. */
static enum hitop_status limit(const char *own, const char *of_edge, double *capacity,
                               struct hitop_diag *diag)
{
    struct hitop_hierarchy_builder *b = hitop_hierarchy_builder_new();
    struct hitop_hierarchy *h = NULL;
    const int root = hitop_hierarchy_builder_group(b, "root", "");
    const int group = hitop_hierarchy_builder_group(b, "rack", "r");
    const int leaf = hitop_hierarchy_builder_leaf(b, 0, "a");
    const struct hitop_attr attr = {"capacity", of_edge, 0};
    enum hitop_status status;

    hitop_hierarchy_builder_edge(b, leaf, group);
    hitop_hierarchy_builder_edge(b, group, root);
    hitop_hierarchy_builder_attr(b, leaf, "capacity", "that of a leaf is ignored");
    if (own) {
        hitop_hierarchy_builder_attr(b, group, "capacity", "7");
        hitop_hierarchy_builder_attr(b, group, "capacity", own);
    }
    if (of_edge) {
        hitop_hierarchy_builder_add_attr(b, HITOP_ATTR_OF_EDGE, group, &attr);
    }
    status = hitop_hierarchy_builder_finish(b, &h, diag);
    *capacity = h ? hitop_hierarchy_capacity(h, 1) : -1;
    hitop_hierarchy_free(h);
    hitop_hierarchy_builder_free(b);
    return status;
}

START_TEST(a_group_or_its_edge_has_the_capacity)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    double capacity;

    ck_assert_int_eq(limit(NULL, NULL, &capacity, NULL), HITOP_OK);
    ck_assert_double_eq(capacity, 0);
    ck_assert_int_eq(limit("3", NULL, &capacity, NULL), HITOP_OK);
    ck_assert_double_eq(capacity, 3);
    ck_assert_int_eq(limit(NULL, "1/4", &capacity, NULL), HITOP_OK);
    ck_assert_double_eq(capacity, 0.25);
    ck_assert_int_eq(limit("0.25", "1/4", &capacity, NULL), HITOP_OK);
    ck_assert_double_eq(capacity, 0.25);
    ck_assert_int_eq(limit("unlimited", NULL, &capacity, NULL), HITOP_OK);
    ck_assert(isinf(capacity));
    ck_assert_int_eq(limit("unlimited", "unlimited", &capacity, NULL), HITOP_OK);
    ck_assert_int_eq(limit("unlimited", "4", &capacity, NULL), HITOP_ERR_FORMAT);
    ck_assert_int_eq(limit("0.5", "1/4", &capacity, &diag), HITOP_ERR_FORMAT);
    ck_assert_str_eq(diag.message, "node \"r\": capacity '0.5', but that of its edge is '1/4'");
    ck_assert_int_eq(limit("-1", NULL, &capacity, &diag), HITOP_ERR_FORMAT);
    ck_assert_str_eq(diag.message, "node \"r\": capacity '-1' is outside [1e-06, 1e+09], or "
                                   "unlimited");
    ck_assert_int_eq(limit(NULL, "", &capacity, &diag), HITOP_ERR_FORMAT);
    ck_assert_str_eq(diag.message,
                     "node \"r\": capacity '' is neither a number nor a fraction such as 1/3, or "
                     "unlimited");
}
END_TEST

START_TEST(names_nodes_without_a_label)
{
    struct hitop_hierarchy_builder *b = hitop_hierarchy_builder_new();
    struct hitop_hierarchy *h = NULL;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    const int root = hitop_hierarchy_builder_group(b, "root", "line one\nline two");

    hitop_hierarchy_builder_edge(b, hitop_hierarchy_builder_leaf(b, 0, "h"), root);
    hitop_hierarchy_builder_edge(b, root, root);
    ck_assert_int_eq(hitop_hierarchy_builder_finish(b, &h, &diag), HITOP_ERR_FORMAT);
    ck_assert_str_eq(diag.message, "node \"line one?line two\": part of a cycle");
    (void)hitop_hierarchy_builder_leaf(b, 0, "h"); /* the builder is empty again */
    ck_assert_int_eq(hitop_hierarchy_builder_finish(b, &h, &diag), HITOP_ERR_FORMAT);
    ck_assert_str_eq(diag.message, "node of rank 0: a leaf that belongs to no group");
    hitop_hierarchy_builder_free(b);
    hitop_hierarchy_builder_free(NULL);
    hitop_hierarchy_free(NULL);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, numbers_nodes_by_shape_whatever_the_order);
    tcase_add_test(tc, lists_children_by_smallest_rank);
    tcase_add_test(tc, meets_ranks_in_the_smallest_common_group);
    tcase_add_test(tc, finds_where_two_trees_differ_whatever_names);
    tcase_add_test(tc, knows_names_levels_hosts_and_attributes);
    tcase_add_test(tc, holds_a_single_rank);
    tcase_add_test(tc, takes_no_text_for_empty_text);
    tcase_add_test(tc, stays_linear_for_many_ranks_and_deep_chains);
    tcase_add_loop_test(tc, refuses_whatever_is_not_a_tree, 0,
                        (int)(sizeof(mistakes) / sizeof(mistakes[0])));
    tcase_add_test(tc, a_group_or_its_edge_has_the_capacity);
    tcase_add_test(tc, names_nodes_without_a_label);
}

TEST_MAIN("hierarchy", add_tests)
