/* SPDX-License-Identifier: BSD-3-Clause */
/* check_host_groups.c - the groups above hosts come out of a hierarchy and go back changed. */
#include <config.h>

#include "models/discover/discovery.h"

#include "hitop/dot.h"

#include "tests/support/print_tree.h"
#include "tests/support/test_main.h"

#include <string.h>

/* Two clusters of two hosts; alpha1 has two packages, the others are leaf sets. */
static const char four_hosts[] =
    "digraph mine {\n"
    "  color=red;\n"
    "  top [type=1, level=root];\n"
    "  3 [type=1, level=cluster, name=alpha, confidence=0.6, source=names, note=\"do not "
    "touch\"];\n"
    "  4 [type=1, level=cluster, name=beta, confidence=1, source=csv];\n"
    "  5 [type=1, level=host, name=alpha1];\n"
    "  6 [type=1, level=package, name=0];\n"
    "  7 [type=1, level=package, name=1];\n"
    "  8 [type=1, level=host, name=alpha2];\n"
    "  9 [type=1, level=host, name=beta1];\n"
    "  10 [type=1, level=host, name=beta2];\n"
    "  a [type=0, model_data=alpha1, rank=\"0-1\"]; b [type=0, model_data=alpha1, rank=\"2-3\"];\n"
    "  c [type=0, model_data=alpha2, rank=\"4-7\"]; d [type=0, model_data=beta1, rank=\"8-11\"];\n"
    "  e [type=0, model_data=beta2, rank=\"12-15\", weight=7];\n"
    "  a->6; b->7; 6->5; 7->5; c->8; d->9; e->10 [style=dashed];\n"
    "  5->3; 8->3; 9->4; 10->4; 3->top; 4->top;\n"
    "}\n";

static struct hitop_hierarchy *read_text(const char *text)
{
    struct hitop_hierarchy *h = NULL;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    const enum hitop_status status = hitop_dot_parse("text", text, strlen(text), NULL, &h, &diag);

    ck_assert_msg(status == HITOP_OK, "%s", diag.message);
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

static struct hitop_host_groups groups_of(const struct hitop_hierarchy *h)
{
    struct hitop_host_groups g;

    ck_assert_int_eq(hitop_host_groups_of(h, &g, NULL), HITOP_OK);
    return g;
}

static struct hitop_hierarchy *apply(const struct hitop_hierarchy *h,
                                     const struct hitop_host_groups *g)
{
    struct hitop_hierarchy *out = NULL;
    struct hitop_diag diag = HITOP_DIAG_INIT;

    ck_assert_msg(hitop_host_groups_apply(h, g, &out, &diag) == HITOP_OK, "%s", diag.message);
    return out;
}

/* Groups of the hosts alpha1, alpha2, beta1, beta2. */
static struct hitop_hierarchy *regroup(const struct hitop_hierarchy *h, int ngroups,
                                       struct hitop_host_group *group, const int *innermost)
{
    int copy[4];
    const struct hitop_host_groups g = {
        .nhosts = 4, .ngroups = ngroups, .group = group, .innermost = copy, .npairs = 5};

    memcpy(copy, innermost, sizeof(copy));
    return apply(h, &g);
}

START_TEST(takes_groups_out)
{
    struct hitop_hierarchy *h = read_text(four_hosts);
    struct hitop_host_groups g = groups_of(h);

    ck_assert_int_eq(g.nhosts, 4);
    ck_assert_int_eq(g.ngroups, 3);
    ck_assert_int_eq(g.group[0].parent, -1);
    ck_assert_int_eq(g.group[1].parent, 0);
    ck_assert_int_eq(g.group[2].parent, 0);
    ck_assert_int_eq(g.innermost[0], g.innermost[1]);
    ck_assert_int_eq(g.innermost[2], g.innermost[3]);
    ck_assert_int_ne(g.innermost[0], g.innermost[2]);
    ck_assert_int_eq(g.group[g.innermost[0]].is_fixed, 0);
    ck_assert_int_eq(g.group[g.innermost[2]].is_fixed, 1);
    hitop_host_groups_clear(&g);
    hitop_hierarchy_free(h);
}
END_TEST

/* One rank; one host; two; a group of one host; all that and more. */
static const char *const anything[] = {
    "digraph { 0 [type=0, model_data=a]; 1 [type=1]; 0->1; }",
    "digraph { 0 [type=0, model_data=a, rank=\"0-1\"]; 1 [type=1, level=host]; 0->1; }",
    "digraph { 0 [type=0, model_data=a]; 1 [type=0, model_data=b]; 2 [type=1]; 0->2; 1->2; }",
    "digraph { 0 [type=0, model_data=a]; 1 [type=0, model_data=b]; 2 [type=1, name=lonely];\n"
    "  3 [type=1]; 0->2; 1->3; 2->3; }",
    four_hosts};

START_TEST(puts_equal_groups_back_unchanged)
{
    struct hitop_hierarchy *h = read_text(anything[_i]), *same;
    struct hitop_host_groups g = groups_of(h);
    char *before = write_text(h), *after;

    same = apply(h, &g);
    after = write_text(same);
    ck_assert_str_eq(after, before);
    free(after);
    free(before);
    hitop_hierarchy_free(same);
    hitop_host_groups_clear(&g);
    hitop_hierarchy_free(h);
}
END_TEST

static void expect_printed(const struct hitop_hierarchy *h, const char *wanted)
{
    char *text = NULL;
    size_t length;
    FILE *to = open_memstream(&text, &length);

    print_tree(to, h, hitop_hierarchy_root(h));
    ck_assert_int_eq(fclose(to), 0);
    ck_assert_str_eq(text, wanted);
    free(text);
}

/* Groups inside others and groups joined; what holds the same hosts keeps its name. */
START_TEST(changes_groups_and_keeps_names_where_the_hosts_are_the_same)
{
    struct hitop_hierarchy *h = read_text(four_hosts), *changed;
    struct hitop_host_group all[] = {{.parent = -1, .seconds = 3.1e-6, .confidence = 0.954}};
    struct hitop_host_group others[] = {{.parent = -1}, {.parent = 0}, {.parent = 1}};

    changed = regroup(h, 1, all, (const int[]){0, 0, 0, 0});
    expect_printed(changed, "root:(host:alpha1(package:0(0 1) package:1(2 3)) host:alpha2(4 5 6 7)"
                            " host:beta1(8 9 10 11) host:beta2(12 13 14 15))");
    hitop_hierarchy_free(changed);
    changed = regroup(h, 3, others, (const int[]){0, 1, 2, 2});
    expect_printed(changed, "root:(host:alpha1(package:0(0 1) package:1(2 3)) group:("
                            "host:alpha2(4 5 6 7) cluster:beta(host:beta1(8 9 10 11)"
                            " host:beta2(12 13 14 15))))");
    hitop_hierarchy_free(changed);
    hitop_hierarchy_free(h);
}
END_TEST

START_TEST(says_what_was_measured_and_keeps_what_people_wrote)
{
    struct hitop_hierarchy *h = read_text(four_hosts), *measured;
    struct hitop_host_group group[] = {{.parent = -1, .seconds = 3.14159e-6, .confidence = 0.99},
                                       {.parent = 0, .seconds = 1.8e-6, .confidence = 0.954},
                                       {.parent = 0, .seconds = 1.7e-6, .is_fixed = 1}};
    int alpha, beta, top;

    measured = regroup(h, 3, group, (const int[]){1, 1, 2, 2});
    top = hitop_hierarchy_root(measured);
    alpha = hitop_hierarchy_children(measured, top, &(int){0})[0];
    beta = hitop_hierarchy_children(measured, top, &(int){0})[1];
    ck_assert_str_eq(hitop_hierarchy_attr(measured, top, "latency_us"), "3.142");
    ck_assert_str_eq(hitop_hierarchy_attr(measured, top, "measured_pairs"), "5");
    ck_assert_str_eq(hitop_hierarchy_name(measured, alpha), "alpha");
    ck_assert_str_eq(hitop_hierarchy_attr(measured, alpha, "latency_us"), "1.8");
    ck_assert_str_eq(hitop_hierarchy_attr(measured, alpha, "source"), "measured");
    ck_assert_str_eq(hitop_hierarchy_attr(measured, alpha, "confidence"), "0.95");
    ck_assert_str_eq(hitop_hierarchy_attr(measured, alpha, "note"), "do not touch");
    ck_assert_str_eq(hitop_hierarchy_attr(measured, beta, "latency_us"), "1.7");
    ck_assert_str_eq(hitop_hierarchy_attr(measured, beta, "source"), "csv");
    ck_assert_str_eq(hitop_hierarchy_attr(measured, beta, "confidence"), "1");
    hitop_hierarchy_free(measured);
    hitop_hierarchy_free(h);
}
END_TEST

START_TEST(refuses_groups_of_other_hosts)
{
    struct hitop_hierarchy *h = read_text(four_hosts), *out = h;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_host_groups g = groups_of(h);

    g.nhosts = 3;
    ck_assert_int_eq(hitop_host_groups_apply(h, &g, &out, &diag), HITOP_ERR_INVALID);
    ck_assert_str_eq(diag.message, "groups of 3 hosts for a hierarchy of 4");
    ck_assert_ptr_null(out);
    hitop_host_groups_clear(&g);
    hitop_hierarchy_free(h);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, takes_groups_out);
    tcase_add_loop_test(tc, puts_equal_groups_back_unchanged, 0,
                        (int)(sizeof(anything) / sizeof(anything[0])));
    tcase_add_test(tc, changes_groups_and_keeps_names_where_the_hosts_are_the_same);
    tcase_add_test(tc, says_what_was_measured_and_keeps_what_people_wrote);
    tcase_add_test(tc, refuses_groups_of_other_hosts);
}

TEST_MAIN("host_groups", add_tests)
