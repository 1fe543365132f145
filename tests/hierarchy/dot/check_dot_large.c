/* SPDX-License-Identifier: BSD-3-Clause */
/* check_dot_large.c - files of wide and of deep hierarchies come back as they were. */
#include <config.h>

#include "hitop/dot.h"

#include "tests/support/test_main.h"

#include <stdio.h>

static struct hitop_hierarchy *finish(struct hitop_hierarchy_builder *b)
{
    struct hitop_hierarchy *h = NULL;
    struct hitop_diag diag = HITOP_DIAG_INIT;

    ck_assert_msg(hitop_hierarchy_builder_finish(b, &h, &diag) == HITOP_OK, "%s", diag.message);
    hitop_hierarchy_builder_free(b);
    return h;
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

/* Write, read and write again; the hierarchy that was read replaces the other. */
static void pass_through_a_file(struct hitop_hierarchy **h)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    char *text = write_text(*h), *again;

    hitop_hierarchy_free(*h);
    ck_assert_msg(hitop_dot_parse("text", text, strlen(text), NULL, h, &diag) == HITOP_OK, "%s",
                  diag.message);
    again = write_text(*h);
    ck_assert(strcmp(again, text) == 0);
    free(again);
    free(text);
}

START_TEST(a_group_has_100000_members)
{
    enum { HOSTS = 100000, EACH = 3 };
    struct hitop_hierarchy_builder *b = hitop_hierarchy_builder_new();
    const int root = hitop_hierarchy_builder_group(b, "root", NULL);
    struct hitop_hierarchy *h;
    int count;

    for (int i = 0; i < HOSTS; i++) { /* ranks are dealt round robin */
        const struct hitop_rank_range range = {i, i + (EACH - 1) * HOSTS, HOSTS};
        char host[16];
        (void)snprintf(host, sizeof(host), "n%06d", i);
        hitop_hierarchy_builder_edge(b, hitop_hierarchy_builder_leaves(b, &range, 1, host), root);
    }
    h = finish(b);
    pass_through_a_file(&h);
    ck_assert_int_eq(hitop_hierarchy_nnodes(h), EACH * HOSTS + 1);
    (void)hitop_hierarchy_children(h, EACH * HOSTS, &count);
    ck_assert_int_eq(count, EACH * HOSTS);
    ck_assert_str_eq(hitop_hierarchy_host(h, 2 * HOSTS + 54321), "n054321");
    ck_assert_int_eq(hitop_hierarchy_rank_on_host(h, "n054321"), 54321);
    hitop_hierarchy_free(h);
}
END_TEST

START_TEST(a_group_is_10000_levels_down)
{
    enum { LEVELS = 10000 };
    struct hitop_hierarchy_builder *b = hitop_hierarchy_builder_new();
    struct hitop_hierarchy *h;
    int up = HITOP_NO_NODE, node;

    for (int i = 0; i < LEVELS; i++) { /* each level has a rank and, but for the last, a group */
        const int group = hitop_hierarchy_builder_group(b, "level", NULL);
        hitop_hierarchy_builder_edge(b, hitop_hierarchy_builder_leaf(b, i, "n1"), group);
        if (up != HITOP_NO_NODE) {
            hitop_hierarchy_builder_edge(b, group, up);
        }
        up = group;
    }
    h = finish(b);
    pass_through_a_file(&h);
    node = hitop_hierarchy_root(h);
    ck_assert_int_eq(hitop_hierarchy_height(h, node), LEVELS);
    ck_assert_int_eq(hitop_hierarchy_depth(h, LEVELS - 1), LEVELS);
    ck_assert_int_eq(hitop_hierarchy_lca(h, 2385, LEVELS - 1), 2 * LEVELS - 1 - 2385);
    for (int i = 0; i < LEVELS; i++) { /* down: the rank, then the group below */
        ck_assert_int_eq(node, 2 * LEVELS - 1 - i);
        node = hitop_hierarchy_next(h, 2 * LEVELS - 1, node);
        ck_assert_int_eq(node, i);
        node = hitop_hierarchy_next(h, 2 * LEVELS - 1, node);
    }
    ck_assert_int_eq(node, HITOP_NO_NODE);
    hitop_hierarchy_free(h);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, a_group_has_100000_members);
    tcase_add_test(tc, a_group_is_10000_levels_down);
}

TEST_MAIN("dot_large", add_tests)
