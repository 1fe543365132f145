/* SPDX-License-Identifier: BSD-3-Clause */
/* check_edit.c - differences between two hierarchies are reported, and several are merged. */
#include <config.h>

#include "hitop/dot.h"
#include "hitop/edit.h"

#include "tests/support/print_tree.h"
#include "tests/support/test_main.h"

#include <stdio.h>

static struct hitop_hierarchy *parse(const char *text)
{
    struct hitop_hierarchy *h = NULL;
    struct hitop_diag diag = HITOP_DIAG_INIT;

    ck_assert_msg(hitop_dot_parse("text", text, strlen(text), NULL, &h, &diag) == HITOP_OK, "%s",
                  diag.message);
    return h;
}

static char *write_text(const struct hitop_hierarchy *h)
{
    char *text = NULL;
    size_t length = 0;
    FILE *to = open_memstream(&text, &length);

    ck_assert_int_eq(hitop_dot_write(h, NULL, to, NULL), HITOP_OK);
    ck_assert_int_eq(fclose(to), 0);
    return text;
}

static void print_line(void *data, const char *line)
{
    fprintf(data, "%s\n", line);
}

static void check_diff(const struct hitop_hierarchy *a, const struct hitop_hierarchy *b,
                       const char *expected)
{
    char *found = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&found, &size);

    ck_assert_int_eq(hitop_hierarchy_diff(a, b, print_line, to, NULL), HITOP_OK);
    ck_assert_int_eq(fclose(to), 0);
    ck_assert_str_eq(found, expected);
    free(found);
}

/* Two racks of two hosts; x1 has two ranks. */
#define HOSTS                                                                                      \
    "a [type=0, rank=\"0-1\", model_data=x1]; b [type=0, rank=2, model_data=x2];"                  \
    "c [type=0, rank=3, model_data=x3]; d [type=0, rank=4, model_data=x4];"
#define RACKS                                                                                      \
    "p [type=1, level=rack, name=A]; q [type=1, level=rack, name=B]; t [type=1, level=root];"
#define EDGES "a->p; b->p; c->q; d->q; p->t; q->t;"

static const char *const before = "digraph {" HOSTS RACKS EDGES "}";

static const struct {
    const char *after, *reported;
} diffs[] = {
    /* order, ids and the direction of edges do not count */
    {"digraph other { t->q; t->p; q->4; p->3; q->5; p->\"1\" [];"
     "t [type=1, level=root]; q [type=1, level=rack, name=B]; p [type=1, level=rack, name=A];"
     "4 [type=0, rank=3, model_data=x3]; 5 [type=0, rank=4, model_data=x4];"
     "3 [type=0, rank=2, model_data=x2]; 1 [type=0, rank=\"0,1\", model_data=x1]; }",
     "graph: its name is now \"other\", not \"\"\n"},

    /* hosts */
    {"digraph {" HOSTS RACKS "a->p; b->q; c->q; d->q; p->t; q->t; }",
     "host x2: moved from rack A to rack B\n"},
    {"digraph { a [type=0, rank=\"0-1\", model_data=x1]; b [type=0, rank=2, model_data=x2];"
     "c [type=0, rank=3, model_data=x3]; d [type=0, rank=4, model_data=x5];" RACKS EDGES "}",
     "host x4: gone from rack B, 1 rank\nhost x5: new in rack B, 1 rank\n"},
    {"digraph { a [type=0, rank=\"0-2\", model_data=x1]; b [type=0, rank=3, model_data=x2];"
     "c [type=0, rank=4, model_data=x3]; d [type=0, rank=5, model_data=x4];" RACKS EDGES "}",
     "host x1: 3 ranks, not 2\n"},
    {"digraph { a [type=0, rank=\"0,2\", model_data=x1]; b [type=0, rank=1, model_data=x2];"
     "c [type=0, rank=3, model_data=x3]; d [type=0, rank=4, model_data=x4];" RACKS EDGES "}",
     "ranks: 2 have other numbers; rank 1 of host x1 is now rank 2\n"},
    {"digraph { a [type=0, rank=0, model_data=x1]; e [type=0, rank=1, model_data=x1]; e->q;"
     "b [type=0, rank=2, model_data=x2]; c [type=0, rank=3, model_data=x3];"
     "d [type=0, rank=4, model_data=x4];" RACKS EDGES "}",
     "host x1: 1 of its 2 ranks moved from rack A to rack B\n"},

    /* groups */
    {"digraph {" HOSTS "p [type=1, level=rack, name=C]; q [type=1, level=row, name=B];"
     "t [type=1, level=root];" EDGES "}",
     "rack A: its name is now \"C\"\nrack B: its level is now \"row\"\n"},
    {"digraph {" HOSTS "t [type=1, level=root]; a->t; b->t; c->t; d->t; }",
     "level rack: gone, 2 groups\n"},
    {"digraph {" HOSTS "p [type=1, level=rack, name=A]; t [type=1, level=root];"
     "a->p; b->p; c->t; d->t; p->t; }",
     "rack B: gone from root, 2 ranks\n"},
    {"digraph {" HOSTS RACKS "r [type=1, level=room, name=R]; q->r; r->t; a->p; b->p; c->q; d->q;"
     "p->t; }",
     "room R: new in root, 2 ranks\n"},
    {"digraph {" HOSTS RACKS "a->p; b->p; c->q; d->q; q->p; p->t; }",
     "rack B: moved from root to rack A\n"},

    /* attributes, of hosts once for all their ranks */
    {"digraph { graph [title=x]; node [owner=me];" HOSTS RACKS
     "a->p [capacity=2]; b->p; c->q; d->q; p->t; q->t; a [owner=you]; }",
     "graph: attribute title=\"x\" is new\n"
     "rack A: attribute owner=\"me\" is new\n"
     "rack B: attribute owner=\"me\" is new\n"
     "root: attribute owner=\"me\" is new\n"
     "host x1: attribute owner=\"you\" is new\n"
     "edge of host x1: attribute capacity=\"2\" is new\n"
     "host x2: attribute owner=\"me\" is new\n"
     "host x3: attribute owner=\"me\" is new\n"
     "host x4: attribute owner=\"me\" is new\n"},
};

START_TEST(reports_what_differs)
{
    struct hitop_hierarchy *a = parse(before), *b = parse(diffs[_i].after);

    check_diff(a, a, "");
    check_diff(b, b, "");
    check_diff(a, b, diffs[_i].reported);
    hitop_hierarchy_free(b);
    hitop_hierarchy_free(a);
}
END_TEST

/* What the parts say, their tree as print_tree() has it, and the contradictions. */
static const struct {
    const char *part[3];
    const char *tree, *reported;
} merges[] = {
    /* clusters apart meet in a new root; ranks of the second follow those of the first */
    {{"digraph { a [type=0, rank=0, model_data=a1]; b [type=0, rank=1, model_data=a2];"
      "t [type=1, level=cluster, name=A]; a->t; b->t; }",
      "digraph { a [type=0, rank=0, model_data=b1]; b [type=0, rank=1, model_data=b2];"
      "t [type=1, level=cluster, name=B]; a->t; b->t; }",
      "digraph { a [type=0, rank=0, model_data=c1]; b [type=0, rank=1, model_data=c2];"
      "t [type=1, level=cluster, name=C]; a->t; b->t; }"},
     "root:(cluster:A(0 1) cluster:B(2 3) cluster:C(4 5))",
     ""},
    /* roots and groups of one name are one, wherever their hosts are */
    {{"digraph {" HOSTS RACKS EDGES "}",
      "digraph { a [type=0, rank=0, model_data=x5]; b [type=0, rank=1, model_data=x6];"
      "q [type=1, level=rack, name=B]; r [type=1, level=rack, name=C]; t [type=1, level=root];"
      "a->q; b->r; q->t; r->t; }"},
     "root:(rack:A(0 1 2) rack:B(3 4 5) rack:C(6))",
     ""},
    /* the same hosts, grouped coarser by one and finer by the other */
    {{"digraph {" HOSTS "t [type=1, level=root]; a->t; b->t; c->t; d->t; }",
      "digraph {" HOSTS RACKS EDGES "}"},
     "root:(rack:A(0 1 2) rack:B(3 4))",
     ""},
    {{"digraph {" HOSTS RACKS EDGES "}",
      "digraph {" HOSTS "r [type=1, level=row, name=R]; t [type=1, level=root];"
      "a->r; b->r; r->t; c->t; d->t; }"},
     "root:(rack:A(0 1 2) rack:B(3 4))",
     "row R of file 1 has the ranks of rack A, and is left out\n"},
    {{"digraph {" HOSTS RACKS "r [type=1, level=rack, name=C]; d->r; r->t; a->p; b->p; c->q;"
      "p->t; q->t; }",
      "digraph {" HOSTS "r [type=1, level=row, name=R]; t [type=1, level=root];"
      "a->r; b->r; c->r; r->t; d->t; }"},
     "root:(row:R(rack:A(0 1 2) rack:B(3)) rack:C(4))",
     ""},
    /* a group gets its name from the part that has one */
    {{"digraph {" HOSTS "p [type=1, level=latency]; q [type=1, level=latency];"
      "t [type=1, level=root];" EDGES "}",
      "digraph {" HOSTS RACKS EDGES "}"},
     "root:(rack:A(0 1 2) rack:B(3 4))",
     ""},
    /* more ranks on a host */
    {{"digraph {" HOSTS RACKS EDGES "}",
      "digraph { a [type=0, rank=\"0-2\", model_data=x1]; p [type=1, level=rack, name=A];"
      "a->p; t [type=1, level=root]; p->t; }"},
     "root:(rack:A(0 1 2 5) rack:B(3 4))",
     ""},
    /* contradictions */
    {{"digraph {" HOSTS RACKS EDGES "}",
      "digraph {" HOSTS RACKS "a->p; b->q; c->q; d->q; p->t; q->t; }"},
     "root:(rack:A(0 1 2) rack:B(3 4))",
     "host x2 is in rack B of file 1, but stays in rack A\n"},
    {{"digraph {" HOSTS RACKS EDGES "}",
      "digraph {" HOSTS "r [type=1, level=row, name=R]; t [type=1, level=root];"
      "a->r; d->r; r->t; c->t; b->t; }"},
     "root:(rack:A(0 1 2) rack:B(3 4))",
     "row R of file 1 cuts through groups of earlier files, and is left out\n"},
};

START_TEST(merges_hierarchies)
{
    static const char *const name[] = {"file 0", "file 1", "file 2"};
    struct hitop_hierarchy *h[3] = {NULL, NULL, NULL}, *merged = NULL;
    struct hitop_part part[3];
    char *reported = NULL, *tree = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&reported, &size);
    int n = 0;

    for (; n < 3 && merges[_i].part[n]; n++) {
        h[n] = parse(merges[_i].part[n]);
        part[n] = (struct hitop_part){h[n], name[n]};
    }
    ck_assert_int_eq(hitop_hierarchy_merge(part, n, print_line, to, &merged, NULL), HITOP_OK);
    ck_assert_int_eq(fclose(to), 0);
    to = open_memstream(&tree, &size);
    print_tree(to, merged, hitop_hierarchy_root(merged));
    ck_assert_int_eq(fclose(to), 0);
    ck_assert_str_eq(tree, merges[_i].tree);
    ck_assert_str_eq(reported, merges[_i].reported);
    free(tree);
    free(reported);
    hitop_hierarchy_free(merged);
    for (int i = 0; i < n; i++) {
        hitop_hierarchy_free(h[i]);
    }
}
END_TEST

/* With nothing to merge, or with itself, a hierarchy stays what it is, to the letter. */
START_TEST(changes_nothing_by_merging_one)
{
    struct hitop_hierarchy *h = parse(
        "digraph ours { graph [title=x]; n1 [type=0, rank=\"0,2-3\", model_data=x1, owner=you];"
        "5 [type=0, rank=1, model_data=x2]; rack [type=1, level=rack, name=A, colour=red];"
        "top [type=1, level=cluster, name=c]; n1->rack [capacity=2]; 5->rack; rack->top; }");
    const struct hitop_part part[] = {{h, "a"}, {h, "b"}};

    for (int n = 1; n <= 2; n++) {
        struct hitop_hierarchy *merged = NULL;
        char *old, *now;

        ck_assert_int_eq(hitop_hierarchy_merge(part, n, print_line, stderr, &merged, NULL),
                         HITOP_OK);
        check_diff(h, merged, "");
        old = write_text(h);
        now = write_text(merged);
        ck_assert_str_eq(old, now);
        free(now);
        free(old);
        hitop_hierarchy_free(merged);
    }
    hitop_hierarchy_free(h);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, merges_hierarchies, 0, (int)(sizeof(merges) / sizeof(merges[0])));
    tcase_add_test(tc, changes_nothing_by_merging_one);
    tcase_add_loop_test(tc, reports_what_differs, 0, (int)(sizeof(diffs) / sizeof(diffs[0])));
}

TEST_MAIN("edit", add_tests)
