/* SPDX-License-Identifier: BSD-3-Clause */
/* check_slurm_address.c - groups by the addresses that SLURM gives to tasks. */
#include <config.h>

#include "hitop/sys/source.h"

#include "tests/support/print_tree.h"
#include "tests/support/test_main.h"

#include <string.h>

enum { HOSTS = 6, MAX_FACT = 512 };

/* What hosts say, "" being nothing, the tree that follows, and the warning, if any. */
static const struct {
    struct {
        const char *host, *fact;
    } said[HOSTS];
    const char *tree, *warning;
} jobs[] = {
    /* levels are numbered from the hosts */
    {{{"node11", "switch.switch.switch.node top.cell1.leaf7.node11"},
      {"node12", "switch.switch.switch.node top.cell1.leaf7.node12"},
      {"node13", "switch.switch.switch.node top.cell1.leaf8.node13"},
      {"node14", "switch.switch.switch.node top.cell1.leaf8.node14"},
      {"node21", "switch.switch.switch.node top.cell2.leaf1.node21"},
      {"node22", "switch.switch.switch.node top.cell2.leaf1.node22"}},
     "switch3:top(switch2:cell1(switch:leaf7(0 1) switch:leaf8(2 3)) switch:leaf1(4 5))",
     ""},
    /* several switches of a stage, and a dot in the names of nodes */
    {{{"a.b.org", "switch.switch.node spine[1-4].leaf[1-2].a.b.org"},
      {"c.b.org", "switch.switch.node spine[1-4].leaf[3-4].c.b.org"},
      {"d", "switch.switch.node spine[1-4].leaf[3-4].d.b.org"},
      {"e", "switch.switch.node spine[1-4].leaf[1-2].e.b.org"},
      {"f", "switch.switch.node spine[5-8].x[1,3.5].f.b.org"},
      {"g", "switch.switch.node spine[5-8].x[1,3.5].g.b.org"}},
     "root:(switch2:spine[1-4](switch:leaf[1-2](0 3) switch:leaf[3-4](1 2)) "
     "switch:x[1,3.5](4 5))",
     ""},
    /* blocks; hosts that are in none go by their names */
    {{{"gb1", "block.node b1.gb1"},
      {"gb2", "block.node b1.gb2"},
      {"gb3", "block.node b2.gb3"},
      {"gb4", "block.node b2.gb4"},
      {"login1", "block.node .login1"},
      {"login2", "block.node .login2"}},
     "root:(block:b1(0 1) block:b2(2 3) cluster:login(4 5))",
     ""},
    /* hosts without an address are grouped by their names */
    {{{"a1", "switch.node s1.a1"},
      {"a2", "switch.node s1.a2"},
      {"a3", ""},
      {"a4", ""},
      {"b5", "switch.node s2.b5"},
      {"b6", "switch.node s2.b6"}},
     "root:(switch:s1(0 1) cluster:a(2 3) switch:s2(4 5))",
     ""},
    /* a launcher that carried the environment of the first host to all others */
    {{{"n1", "switch.node s1.n1"},
      {"n2", "switch.node s1.n1"},
      {"n3", "switch.node s1.n1"},
      {"n4", "switch.node s1.n1"},
      {"n5", "switch.node s1.n1"},
      {"n6", "switch.node s1.n1"}},
     "root:(0 cluster:n(1 2 3 4 5))",
     "host 'n2' has the SLURM_TOPOLOGY_ADDR of 'n1', which is ignored; start the tool by srun"},
    /* one carried address is noticed where the host whose it is has none */
    {{{"n1", ""},
      {"n2", "switch.node s1.n1"},
      {"n3", "switch.node s1.n3"},
      {"n4", "switch.node s1.n4"},
      {"n5", "switch.node s2.n5"},
      {"n6", "switch.node s2.n6"}},
     "root:(cluster:n(0 1) switch:s1(2 3) switch:s2(4 5))",
     "host 'n2' has the SLURM_TOPOLOGY_ADDR of 'n1', which is ignored; start the tool by srun"},
    /* hosts with names of their own are nodes if no two of them are the same one */
    {{{"ip-1", "switch.node s1.dy-1"},
      {"ip-2", "switch.node s1.dy-2"},
      {"ip-3", "switch.node s2.dy-3"},
      {"ip-4", "switch.node s2.dy-4"},
      {"ip-5", "switch.node s2.login"},
      {"ip-6", "switch.node s2.login"}},
     "root:(switch:s1(0 1) switch:s2(2 3) cluster:ip(4 5))",
     "host 'ip-5' has the SLURM_TOPOLOGY_ADDR of 'login', which is ignored; start the tool by "
     "srun"},
    /* names of switches with dots, as topograph gives them: each begins with the same word */
    {{{"n1", "switch.switch.switch.node switch.3.1.switch.2.1.switch.1.[1-2].n1 n1"},
      {"n2", "switch.switch.switch.node switch.3.1.switch.2.1.switch.1.[1-2].n2 n2"},
      {"n3", "switch.switch.switch.node switch.3.1.switch.2.1.switch.1.3.n3"},
      {"n4", "switch.switch.switch.node switch.3.1.switch.2.1.switch.1.3.n4"},
      {"n5.x.org", "switch.switch.switch.node switch.3.1.switch.2.2.switch.1.4.n5.x.org"},
      {"n6", "switch.switch.switch.node switch.3.1.switch.2.2.switch.1.4.n6.x.org"}},
     "switch3:switch.3.1(switch2:switch.2.1(switch:switch.1.[1-2](0 1) switch:switch.1.3(2 3)) "
     "switch:switch.1.4(4 5))",
     ""},
    /* a stage that hosts lack; SLURM's name of a node that calls itself otherwise */
    {{{"n1", "switch.switch.node .sw.1.1.n1"},
      {"n2", "switch.switch.node .sw.1.1.n2"},
      {"n3", "switch.switch.node sw.2.1.sw.1.2.n3"},
      {"n4", "switch.switch.node sw.2.1.sw.1.2.n4"},
      {"ip-5", "switch.switch.node sw.2.1.sw.1.3.dy.5 dy.5"},
      {"ip-6", "switch.switch.node sw.2.1.sw.1.3.dy.6 dy.6"}},
     "root:(switch:sw.1.1(0 1) switch2:sw.2.1(switch:sw.1.2(2 3) switch:sw.1.3(4 5)))",
     ""},
    /* blocks with dots, one stage of them */
    {{{"n1", "block.node b.1.n1"},
      {"n2", "block.node b.1.n2"},
      {"n3", "block.node b.2.n3"},
      {"n4", "block.node b.2.n4"},
      {"n5", "block.node b.3.n5"},
      {"n6", "block.node b.3.n6"}},
     "root:(block:b.1(0 1) block:b.2(2 3) block:b.3(4 5))",
     ""},
    /* where names end is unclear */
    {{{"n1", "switch.switch.node top.1.leaf.1.n1"},
      {"n2", "switch.switch.node top.1.leaf.1.n2"},
      {"n3", "switch.switch.node top.1.leaf.2.n3"},
      {"n4", "switch.switch.node top.1.leaf.2.n4"},
      {"n5", "switch.switch.node top.2.leaf.3.n5"},
      {"n6", "switch.switch.node top.2.leaf.3.n6"}},
     "root:(switch:top.1.leaf.1(0 1) switch:top.1.leaf.2(2 3) switch:top.2.leaf.3(4 5))",
     "host 'n1': names of switches have dots in SLURM_TOPOLOGY_ADDR, so that only hosts with all "
     "switches in common are grouped: switch.switch.node top.1.leaf.1.n1; --slurm-topology FILE "
     "adds the outer switches"},
    /* what fits no pattern, or may be a switch or a node with dots */
    {{{"a1", "switch.switch.node s1.s2.dy.1"},
      {"a2", "switch.switch.node s1.s2.dy.2"},
      {"b1", "switch.node s1.b1"},
      {"b2", "switch.node s1.b2"},
      {"b3", "switch.node s2.b3"},
      {"b4", "switch.node s2.b4"}},
     "root:(cluster:a(0 1) switch:s1(2 3) switch:s2(4 5))",
     "host 'a1' has a SLURM_TOPOLOGY_ADDR unlike its pattern: switch.switch.node s1.s2.dy.1"},
    /* what fits no pattern */
    {{{"n1", "switch.switch.node s1.n1"},
      {"n2", "switch.node s1."},
      {"n3", "switch..node s1.s2.n3"},
      {"n4", "switch.node"},
      {"n5", "switch.node s]1.n5"},
      {"n6", "switch.node s1[.n6"}},
     "cluster:n(0 1 2 3 4 5)",
     "host 'n1' has a SLURM_TOPOLOGY_ADDR unlike its pattern: switch.switch.node s1.n1"},
};

static void keep_first_warning(void *data, const char *message)
{
    char *warning = data;

    if (!warning[0]) {
        (void)snprintf(warning, 256, "%s", message);
    }
}

START_TEST(groups_hosts_by_their_addresses)
{
    char warning[256] = "";
    const struct hitop_grouping how = {.warn = keep_first_warning, .warn_data = warning};
    struct hitop_place place[HOSTS];
    struct hitop_fact fact[HOSTS];

    for (int i = 0; i < HOSTS; i++) {
        place[i] = (struct hitop_place)HITOP_PLACE_INIT(jobs[_i].said[i].host);
        fact[i] = (struct hitop_fact){"slurm_address", jobs[_i].said[i].fact};
        place[i].fact = &fact[i];
        place[i].nfacts = fact[i].text[0] != '\0';
    }
    expect_tree(place, HOSTS, &how, jobs[_i].tree);
    ck_assert_str_eq(warning, jobs[_i].warning);
}
END_TEST

/* What a host says in some environment. */
static const struct {
    const char *pattern, *address, *node, *fact;
} environments[] = {
    {"switch.switch.node", "top.leaf7.node386", NULL, "switch.switch.node top.leaf7.node386"},
    {"switch.node", "leaf.7.n.386", "n.386", "switch.node leaf.7.n.386 n.386"},
    {"switch.node", "leaf7.n386", "n 386", "switch.node leaf7.n386"},
    {"node", "node386", NULL, ""}, /* a flat network */
    {NULL, "top.leaf7.node386", NULL, ""},
    {"switch.node", NULL, NULL, ""},
    {"switch node.x", "leaf7.node386", NULL, ""},
    {"switch.node", "leaf 7.node386", NULL, ""},
};

static void set(const char *name, const char *value)
{
    if (value) {
        ck_assert_int_eq(setenv(name, value, 1), 0);
    } else {
        ck_assert_int_eq(unsetenv(name), 0);
    }
}

static const struct hitop_source *find_source(void)
{
    const struct hitop_source *const *s = hitop_sources();

    while (*s && strcmp((*s)->name, "slurm_address") != 0) {
        s++;
    }
    ck_assert_ptr_nonnull(*s);
    return *s;
}

START_TEST(collects_the_environment)
{
    char text[MAX_FACT] = "something else";

    set("SLURM_TOPOLOGY_ADDR_PATTERN", environments[_i].pattern);
    set("SLURM_TOPOLOGY_ADDR", environments[_i].address);
    set("SLURMD_NODENAME", environments[_i].node);
    find_source()->collect(text, sizeof(text));
    ck_assert_str_eq(text, environments[_i].fact);
}
END_TEST

/* Half an address would put a host elsewhere. */
START_TEST(collects_nothing_that_does_not_fit)
{
    static const char whole[] = "switch.node leaf7.node386";
    char text[sizeof(whole)];

    set("SLURM_TOPOLOGY_ADDR_PATTERN", "switch.node");
    set("SLURM_TOPOLOGY_ADDR", "leaf7.node386");
    set("SLURMD_NODENAME", NULL);
    find_source()->collect(text, sizeof(text));
    ck_assert_str_eq(text, whole);
    find_source()->collect(text, sizeof(text) - 1);
    ck_assert_str_eq(text, "");
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, groups_hosts_by_their_addresses, 0,
                        (int)(sizeof(jobs) / sizeof(jobs[0])));
    tcase_add_loop_test(tc, collects_the_environment, 0,
                        (int)(sizeof(environments) / sizeof(environments[0])));
    tcase_add_test(tc, collects_nothing_that_does_not_fit);
}

TEST_MAIN("slurm address", add_tests)
