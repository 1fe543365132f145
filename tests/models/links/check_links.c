/* SPDX-License-Identifier: BSD-3-Clause */
/* check_links.c - which pairs of ranks are measured, and which of them at once. */
#include <config.h>

#include "hitop/measure.h"

#include "tests/support/example_hierarchy.h"
#include "tests/support/test_main.h"

#include <limits.h>
#include <string.h>

/* A choice of links, and what is wrong with it. */
struct choice {
    const struct hitop_hierarchy *h;
    struct hitop_link *links;
    int n;
};

/* nranks ranks dealt round robin on nhosts hosts, directly below the root. */
static struct hitop_hierarchy *flat(int nranks, int nhosts)
{
    static char name[64][16];
    const char *host[64];
    struct hitop_hierarchy *h = NULL;

    for (int rank = 0; rank < nranks; rank++) {
        (void)snprintf(name[rank], sizeof(name[rank]), "n%02d", rank % nhosts);
        host[rank] = name[rank];
    }
    ck_assert_int_eq(hitop_hierarchy_flat(host, nranks, &h, NULL), HITOP_OK);
    return h;
}

/* All in order, no rank twice in a round, each between the members for which it stands, if it says
 * so. */
static void expect_sound(const struct choice *c)
{
    int *busy = calloc((size_t)hitop_hierarchy_nranks(c->h), sizeof(*busy));

    for (int i = 0; i < c->n; i++) {
        const struct hitop_link *link = &c->links[i];
        ck_assert_int_lt(link->rank[0], link->rank[1]);
        ck_assert_int_eq(hitop_hierarchy_lca(c->h, link->rank[0], link->rank[1]), link->node);
        ck_assert(i == 0 || link->round >= c->links[i - 1].round);
        ck_assert_int_ge(link->round, link->phase);
        for (int k = 0; k < 2; k++) {
            ck_assert_int_ne(busy[link->rank[k]], link->round);
            busy[link->rank[k]] = link->round;
            if (link->between[0] != link->between[1]) {
                ck_assert_int_eq(hitop_hierarchy_parent(c->h, link->between[k]), link->node);
            }
        }
    }
    free(busy);
}

static void expect_different(const struct choice *c)
{
    for (int i = 0; i < c->n; i++) {
        for (int j = 0; j < i; j++) {
            ck_assert(c->links[i].rank[0] != c->links[j].rank[0] ||
                      c->links[i].rank[1] != c->links[j].rank[1]);
        }
    }
}

/* No host twice in a round, but for links inside it. */
static void expect_one_partner(const struct choice *c)
{
    for (int i = 0; i < c->n; i++) {
        for (int j = i + 1; j < c->n && c->links[j].round == c->links[i].round; j++) {
            for (int k = 0; k < 4; k++) {
                const int x = c->links[i].rank[k / 2], y = c->links[j].rank[k % 2];
                const char *host = hitop_hierarchy_host(c->h, x);
                const int inside =
                    strcmp(host, hitop_hierarchy_host(c->h, c->links[i].rank[1 - k / 2])) == 0;
                ck_assert(inside || strcmp(host, hitop_hierarchy_host(c->h, y)) != 0);
            }
        }
    }
}

static int last_round(const struct choice *c)
{
    return c->n > 0 ? c->links[c->n - 1].round : 0;
}

START_TEST(one_link_for_each_group_by_height)
{
    static const int expected[EXAMPLE_CLASSES][4] = {{8, 0, 4, 1},  {9, 1, 5, 1},  {10, 2, 6, 1},
                                                     {11, 3, 7, 1}, {12, 0, 1, 2}, {13, 2, 3, 2},
                                                     {14, 0, 2, 3}};
    struct hitop_hierarchy *h = example_hierarchy();
    struct choice c = {.h = h};

    ck_assert_int_eq(hitop_links_choose(h, &c.links, &c.n, NULL), HITOP_OK);
    ck_assert_int_eq(c.n, EXAMPLE_CLASSES);
    for (int i = 0; i < c.n; i++) {
        const struct hitop_link *link = &c.links[i];
        ck_assert_int_eq(link->node, expected[i][0]);
        ck_assert_int_eq(link->rank[0], expected[i][1]);
        ck_assert_int_eq(link->rank[1], expected[i][2]);
        ck_assert_int_eq(link->round, expected[i][3]);
    }
    expect_sound(&c);
    free(c.links);
    hitop_hierarchy_free(h);
}
END_TEST

START_TEST(pairs_of_all_members_in_few_rounds)
{
    for (int n = 1; n <= 25; n++) { /* the rounds are those of round-robin pairing */
        struct hitop_hierarchy *h = flat(n, n);
        struct choice c = {.h = h};
        ck_assert_int_eq(hitop_links_choose_pairs(h, &c.links, &c.n, NULL), HITOP_OK);
        ck_assert_int_eq(c.n, n * (n - 1) / 2);
        ck_assert_int_eq(last_round(&c), n - 1 + n % 2 - (n == 1));
        expect_sound(&c);
        expect_different(&c);
        free(c.links);
        hitop_hierarchy_free(h);
    }
}
END_TEST

START_TEST(ring_of_all_members)
{
    for (int n = 1; n < 14; n++) {
        struct hitop_hierarchy *h = flat(n, n);
        struct choice c = {.h = h};
        ck_assert_int_eq(hitop_links_choose_ring(h, &c.links, &c.n, NULL), HITOP_OK);
        ck_assert_int_eq(c.n, n < 3 ? n - 1 : n);
        ck_assert_int_eq(last_round(&c), n < 3 ? n - 1 : 2 + n % 2);
        expect_sound(&c);
        expect_different(&c);
        free(c.links);
        hitop_hierarchy_free(h);
    }
}
END_TEST

START_TEST(every_pair_with_one_partner_for_each_host)
{
    for (int n = 1; n < 20; n++) {
        for (int hosts = 1; hosts <= n; hosts++) {
            struct hitop_hierarchy *h = flat(n, hosts);
            struct choice c = {.h = h};
            ck_assert_int_eq(hitop_links_choose_flat(h, &c.links, &c.n, NULL), HITOP_OK);
            ck_assert_int_eq(c.n, n * (n - 1) / 2);
            expect_sound(&c);
            expect_different(&c);
            expect_one_partner(&c);
            free(c.links);
            hitop_hierarchy_free(h);
        }
    }
}
END_TEST

START_TEST(flat_links_need_a_flat_hierarchy)
{
    struct hitop_hierarchy *h = example_hierarchy();
    struct hitop_link *links = NULL;
    int n;

    ck_assert_int_eq(hitop_links_choose_flat(h, &links, &n, NULL), HITOP_ERR_INVALID);
    ck_assert_ptr_null(links);
    hitop_hierarchy_free(h);
}
END_TEST

START_TEST(random_pairs_as_many_as_wanted)
{
    struct hitop_hierarchy *h = flat(40, 13);

    for (int n = 0; n < 60; n += 7) {
        const struct hitop_links_sample wanted = {.total = n, .seed = (unsigned long long)n};
        struct choice c = {.h = h};
        ck_assert_int_eq(hitop_links_choose_sample(h, &wanted, &c.links, &c.n, NULL), HITOP_OK);
        ck_assert_int_eq(c.n, n);
        expect_sound(&c);
        expect_different(&c);
        expect_one_partner(&c);
        free(c.links);
    }
    hitop_hierarchy_free(h);
}
END_TEST

/* Hosts of two ranks have one pair, which is measured already; sites have 4 less one, the root 16
 * less one. */
START_TEST(random_pairs_leave_out_what_is_measured)
{
    struct hitop_hierarchy *h = example_hierarchy();
    struct hitop_links_sample wanted = {.per_group = 2, .seed = 3};
    struct choice measured = {.h = h}, c = {.h = h};

    ck_assert_int_eq(hitop_links_choose(h, &measured.links, &measured.n, NULL), HITOP_OK);
    wanted.except = measured.links;
    wanted.nexcept = measured.n;
    ck_assert_int_eq(hitop_links_choose_sample(h, &wanted, &c.links, &c.n, NULL), HITOP_OK);
    ck_assert_int_eq(c.n, 6);
    expect_sound(&c);
    expect_different(&c);
    for (int i = 0; i < c.n; i++) {
        ck_assert_int_ge(c.links[i].node, 12);
        for (int k = 0; k < measured.n; k++) {
            ck_assert(c.links[i].rank[0] != measured.links[k].rank[0] ||
                      c.links[i].rank[1] != measured.links[k].rank[1]);
        }
    }
    free(c.links);
    wanted = (struct hitop_links_sample){.total = 1000, .seed = 3};
    ck_assert_int_eq(hitop_links_choose_sample(h, &wanted, &c.links, &c.n, NULL), HITOP_OK);
    expect_different(&c);
    ck_assert_int_le(c.n, 28);
    ck_assert_int_ge(c.n, 20);
    free(c.links);
    wanted = (struct hitop_links_sample){.per_group = INT_MAX / 6, .seed = 3}; /* of 7 groups */
    ck_assert_int_eq(hitop_links_choose_sample(h, &wanted, &c.links, &c.n, NULL), HITOP_OK);
    expect_different(&c);
    ck_assert_int_ge(c.n, 20);
    free(c.links);
    free(measured.links);
    hitop_hierarchy_free(h);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, one_link_for_each_group_by_height);
    tcase_add_test(tc, pairs_of_all_members_in_few_rounds);
    tcase_add_test(tc, ring_of_all_members);
    tcase_add_test(tc, every_pair_with_one_partner_for_each_host);
    tcase_add_test(tc, flat_links_need_a_flat_hierarchy);
    tcase_add_test(tc, random_pairs_as_many_as_wanted);
    tcase_add_test(tc, random_pairs_leave_out_what_is_measured);
}

TEST_MAIN("links", add_tests)
