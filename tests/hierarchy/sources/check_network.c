/* SPDX-License-Identifier: BSD-3-Clause */
/* check_network.c - what files say about switches becomes groups of hosts, or is refused. */
#include <config.h>

#include "hierarchy/sources/network.h"

#include "tests/support/test_main.h"

#include <stdio.h>

enum { MAX_HOSTS = 64, MAX_STATEMENTS = 16 };

/*
 * What a file might say in one line: "a < b,c" is switch a with switches b and c below it, "a : n1"
 * one with hosts; "a ^ b" and "a + n1" add to a switch that was described elsewhere.
 */
struct network_case {
    const char *hosts; /* of the job, separated by blanks */
    int many_parents, many_rails, must_be_described;
    const char *said[MAX_STATEMENTS];
    const char *outcome; /* groups, or message */
};

static const struct network_case *current;
static char warning[512];

static void keep_warning(void *data, const char *message)
{
    (void)data;
    (void)snprintf(warning, sizeof(warning), "%s", message);
}

static enum hitop_status classify(const struct hitop_source_input *in, struct hitop_paths *paths,
                                  struct hitop_diag *diag)
{
    const struct network_rules rules = {.file = "f",
                                        .level = "switch",
                                        .what = "switch",
                                        .many_parents = current->many_parents,
                                        .many_rails = current->many_rails,
                                        .must_be_described = current->must_be_described};
    struct network network = {.in = in, .rules = &rules}, *net = &network;
    enum hitop_status status;

    for (int i = 0; i < MAX_STATEMENTS && current->said[i]; i++) {
        char name[64], verb, list[256];
        int node;

        ck_assert_int_eq(sscanf(current->said[i], "%63s %c %255s", name, &verb, list), 3);
        node = hitop_network_switch(net, NULL, name, i + 1);
        if (verb == '<' || verb == ':') {
            hitop_network_describe(net, node, i + 1);
        }
        if (verb == '<' || verb == '^') {
            hitop_network_link_list(net, list, node, i + 1);
        } else {
            hitop_network_attach_list(net, list, node, i + 1);
        }
    }
    status = hitop_network_push(net, paths, 1, diag);
    hitop_network_clear(net);
    return status;
}

static const struct hitop_source source = {.name = "test",
                                           .summary = "a file",
                                           .layer = HITOP_LAYER_NETWORK,
                                           .trust = 1,
                                           .option = "test",
                                           .classify = classify};
static const struct hitop_source *const more[] = {&source, NULL};
static const char *const only[] = {"test"};
static const struct hitop_source_file named[] = {{"test", "f"}}; /* so that it must be good */
static const struct hitop_grouping how = {.files = named,
                                          .nfiles = 1,
                                          .more = more,
                                          .only = only,
                                          .nonly = 1,
                                          .keep_chains = 1,
                                          .warn = keep_warning};

/* Groups as level:name{members}, hosts by name. */
static void print(FILE *to, const struct hitop_hierarchy *h, int node)
{
    int count;
    const int *child = hitop_hierarchy_children(h, node, &count);

    if (strcmp(hitop_hierarchy_level(h, node), "host") == 0) {
        fputs(hitop_hierarchy_name(h, node), to);
        return;
    }
    if (hitop_hierarchy_parent(h, node) != HITOP_NO_NODE) {
        fprintf(to, "%s:%s", hitop_hierarchy_level(h, node), hitop_hierarchy_name(h, node));
    }
    fputs("{", to);
    for (int i = 0; i < count; i++) {
        fputs(i > 0 ? " " : "", to);
        print(to, h, child[i]);
    }
    fputs("}", to);
}

static void check(const struct network_case *c, enum hitop_status wanted)
{
    struct hitop_place place[MAX_HOSTS];
    struct hitop_hierarchy *h = NULL;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    char *copy = strdup(c->hosts), *rest = NULL, *text = NULL;
    size_t length;
    int n = 0;

    current = c;
    for (char *word = strtok_r(copy, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        place[n++] = (struct hitop_place)HITOP_PLACE_INIT(word);
    }
    warning[0] = '\0';
    ck_assert_msg(hitop_hierarchy_group(place, n, &how, &h, &diag) == wanted, "%s", diag.message);
    if (wanted == HITOP_OK) {
        FILE *to = open_memstream(&text, &length);
        print(to, h, hitop_hierarchy_root(h));
        ck_assert_int_eq(fclose(to), 0);
        ck_assert_str_eq(text, c->outcome);
    } else {
        ck_assert_str_eq(diag.message, c->outcome);
    }
    free(text);
    hitop_hierarchy_free(h);
    free(copy);
}

static const struct network_case good[] = {
    /* one switch, and a host that no switch has */
    {"n1 n2 x", 0, 0, 1, {"s : n[1-3]"}, "{switch:s{n1 n2} x}"},
    /* a tree, described from the top */
    {"n1 n2 n3 n4",
     0,
     0,
     1,
     {"top < a,b", "a : n[1-2]", "b : n[3-4]"},
     "{switch2:top{switch:a{n1 n2} switch:b{n3 n4}}}"},
    /* short names, case, a host at an inner switch, leaves at unlike depths */
    {"N1.x.org n2 n3 n4",
     0,
     0,
     1,
     {"b : n3", "m < a", "a : n1,n2", "top < m,b", "m + n4"},
     "{switch3:top{switch2:m{switch:a{N1.x.org n2} n4} switch:b{n3}}}"},
    /* inner switches repeat the hosts below them */
    {"n1 n2",
     0,
     0,
     1,
     {"a : n1", "b : n2", "top + n[1-2]", "top < a,b", "top ^ a"},
     "{switch2:top{switch:a{n1} switch:b{n2}}}"},
    /* two trees */
    {"n1 n2", 0, 0, 1, {"a : n1", "b : n2"}, "{switch:a{n1} switch:b{n2}}"},
    /* a fat tree: leaves that share all their spines share a group */
    {"n1 n2 n3 n4",
     1,
     0,
     0,
     {"p1 < a,b", "p2 < a,b", "q1 < c,d", "q2 < c,d", "core < p[1-2],q[1-2]", "a : n1", "b : n2",
      "c : n3", "d : n4"},
     "{switch3:core{switch2:p[1-2]{switch:a{n1} switch:b{n2}} "
     "switch2:q[1-2]{switch:c{n3} switch:d{n4}}}}"},
    /* rails: hosts with the same leaf switches share a group */
    {"n1 n2 n3 n4",
     0,
     1,
     1,
     {"a1 : n[1-2]", "a2 : n[1-2]", "b1 : n[3-4]", "b2 : n[3-4]", "top < a[1-2],b[1-2]"},
     "{switch2:top{switch:a[1-2]{n1 n2} switch:b[1-2]{n3 n4}}}"},
};

START_TEST(groups_hosts_by_switches)
{
    check(&good[_i], HITOP_OK);
    ck_assert_str_eq(warning,
                     _i == 0 ? "f: 1 of 3 hosts have no place in it, the first is 'x'" : "");
}
END_TEST

static const struct network_case bad[] = {
    {"n1", 0, 0, 0, {"a < a"}, "f:1: switch 'a' is below itself, by way of 'a'"},
    {"n1",
     1,
     0,
     0,
     {"a : n1", "d < a,c", "b < a,d", "c < b", "e < c"},
     "f:4: switch 'c' is below itself, by way of 'b'"},
    {"n1",
     0,
     0,
     0,
     {"a : n1", "x < a", "y < a"},
     "f:3: switch 'a' is below 'y' here and below 'x' in line 2"},
    {"n1 n2",
     0,
     0,
     0,
     {"a : n[1-2]", "b : n2,n1"},
     "f:2: host 'n1' is attached to 'b' here and to 'a' in line 1"},
    {"n1", 0, 0, 1, {"a : n1", "top < a,b"}, "f:2: switch 'b' is described nowhere"},
    {"n1",
     0,
     0,
     1,
     {"a : n1", "a : n2"},
     "f:2: switch 'a' is described a second time, after line 1"},
    {"n1", 0, 0, 0, {"a : n[1"}, "f:1: host 'n[1': '[' without ']'"},
    {"n1",
     0,
     0,
     0,
     {"a < s[2-1]"},
     "f:1: switch 's[2-1]': brackets hold numbers and ranges, such as [08-10,12]"},
    {"n1", 0, 0, 0, {"a : n[1-2000000]"}, "f:1: host 'n[1-2000000]': more than 1000000 names"},
};

START_TEST(names_the_line_that_cannot_be)
{
    check(&bad[_i], HITOP_ERR_FORMAT);
}
END_TEST

START_TEST(warns_of_a_host_with_rails_among_hosts_without)
{
    static const struct network_case slip = {
        "n1 n2 n3 n4 n5",
        0,
        1,
        1,
        {"a : n[1-2]", "b : n[2-5]", "top < a,b"},
        "{switch2:top{switch:a{n1} switch:a,b{n2} switch:b{n3 n4 n5}}}"};

    check(&slip, HITOP_OK);
    ck_assert_str_eq(warning, "f:2: host 'n2' is attached to 'b' here and to 'a' in line 1");
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, groups_hosts_by_switches, 0, (int)(sizeof(good) / sizeof(good[0])));
    tcase_add_loop_test(tc, names_the_line_that_cannot_be, 0, (int)(sizeof(bad) / sizeof(bad[0])));
    tcase_add_test(tc, warns_of_a_host_with_rails_among_hosts_without);
}

TEST_MAIN("network", add_tests)
