/* SPDX-License-Identifier: BSD-3-Clause */
/* check_edit.c - what differs between two hierarchies is told, nothing else is. */
#include <config.h>

#include "hitop/dot.h"
#include "hitop/edit.h"

#include "test_main.h"

#include <stdio.h>

static struct hitop_hierarchy *parse(const char *text)
{
    struct hitop_hierarchy *h = NULL;
    struct hitop_diag diag = HITOP_DIAG_INIT;

    ck_assert_msg(hitop_dot_parse("text", text, strlen(text), NULL, &h, &diag) == HITOP_OK, "%s",
                  diag.message);
    return h;
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
    const char *after, *told;
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

START_TEST(tells_what_differs)
{
    struct hitop_hierarchy *a = parse(before), *b = parse(diffs[_i].after);

    check_diff(a, a, "");
    check_diff(b, b, "");
    check_diff(a, b, diffs[_i].told);
    hitop_hierarchy_free(b);
    hitop_hierarchy_free(a);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, tells_what_differs, 0, (int)(sizeof(diffs) / sizeof(diffs[0])));
}

TEST_MAIN("edit", add_tests)
