/* SPDX-License-Identifier: BSD-3-Clause */
/* check_xname.c - nodes of a Cray are grouped by where they say they stand. */
#include <config.h>

#include "hierarchy/sources/xname.h"

#include "tests/support/test_main.h"

#include <stdio.h>
#include <unistd.h>

static const struct {
    const char *text, *cabinet, *chassis, *blade;
} nodes[] = {
    {"x1000c0s0b0n0", "x1000", "x1000c0", "x1000c0s0"},
    {"x3000c0s17b2n1", "x3000", "x3000c0", "x3000c0s17"},
    {"X1203C7S4B1N0h1", "x1203", "x1203c7", "x1203c7s4"},
    {"c0-0c0s0n0", "c0-0", "c0-0c0", "c0-0c0s0"},
    {"c11-3c2s15n3", "c11-3", "c11-3c2", "c11-3c2s15"},
};

START_TEST(reads_the_places_of_nodes)
{
    const char *const expected[XNAME_LEVELS] = {nodes[_i].cabinet, nodes[_i].chassis,
                                                nodes[_i].blade};
    struct xname at;

    ck_assert_int_eq(hitop_xname_parse(nodes[_i].text, &at), 1);
    for (int level = 0; level < XNAME_LEVELS; level++) {
        ck_assert_uint_eq(at.length[level], strlen(expected[level]));
        ck_assert_int_eq(strncmp(at.text, expected[level], at.length[level]), 0);
    }
}
END_TEST

START_TEST(knows_one_node_by_its_interfaces)
{
    struct xname node, interface;

    ck_assert_int_eq(hitop_xname_parse("x1000c0s0b0n0", &node), 1);
    ck_assert_int_eq(hitop_xname_parse("x1000c0s0b0n0h3", &interface), 1);
    ck_assert_str_eq(node.text, interface.text);
}
END_TEST

START_TEST(refuses_what_is_no_node)
{
    static const char *const others[] = {"",
                                         "x1000",
                                         "x1000c0s0b0",
                                         "x1000c0s0b0n",
                                         "x1000c0s0b0n0h",
                                         "x1000c0s0b0n0x",
                                         "nid001000",
                                         "c0c0s0n0",
                                         "c0-0c0s0n0h0",
                                         "x123456789c0s0b0n0",
                                         " x1000c0s0b0n0"};
    struct xname at;

    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        ck_assert_msg(!hitop_xname_parse(others[i], &at), "%s", others[i]);
        ck_assert_str_eq(at.text, "");
    }
}
END_TEST

START_TEST(reads_the_first_file_there_is)
{
    char path[] = "/tmp/check_xname.XXXXXX";
    const char *const files[] = {"/no/such/file", "/dev/null", path, NULL};
    const char *const none[] = {"/no/such/file", NULL};
    char text[64];
    const int fd = mkstemp(path);

    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(write(fd, "c0-0c1s2n3\nmore\n", 16), 16);
    (void)close(fd);
    hitop_xname_read(files, text, sizeof(text));
    (void)unlink(path);
    ck_assert_str_eq(text, "c0-0c1s2n3");
    hitop_xname_read(none, text, sizeof(text));
    ck_assert_str_eq(text, "");
}
END_TEST

enum { MAX_HOSTS = 16 };

static void keep_warning(void *data, const char *message)
{
    (void)snprintf(data, 256, "%s", message);
}

/* "level name" of the groups a rank is in, from the innermost one. */
static void list_groups(const struct hitop_hierarchy *h, int rank, char *out, size_t size)
{
    FILE *to = fmemopen(out, size, "w");

    for (int g = hitop_hierarchy_parent(h, rank); g != HITOP_NO_NODE;
         g = hitop_hierarchy_parent(h, g)) {
        fprintf(to, "%s %s; ", hitop_hierarchy_level(h, g), hitop_hierarchy_name(h, g));
    }
    ck_assert_int_eq(fclose(to), 0);
}

/* Hosts say where they are; a host without a place is grouped by its name. */
static struct hitop_hierarchy *group(const char *const *xname, int n, char *warning)
{
    const struct hitop_grouping how = {.warn = keep_warning, .warn_data = warning};
    struct hitop_place place[MAX_HOSTS];
    struct hitop_fact fact[MAX_HOSTS];
    static char host[MAX_HOSTS][16];
    struct hitop_hierarchy *h = NULL;
    struct hitop_diag diag = HITOP_DIAG_INIT;

    for (int i = 0; i < n; i++) {
        (void)snprintf(host[i], sizeof(host[i]), "nid%06d", 1000 + i);
        place[i] = (struct hitop_place)HITOP_PLACE_INIT(host[i]);
        fact[i] = (struct hitop_fact){"xname", xname[i]};
        place[i].fact = &fact[i];
        place[i].nfacts = xname[i][0] != '\0';
    }
    ck_assert_msg(hitop_hierarchy_group(place, n, &how, &h, &diag) == HITOP_OK, "%s", diag.message);
    return h;
}

START_TEST(groups_hosts_by_what_they_say)
{
    static const char *const xname[] = {"x1000c0s0b0n0", "x1000c0s0b0n1", "x1000c0s1b0n0",
                                        "x1000c1s0b0n0", "x1000c1s2b0n0", "x3000c0s1b1n0",
                                        "x3000c0s3b1n0", "X3000C0S3B2N0"};
    static const char *const groups[] = {
        "blade x1000c0s0; chassis x1000c0; cabinet x1000; root ; ",
        "blade x1000c0s0; chassis x1000c0; cabinet x1000; root ; ",
        "chassis x1000c0; cabinet x1000; root ; ",
        "chassis x1000c1; cabinet x1000; root ; ",
        "chassis x1000c1; cabinet x1000; root ; ",
        "chassis x3000c0; root ; ",
        "blade x3000c0s3; chassis x3000c0; root ; ",
        "blade x3000c0s3; chassis x3000c0; root ; ",
    };
    char warning[256] = "", text[256];
    struct hitop_hierarchy *h = group(xname, 8, warning);

    for (int rank = 0; rank < 8; rank++) {
        list_groups(h, rank, text, sizeof(text));
        ck_assert_str_eq(text, groups[rank]);
    }
    ck_assert_str_eq(hitop_hierarchy_attr(h, hitop_hierarchy_parent(h, 0), "source"), "xname");
    ck_assert_str_eq(hitop_hierarchy_attr(h, hitop_hierarchy_parent(h, 0), "confidence"), "0.9");
    ck_assert_str_eq(warning, "");
    hitop_hierarchy_free(h);
}
END_TEST

START_TEST(leaves_hosts_that_say_something_else)
{
    static const char *const xname[] = {"c0-0c0s0n0", "c0-0c0s1n0", "rack 7", ""};
    char warning[256] = "", text[256];
    struct hitop_hierarchy *h = group(xname, 4, warning);

    list_groups(h, 1, text, sizeof(text));
    ck_assert_str_eq(text, "chassis c0-0c0; root ; ");
    list_groups(h, 3, text, sizeof(text));
    ck_assert_ptr_null(strstr(text, "c0-0"));
    ck_assert_str_eq(warning,
                     "host 'nid001002' says that it is 'rack 7', which is no xname of a node");
    hitop_hierarchy_free(h);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, reads_the_places_of_nodes, 0, (int)(sizeof(nodes) / sizeof(nodes[0])));
    tcase_add_test(tc, knows_one_node_by_its_interfaces);
    tcase_add_test(tc, refuses_what_is_no_node);
    tcase_add_test(tc, reads_the_first_file_there_is);
    tcase_add_test(tc, groups_hosts_by_what_they_say);
    tcase_add_test(tc, leaves_hosts_that_say_something_else);
}

TEST_MAIN("xname", add_tests)
