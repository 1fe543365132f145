/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check_fabric.c - hosts of a fabric are grouped by the switches it takes to get from one to the
 * other.
 */
#include <config.h>

#include "hierarchy/sources/fabric.h"

#include "tests/support/test_main.h"

#include <stdint.h>
#include <stdio.h>

enum { MAX_LINKS = 64, MAX_HOSTS = 32 };

/* Links as "a-b", hosts and switches counted from 0; returns how many. */
static int read_links(const char *text, struct fabric_link *link)
{
    int n = 0, used = 0;

    while (sscanf(text, " %d-%d%n", &link[n].from, &link[n].to, &used) == 2) {
        text += used;
        ck_assert_int_lt(++n, MAX_LINKS);
    }
    ck_assert_str_eq(text, "");
    return n;
}

/* Per layer the group of each host, '.' for none, and the switches that name the groups. */
static char *print(const struct fabric *f, const struct fabric_layers *layers)
{
    char *text = NULL;
    size_t length;
    FILE *to = open_memstream(&text, &length);

    for (int k = 0; k < layers->n; k++) {
        const struct fabric_layer *l = &layers->layer[k];

        fputs(k > 0 ? "; " : "", to);
        for (int h = 0; h < f->nhosts; h++) {
            fputc(l->group[h] < 0 ? '.' : 'a' + l->group[h], to);
        }
        for (int g = 0; g < l->ngroups; g++) {
            for (int i = l->first[g]; i < l->first[g + 1]; i++) {
                fprintf(to, "%c%d", i > l->first[g] ? ',' : ' ', l->sw[i]);
            }
        }
    }
    ck_assert_int_eq(fclose(to), 0);
    return text;
}

static const struct {
    const char *what;
    int nhosts, nswitches;
    const char *ports, *links, *layers;
} fabrics[] = {
    {"nothing", 2, 1, "", "", ".."},
    {"one switch", 3, 1, "0-0 1-0 2-0", "", "aaa 0"},
    {"a host without a port", 3, 1, "0-0 2-0", "", "a.a 0"},
    {"two cables are one", 2, 1, "0-0 0-0 1-0", "", "aa 0"},
    {"two switches", 4, 2, "0-0 1-0 2-1 3-1", "0-1 1-0", "aabb 0 1; aaaa 0,1"},
    {"two islands", 4, 2, "0-0 1-0 2-1 3-1", "", "aabb 0 1"},
    {"fat tree", 4, 4, "0-0 1-0 2-1 3-1", "0-2 0-3 1-2 3-1", "aabb 0 1; aaaa 2,3"},
    {"a leaf without hosts changes nothing", 4, 5, "0-0 1-0 2-1 3-1", "0-2 0-3 1-2 3-1 4-2 4-3",
     "aabb 0 1; aaaa 2,3"},
    {"pods", 4, 7, "0-0 1-1 2-2 3-3", "0-4 1-4 2-5 3-5 4-6 5-6", "abcd 0 1 2 3; aabb 4 5; aaaa 6"},
    {"cells without cores", 4, 6, "0-0 1-1 2-2 3-3", "0-4 1-4 2-5 3-5 4-5",
     "abcd 0 1 2 3; aabb 4 5; aaaa 4,5"},
    {"rails", 4, 5, "0-0 0-1 1-0 1-1 2-2 2-3 3-3 3-2", "0-4 1-4 2-4 3-4", "aabb 0,1 2,3; aaaa 4"},
    {"a spine for each rail", 4, 6, "0-0 0-1 1-0 1-1 2-2 2-3 3-3 3-2", "0-4 2-4 1-5 3-5",
     "aabb 0,1 2,3; aaaa 4,5"},
    {"a cable down", 3, 2, "0-0 0-1 1-0 1-1 2-1", "", "aaa 0,1"},
    {"built like this", 5, 2, "0-0 1-0 2-1 3-1 4-0 4-1", "", "aaccb 0 0,1 1; aaaaa 0,1"},
    {"two cables down", 5, 3, "0-0 0-1 0-2 1-0 1-1 1-2 2-0 2-1 2-2 3-1 3-2 4-2", "", "aaaaa 0,1,2"},
    {"a tower", 2, 5, "0-0 1-4", "0-1 1-2 2-3 3-4", "ab 0 4; aa 2"},
    {"a switch on its own", 2, 3, "0-0 1-0", "0-1", "aa 0"},
};

START_TEST(groups_what_is_near)
{
    struct fabric_link port[MAX_LINKS], link[MAX_LINKS];
    const struct fabric f = {.nhosts = fabrics[_i].nhosts,
                             .nswitches = fabrics[_i].nswitches,
                             .port = port,
                             .link = link,
                             .nports = read_links(fabrics[_i].ports, port),
                             .nlinks = read_links(fabrics[_i].links, link)};
    struct storage storage = {0};
    struct fabric_layers layers;
    char *text;

    ck_assert_int_eq(hitop_fabric_find_layers(&f, &storage, &layers), HITOP_OK);
    text = print(&f, &layers);
    ck_assert_msg(strcmp(text, fabrics[_i].layers) == 0, "%s: %s", fabrics[_i].what, text);
    free(text);
    hitop_storage_clear(&storage);
}
END_TEST

START_TEST(counts_the_cables_that_are_missing)
{
    static const struct fabric_link port[] = {{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1},
                                              {1, 2}, {2, 1}, {3, 2}, {3, 0}};
    static const int missing[] = {0, 0, 2, 1};
    const struct fabric f = {.nhosts = 4, .nswitches = 3, .port = port, .nports = 9};
    struct storage storage = {0};
    struct fabric_layers layers;

    ck_assert_int_eq(hitop_fabric_find_layers(&f, &storage, &layers), HITOP_OK);
    ck_assert_int_eq(layers.layer[0].ngroups, 1);
    for (int h = 0; h < 4; h++) {
        ck_assert_int_eq(layers.missing[h], missing[h]);
    }
    hitop_storage_clear(&storage);
}
END_TEST

static uint64_t state = 20385;

/* A number in 0..bound-1. */
static int draw(int bound)
{
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return (int)((state * 0x2545f4914f6cdd1dull) >> 33) % bound;
}

static void shuffle(struct fabric_link *link, int n)
{
    for (int i = n - 1; i > 0; i--) {
        const int k = draw(i + 1);
        const struct fabric_link kept = link[i];
        link[i] = link[k];
        link[k] = kept;
    }
}

/* Hosts of one group share all groups further out; a host is in all layers or in none. */
static void check_nesting(const struct fabric *f, const struct fabric_layers *layers)
{
    for (int k = 1; k < layers->n; k++) {
        const struct fabric_layer *in = &layers->layer[k - 1], *out = &layers->layer[k];

        ck_assert_int_lt(out->ngroups, in->ngroups);
        for (int x = 0; x < f->nhosts; x++) {
            ck_assert_int_eq(in->group[x] < 0, out->group[x] < 0);
            for (int y = 0; y < x; y++) {
                ck_assert(in->group[x] != in->group[y] || out->group[x] == out->group[y]);
            }
        }
    }
}

START_TEST(does_not_depend_on_the_order_of_cables)
{
    for (int round = 0; round < 500; round++) {
        struct fabric_link port[MAX_LINKS], link[MAX_LINKS];
        struct fabric f = {.nhosts = 1 + draw(12), .nswitches = 1 + draw(12)};
        struct storage storage = {0};
        struct fabric_layers layers;
        char *first, *again;

        f.port = port;
        f.link = link;
        f.nports = draw(24);
        f.nlinks = draw(24);
        for (int i = 0; i < f.nports; i++) {
            port[i] = (struct fabric_link){draw(f.nhosts), draw(f.nswitches)};
        }
        for (int i = 0; i < f.nlinks; i++) {
            link[i] = (struct fabric_link){draw(f.nswitches), draw(f.nswitches)};
        }
        ck_assert_int_eq(hitop_fabric_find_layers(&f, &storage, &layers), HITOP_OK);
        check_nesting(&f, &layers);
        first = print(&f, &layers);
        hitop_storage_clear(&storage);
        shuffle(port, f.nports);
        shuffle(link, f.nlinks);
        for (int i = 0; i < f.nlinks; i += 2) {
            link[i] = (struct fabric_link){link[i].to, link[i].from};
        }
        ck_assert_int_eq(hitop_fabric_find_layers(&f, &storage, &layers), HITOP_OK);
        again = print(&f, &layers);
        ck_assert_str_eq(first, again);
        free(again);
        free(first);
        hitop_storage_clear(&storage);
    }
}
END_TEST

START_TEST(copes_with_large_fabrics)
{
    enum { HOSTS = 20000, RAILS = 8, UNIT = 32, SPINES = 64 };
    const int nunits = HOSTS / UNIT, nleaves = nunits * RAILS;
    struct fabric f = {.nhosts = HOSTS,
                       .nswitches = nleaves + SPINES,
                       .nports = HOSTS * RAILS,
                       .nlinks = nleaves * SPINES};
    struct fabric_link *port = calloc((size_t)f.nports, sizeof(*port));
    struct fabric_link *link = calloc((size_t)f.nlinks, sizeof(*link));
    struct storage storage = {0};
    struct fabric_layers layers;

    for (int i = 0; i < f.nports; i++) {
        const int host = i / RAILS;
        port[i] = (struct fabric_link){host, host / UNIT * RAILS + i % RAILS};
    }
    for (int i = 0; i < f.nlinks; i++) {
        link[i] = (struct fabric_link){i / SPINES, nleaves + i % SPINES};
    }
    f.port = port;
    f.link = link;
    ck_assert_int_eq(hitop_fabric_find_layers(&f, &storage, &layers), HITOP_OK);
    ck_assert_int_eq(layers.n, 2);
    ck_assert_int_eq(layers.layer[0].ngroups, nunits);
    ck_assert_int_eq(layers.layer[1].ngroups, 1);
    hitop_storage_clear(&storage);
    free(link);
    free(port);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, groups_what_is_near, 0, (int)(sizeof(fabrics) / sizeof(fabrics[0])));
    tcase_add_test(tc, counts_the_cables_that_are_missing);
    tcase_add_test(tc, does_not_depend_on_the_order_of_cables);
    tcase_add_test(tc, copes_with_large_fabrics);
}

TEST_MAIN("fabric", add_tests)
