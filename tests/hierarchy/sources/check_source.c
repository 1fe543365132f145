/* SPDX-License-Identifier: BSD-3-Clause */
/* check_source.c - facts about ranks give the groups a person would draw. */
#include <config.h>

#include "hitop/sys/source.h"

#include "tests/support/test_main.h"

#include <stdio.h>

enum { MAX_RANKS = 64 };

/* Group the hosts of a list separated by blanks, one rank each. */
static struct hitop_hierarchy *group(const char *list, const struct hitop_grouping *how)
{
    struct hitop_place place[MAX_RANKS];
    struct hitop_hierarchy *h = NULL;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    char *copy = strdup(list), *rest = NULL;
    int n = 0;

    for (char *word = strtok_r(copy, " \n", &rest); word; word = strtok_r(NULL, " \n", &rest)) {
        ck_assert_int_lt(n, MAX_RANKS);
        place[n++] = (struct hitop_place)HITOP_PLACE_INIT(word);
    }
    ck_assert_msg(hitop_hierarchy_group(place, n, how, &h, &diag) == HITOP_OK, "%s", diag.message);
    free(copy);
    return h;
}

/* Groups as name{members}; ranks as [0,4] behind the name of the group they are in. */
static void print_named(FILE *to, const struct hitop_hierarchy *h, int node)
{
    int count;
    const int *child = hitop_hierarchy_children(h, node, &count);

    if (count == 0) {
        fprintf(to, "%d", node);
        return;
    }
    fprintf(to, "%s{", hitop_hierarchy_name(h, node));
    for (int i = 0; i < count; i++) {
        fputs(i > 0 ? "," : "", to);
        print_named(to, h, child[i]);
    }
    fputs("}", to);
}

/* Groups as (members), ranks as host names; groups of one and the outermost one are not shown. */
static void print_hosts(FILE *to, const struct hitop_hierarchy *h, int node)
{
    int count;
    const int *child = hitop_hierarchy_children(h, node, &count);
    const int shown = count > 1 && node != hitop_hierarchy_root(h);

    if (count == 0) {
        fputs(hitop_hierarchy_host(h, node), to);
        return;
    }
    fputs(shown ? "(" : "", to);
    for (int i = 0; i < count; i++) {
        fputs(i > 0 ? " " : "", to);
        print_hosts(to, h, child[i]);
    }
    fputs(shown ? ")" : "", to);
}

static char *print(void (*how)(FILE *, const struct hitop_hierarchy *, int),
                   const struct hitop_hierarchy *h)
{
    char *text = NULL;
    size_t length;
    FILE *to = open_memstream(&text, &length);

    how(to, h, hitop_hierarchy_root(h));
    ck_assert_int_eq(fclose(to), 0);
    return text;
}

static const char *const two_domains =
    "csi01.ucd.ie csi02.ucd.ie hcl01.ucd.ie hcl02.ucd.ie csi07.lyon.fr grid1.lyon.fr csi01.ucd.ie "
    "node5";

static const char *const csi0_hcl[] = {"csi0", "hcl"};

/* Each once as people see it and once with the groups of one member. */
static const struct {
    struct hitop_grouping how;
    const char *groups;
} named[] = {
    {{.prefix_length = 3},
     "{ucd.ie{csi{csi01.ucd.ie{0,6},csi02.ucd.ie{1}},hcl{hcl01.ucd.ie{2},hcl02.ucd.ie{3}}},"
     "lyon.fr{csi07.lyon.fr{4},grid1.lyon.fr{5}},node5{7}}"},
    {{.prefix_length = 3, .keep_chains = 1},
     "{ucd.ie{csi{csi01.ucd.ie{0,6},csi02.ucd.ie{1}},hcl{hcl01.ucd.ie{2},hcl02.ucd.ie{3}}},"
     "lyon.fr{csi{csi07.lyon.fr{4}},gri{grid1.lyon.fr{5}}},{nod{node5{7}}}}"},
    {{.prefix_length = 3, .ignore_domain = 1, .keep_chains = 1},
     "{csi{csi01.ucd.ie{0,6},csi02.ucd.ie{1},csi07.lyon.fr{4}},"
     "hcl{hcl01.ucd.ie{2},hcl02.ucd.ie{3}},gri{grid1.lyon.fr{5}},nod{node5{7}}}"},
    {{.prefixes = csi0_hcl, .nprefixes = 2, .prefix_length = 3, .keep_chains = 1},
     "{ucd.ie{csi0{csi01.ucd.ie{0,6},csi02.ucd.ie{1}},hcl{hcl01.ucd.ie{2},hcl02.ucd.ie{3}}},"
     "lyon.fr{csi0{csi07.lyon.fr{4}},gri{grid1.lyon.fr{5}}},{nod{node5{7}}}}"},
    {{.keep_chains = 1},
     "{ucd.ie{csi{csi01.ucd.ie{0,6},csi02.ucd.ie{1}},hcl{hcl01.ucd.ie{2},hcl02.ucd.ie{3}}},"
     "lyon.fr{csi{csi07.lyon.fr{4}},grid{grid1.lyon.fr{5}}},{node{node5{7}}}}"},
};

START_TEST(groups_by_prefix_within_domains)
{
    struct hitop_hierarchy *h = group(two_domains, &named[_i].how);
    char *text = print(print_named, h);

    ck_assert_str_eq(text, named[_i].groups);
    free(text);
    hitop_hierarchy_free(h);
}
END_TEST

START_TEST(numbers_the_worked_example_as_documented)
{
    static const int parents[15] = {8,  9,  10, 11, 8,  9,  10,           11,
                                    12, 12, 13, 13, 14, 14, HITOP_NO_NODE};
    static const struct hitop_grouping how = {0};
    struct hitop_hierarchy *h =
        group("alpha01.site1.org alpha02.site1.org betas01.site2.org betas02.site2.org "
              "alpha01.site1.org alpha02.site1.org betas01.site2.org betas02.site2.org",
              &how);

    ck_assert_int_eq(hitop_hierarchy_nnodes(h), 15);
    for (int node = 0; node < 15; node++) {
        ck_assert_int_eq(hitop_hierarchy_parent(h, node), parents[node]);
    }
    ck_assert_str_eq(hitop_hierarchy_level(h, 14), "root");
    ck_assert_str_eq(hitop_hierarchy_level(h, 13), "domain");
    ck_assert_str_eq(hitop_hierarchy_name(h, 13), "site2.org");
    ck_assert_str_eq(hitop_hierarchy_level(h, 8), "host");
    ck_assert_str_eq(hitop_hierarchy_attr(h, 8, "source"), "host");
    ck_assert_str_eq(hitop_hierarchy_attr(h, 13, "confidence"), "0.8");
    hitop_hierarchy_free(h);
}
END_TEST

/* Read "hosts" and "groups" of each set in testdata/hierarchy/host-names.txt. */
START_TEST(groups_names_as_their_authors_meant_them)
{
    static const struct hitop_grouping how = {0};
    const char *dir = getenv("srcdir");
    char path[1024], set[64] = "", line[4096];
    struct hitop_hierarchy *h = NULL;
    FILE *file;
    int nsets = 0;

    (void)snprintf(path, sizeof(path), "%s/../testdata/hierarchy/host-names.txt", dir ? dir : ".");
    file = fopen(path, "r");
    ck_assert_ptr_nonnull(file);
    while (fgets(line, sizeof(line), file)) {
        line[strcspn(line, "\n")] = '\0';
        if (strncmp(line, "set ", 4) == 0) {
            (void)snprintf(set, sizeof(set), "%.60s", line + 4);
        } else if (strncmp(line, "hosts ", 6) == 0) {
            hitop_hierarchy_free(h);
            h = group(line + 6, &how);
        } else if (strncmp(line, "groups ", 7) == 0) {
            char *text = print(print_hosts, h);
            ck_assert_msg(strcmp(text, line + 7) == 0, "set %s: %s", set, text);
            free(text);
            nsets++;
        }
    }
    ck_assert_int_ge(nsets, 20);
    hitop_hierarchy_free(h);
    (void)fclose(file);
}
END_TEST

static const struct {
    const char *hosts, *groups;
} plain[] = {
    {"node1 node10 node12 node2", "node{0,1,2,3}"},
    {"a1", "{0}"},
    {"a1 a1", "a1{0,1}"},
    {"a1 a2 a1", "a{a1{0,2},a2{1}}"},
    {"login node1 node2", "{0,node{1,2}}"},
    {"cn01-rack1 cn01-rack2 cn02-rack1 cn02-rack2", "cn{rack1{0,2},rack2{1,3}}"},
    {"node1a node1b node2a node2b", "node{node1{0,1},node2{2,3}}"},
    {"vmss00000a vmss00000b vmss00001o", "vmss{0,1,2}"},
    {"1 2 3", "{0,1,2}"},
    {"-- .. .", "{{0,2},1}"},
    {"r1n1.a.x.org r1n2.a.x.org r2n1.a.x.org r1n1.b.x.org", "x.org{a.x.org{r1{0,1},2},3}"},
};

START_TEST(takes_names_as_they_come)
{
    static const struct hitop_grouping how = {0};
    struct hitop_hierarchy *h = group(plain[_i].hosts, &how);
    char *text = print(print_named, h);

    ck_assert_str_eq(text, plain[_i].groups);
    free(text);
    hitop_hierarchy_free(h);
}
END_TEST

/* A rank on one package, NUMA node and cache of a host without dies and groups. */
#define BOUND(host_name, of_package, of_numa, of_l3)                                               \
    {                                                                                              \
        .host = (host_name), .part = {(of_package), -1, -1, -1, -1, -1, (of_numa), (of_l3) }       \
    }

START_TEST(adds_levels_inside_a_host_only_where_ranks_are_bound)
{
    static const struct hitop_place place[] = {
        BOUND("a", 0, 0, 0),   BOUND("a", 0, 0, 1),   BOUND("a", 0, 1, 2), BOUND("a", 1, 2, -1),
        HITOP_PLACE_INIT("b"), HITOP_PLACE_INIT("b"), BOUND("c", 0, 0, 0), BOUND("c", 0, 0, 0),
    };
    static const struct hitop_grouping how = {0};
    struct hitop_hierarchy *h = NULL;
    char *text;

    ck_assert_int_eq(hitop_hierarchy_group(place, 8, &how, &h, NULL), HITOP_OK);
    text = print(print_named, h);
    ck_assert_str_eq(text, "{a{0{0{0,1},2},3},b{4,5},c{6,7}}");
    ck_assert_str_eq(hitop_hierarchy_level(h, hitop_hierarchy_parent(h, 0)), "numa");
    ck_assert_str_eq(hitop_hierarchy_level(h, hitop_hierarchy_parent(h, 2)), "package");
    ck_assert_str_eq(hitop_hierarchy_level(h, hitop_hierarchy_parent(h, 6)), "host");
    free(text);
    hitop_hierarchy_free(h);
}
END_TEST

START_TEST(refuses_facts_that_are_none)
{
    static const char *const empty[] = {""};
    static const struct hitop_place nowhere = HITOP_PLACE_INIT(""), here = HITOP_PLACE_INIT("a");
    static const struct hitop_grouping plainly = {0}, negative = {.prefix_length = -1},
                                       by_nothing = {.prefixes = empty, .nprefixes = 1};
    struct hitop_hierarchy *h = NULL;
    struct hitop_diag diag = HITOP_DIAG_INIT;

    ck_assert_int_eq(hitop_hierarchy_group(&here, 0, &plainly, &h, &diag), HITOP_ERR_INVALID);
    ck_assert_str_eq(diag.message, "no ranks to group");
    ck_assert_int_eq(hitop_hierarchy_group(&nowhere, 1, &plainly, &h, &diag), HITOP_ERR_INVALID);
    ck_assert_str_eq(diag.message, "rank 0 has no host name");
    ck_assert_int_eq(hitop_hierarchy_group(&here, 1, &negative, &h, &diag), HITOP_ERR_INVALID);
    ck_assert_str_eq(diag.message, "prefix length -1 is negative");
    ck_assert_int_eq(hitop_hierarchy_group(&here, 1, &by_nothing, &h, &diag), HITOP_ERR_INVALID);
    ck_assert_str_eq(diag.message, "an empty prefix matches every host");
    ck_assert_ptr_null(h);
}
END_TEST

START_TEST(groups_many_ranks)
{
    enum { RANKS = 100000 };
    static const struct hitop_grouping how = {0};
    struct hitop_place *place = calloc(RANKS, sizeof(*place));
    char(*host)[32] = calloc(RANKS, sizeof(*host));
    struct hitop_hierarchy *h = NULL;

    for (int rank = 0; rank < RANKS; rank++) { /* 25 racks of 40 hosts with 100 ranks */
        (void)snprintf(host[rank], sizeof(host[rank]), "r%02dn%02d", rank % 25, rank / 25 % 40);
        place[rank] = (struct hitop_place)HITOP_PLACE_INIT(host[rank]);
    }
    ck_assert_int_eq(hitop_hierarchy_group(place, RANKS, &how, &h, NULL), HITOP_OK);
    ck_assert_int_eq(hitop_hierarchy_nnodes(h), RANKS + 1000 + 25 + 1);
    ck_assert_str_eq(hitop_hierarchy_name(h, hitop_hierarchy_lca(h, 7, 32)), "r07");
    hitop_hierarchy_free(h);
    free(host);
    free(place);
}
END_TEST

START_TEST(lists_every_source_once)
{
    const struct hitop_source *const *all = hitop_sources();

    ck_assert_ptr_nonnull(all[0]);
    for (int i = 0; all[i]; i++) {
        ck_assert_str_ne(all[i]->name, "");
        ck_assert_str_ne(all[i]->summary, "");
        ck_assert(all[i]->classify != NULL);
        ck_assert_int_lt((int)all[i]->layer, HITOP_NLAYERS);
        for (int k = 0; k < i; k++) {
            ck_assert_str_ne(all[i]->name, all[k]->name);
        }
    }
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, groups_by_prefix_within_domains, 0,
                        (int)(sizeof(named) / sizeof(named[0])));
    tcase_add_test(tc, numbers_the_worked_example_as_documented);
    tcase_add_test(tc, groups_names_as_their_authors_meant_them);
    tcase_add_loop_test(tc, takes_names_as_they_come, 0, (int)(sizeof(plain) / sizeof(plain[0])));
    tcase_add_test(tc, adds_levels_inside_a_host_only_where_ranks_are_bound);
    tcase_add_test(tc, refuses_facts_that_are_none);
    tcase_add_test(tc, groups_many_ranks);
    tcase_add_test(tc, lists_every_source_once);
}

TEST_MAIN("source", add_tests)
