/* SPDX-License-Identifier: BSD-3-Clause */
/* check_rounds.c - how many rounds all pairs and all triples of hosts take, and which go
 * together. */
#include <config.h>

#include "hitop/measure.h"

#include "models/links/rounds.h"
#include "tests/support/test_main.h"

#include <stdlib.h>

enum { MOST = 24, MOST_PAIRS = MOST * (MOST - 1) / 2, TOO_MANY = 257 };

/* n ranks, each on a host of its own. */
static struct hitop_hierarchy *hosts(int n)
{
    static char name[TOO_MANY][16];
    const char *host[TOO_MANY];
    struct hitop_hierarchy *h = NULL;

    for (int i = 0; i < n; i++) {
        (void)snprintf(name[i], sizeof(name[i]), "n%03d", i);
        host[i] = name[i];
    }
    ck_assert_int_eq(hitop_hierarchy_flat(host, n, &h, NULL), HITOP_OK);
    return h;
}

/* All pairs of n as they stand, 0-1 0-2 .. 1-2 .., and how many there are. */
static int list_pairs(int n, int *resource)
{
    int npairs = 0;

    for (int i = 0; i < n; i++) {
        for (int j = i + 1; j < n; j++, npairs++) {
            resource[2 * npairs] = i;
            resource[2 * npairs + 1] = j;
        }
    }
    return npairs;
}

/* Rounds by definition: each sweep over the list puts into one round all remaining items that have
 * no resource in common with an earlier item of the round. */
static int sweep(const struct rounds_request *s, int *round)
{
    int left = s->n, nrounds = 0;

    for (int i = 0; i < s->n; i++) {
        round[i] = 0;
    }
    while (left > 0) {
        char busy[MOST] = {0};
        nrounds++;
        for (int i = 0; i < s->n; i++) {
            const int *resource = s->resource + i * s->width;
            int is_free = round[i] == 0;
            for (int k = 0; k < s->width; k++) {
                is_free = is_free && !busy[resource[k]];
            }
            for (int k = 0; is_free && k < s->width; k++) {
                busy[resource[k]] = 1;
            }
            round[i] = is_free ? nrounds : round[i];
            left -= is_free;
        }
    }
    return nrounds;
}

START_TEST(pairs_go_together_as_sweeps_find_them)
{
    static const char *const expected[] = {"01 23 45 ", "02 13 ", "03 12 ", "04 15 ",
                                           "05 14 ",    "24 35 ", "25 34 "};
    int resource[2 * MOST_PAIRS], round[MOST_PAIRS], wanted[MOST_PAIRS];
    const int n = list_pairs(6, resource);
    const struct rounds_request six = {.resource = resource, .n = n, .width = 2, .nresources = 6};

    ck_assert_int_eq(hitop_rounds_fill(&six, round), 7);
    for (int r = 0; r < 7; r++) {
        char found[16] = "";
        for (int i = 0, at = 0; i < n; i++) {
            if (round[i] == r + 1) {
                at += snprintf(found + at, sizeof(found) - (size_t)at, "%d%d ", resource[2 * i],
                               resource[2 * i + 1]);
            }
        }
        ck_assert_str_eq(found, expected[r]);
    }
    for (int hosts = 2; hosts <= MOST; hosts++) {
        const struct rounds_request all = {.resource = resource,
                                           .n = list_pairs(hosts, resource),
                                           .width = 2,
                                           .nresources = hosts};
        ck_assert_int_eq(hitop_rounds_fill(&all, round), sweep(&all, wanted));
        ck_assert_mem_eq(round, wanted, (size_t)all.n * sizeof(*round));
    }
}
END_TEST

START_TEST(what_sits_alone_goes_at_once)
{
    static const int resource[] = {3, 3, 1, 1, 3, 0};
    int round[3];

    ck_assert_int_eq(
        hitop_rounds_fill(
            &(struct rounds_request){.resource = resource, .n = 3, .width = 2, .nresources = 4},
            round),
        2);
    ck_assert(round[0] == 1 && round[1] == 1 && round[2] == 2);
    ck_assert_int_eq(
        hitop_rounds_fill(&(struct rounds_request){.width = 2, .nresources = 4}, round), 0);
}
END_TEST

/* Hosts, rounds of their pairs by sweeps and by round-robin pairing; those of their triples and the
 * fewest. */
static const int table[][5] = {
    {2, 1, 1, 0, 0},        {3, 3, 3, 1, 1},        {4, 3, 3, 4, 4},        {5, 7, 5, 10, 10},
    {6, 7, 5, 10, 10},      {7, 7, 7, 25, 18},      {8, 7, 7, 32, 28},      {9, 15, 9, 45, 28},
    {10, 15, 9, 52, 40},    {11, 15, 11, 64, 55},   {12, 15, 11, 61, 55},   {13, 15, 13, 97, 72},
    {14, 15, 13, 114, 91},  {15, 15, 15, 128, 91},  {16, 15, 15, 147, 112}, {17, 31, 17, 167, 136},
    {18, 31, 17, 185, 136}, {19, 31, 19, 202, 162}, {20, 31, 19, 221, 190}, {21, 31, 21, 250, 190},
    {22, 31, 21, 270, 220}, {23, 31, 23, 296, 253}, {24, 31, 23, 307, 253}};

enum { ROWS = sizeof(table) / sizeof(table[0]) };

static void expect_pairs(const int *row)
{
    int resource[2 * MOST_PAIRS], round[MOST_PAIRS], n = row[0], npairs = 0;
    struct hitop_hierarchy *h = hosts(n);
    struct hitop_link *links = NULL;

    ck_assert_int_eq(hitop_rounds_fill(&(struct rounds_request){.resource = resource,
                                                                .n = list_pairs(n, resource),
                                                                .width = 2,
                                                                .nresources = n},
                                       round),
                     row[1]);
    ck_assert_int_eq(hitop_links_choose_pairs(h, &links, &npairs, NULL), HITOP_OK);
    ck_assert_int_eq(npairs, n * (n - 1) / 2);
    ck_assert_int_eq(links[npairs - 1].round, row[2]);
    ck_assert_int_eq(hitop_links_least_rounds(links, npairs, 2, n), row[2]);
    free(links);
    hitop_hierarchy_free(h);
}

/* Each triple as often as it has members, led by each; no rank twice in a round; by round, then by
 * index. */
static void expect_triples(const int *row)
{
    const int n = row[0], ntriples = n * (n - 1) * (n - 2) / 6;
    struct hitop_hierarchy *h = hosts(n);
    struct hitop_link *t = NULL;
    char led[MOST][MOST][MOST] = {0}; /* i < j < k: a bit for each leader */
    int found = 0, busy[MOST], nfirst = 0;

    memset(busy, -1, sizeof(busy));
    ck_assert_int_eq(hitop_triples_choose_all(h, &t, &found, NULL), HITOP_OK);
    ck_assert_int_eq(found, 3 * ntriples);
    for (int q = 0; q < found; q++) {
        const int rank[] = {t[q].rank[0], t[q].rank[1], t[q].third};
        int low = n, high = -1, sum = 0;
        ck_assert(q == 0 || t[q].round > t[q - 1].round ||
                  (t[q].round == t[q - 1].round && t[q].node > t[q - 1].node));
        for (int k = 0; k < 3; k++) {
            ck_assert_int_ne(busy[rank[k]], t[q].round);
            busy[rank[k]] = t[q].round;
            low = rank[k] < low ? rank[k] : low;
            high = rank[k] > high ? rank[k] : high;
            sum += rank[k];
        }
        ck_assert(low < sum - low - high && sum - low - high < high);
        led[low][sum - low - high][high] |= (char)(rank[0] == low ? 1 : rank[0] == high ? 4 : 2);
    }
    for (int i = 0, index = 0; i < n; i++) {
        for (int j = i + 1; j < n; j++) {
            for (int k = j + 1; k < n; k++, index++) {
                ck_assert_int_eq(led[i][j][k], 7);
            }
        }
    }
    ck_assert_int_eq(t[found - 1].round + 1, 3 * row[3]);
    for (int q = 0; q < found; q++) { /* without the turns: those that the first one leads */
        if (t[q].rank[0] < t[q].rank[1] && t[q].rank[1] < t[q].third) {
            t[nfirst++] = t[q];
        }
    }
    ck_assert_int_eq(nfirst, ntriples);
    ck_assert_int_eq(hitop_links_least_rounds(t, nfirst, 3, n), row[4]);
    free(t);
    hitop_hierarchy_free(h);
}

START_TEST(rounds_are_as_many_as_worked_out)
{
    expect_pairs(table[_i]);
    if (table[_i][0] >= 3) {
        expect_triples(table[_i]);
    }
}
END_TEST

/* Index of three among n as they stand. */
static int index_of(int n, int i, int j, int k)
{
    struct hitop_hierarchy *h = hosts(n);
    struct hitop_link *t = NULL;
    int found = 0, index = -1;

    ck_assert_int_eq(hitop_triples_choose_all(h, &t, &found, NULL), HITOP_OK);
    for (int q = 0; q < found; q++) {
        if (t[q].rank[0] == i && t[q].rank[1] == j && t[q].third == k) {
            index = t[q].node;
        }
    }
    free(t);
    hitop_hierarchy_free(h);
    return index;
}

START_TEST(triples_have_the_index_that_was_worked_out)
{
    ck_assert_int_eq(index_of(8, 2, 4, 7), 42);
    ck_assert_int_eq(index_of(20, 10, 11, 12), 1020);
    ck_assert_int_eq(index_of(10, 7, 8, 9), 119);
}
END_TEST

START_TEST(triples_need_three_to_many_hosts)
{
    static const char *const shared[] = {"a", "b", "a", "c"};
    static const char *const two[] = {"a", "b", "a", "b"};
    struct hitop_hierarchy *h = hosts(2);
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_link *t = NULL;
    int n;

    ck_assert_int_eq(hitop_triples_choose_all(h, &t, &n, &diag), HITOP_ERR_UNSUPPORTED);
    ck_assert_str_eq(diag.message,
                     "processors can be distinguished from links with three hosts or more only");
    hitop_hierarchy_free(h);
    ck_assert_int_eq(hitop_hierarchy_flat(two, 4, &h, NULL), HITOP_OK);
    ck_assert_int_eq(hitop_triples_choose_all(h, &t, &n, &diag), HITOP_ERR_UNSUPPORTED);
    ck_assert_int_eq(hitop_triples_choose(h, 6, 1, &t, &n, &diag), HITOP_ERR_UNSUPPORTED);
    hitop_hierarchy_free(h);
    ck_assert_int_eq(hitop_hierarchy_flat(shared, 4, &h, NULL), HITOP_OK);
    ck_assert_int_eq(hitop_triples_choose_all(h, &t, &n, &diag), HITOP_OK);
    ck_assert(n == 3 && t[0].rank[0] == 0 && t[0].rank[1] == 1 && t[0].third == 3);
    free(t);
    ck_assert_int_eq(hitop_triples_choose(h, 6, 1, &t, &n, &diag), HITOP_OK);
    ck_assert_int_eq(n, 18);
    for (int i = 0; i < n; i++) {
        ck_assert(t[i].rank[0] != 2 && t[i].rank[1] != 2 && t[i].third != 2);
    }
    free(t);
    hitop_hierarchy_free(h);
    h = hosts(TOO_MANY);
    ck_assert_int_eq(hitop_triples_choose_all(h, &t, &n, &diag), HITOP_ERR_INVALID);
    ck_assert_str_eq(diag.message,
                     "257 hosts have too many triples to measure all of them; allowed are 3..256");
    ck_assert_ptr_null(t);
    ck_assert_int_eq(n, 0);
    hitop_hierarchy_free(h);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, pairs_go_together_as_sweeps_find_them);
    tcase_add_test(tc, what_sits_alone_goes_at_once);
    tcase_add_loop_test(tc, rounds_are_as_many_as_worked_out, 0, ROWS);
    tcase_add_test(tc, triples_have_the_index_that_was_worked_out);
    tcase_add_test(tc, triples_need_three_to_many_hosts);
}

TEST_MAIN("rounds", add_tests)
