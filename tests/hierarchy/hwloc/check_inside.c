/* SPDX-License-Identifier: BSD-3-Clause */
/* check_inside.c - parts of a host are nested as the host says, unless they are all one. */
#include <config.h>

#include "hitop/sys/source.h"

#include "tests/support/print_tree.h"
#include "tests/support/test_main.h"

enum { RANKS = 8 };

/* Numbers of package, die, group, NUMA node and cache of each rank of one host. */
static const struct {
    const char *order; /* the fact, or NULL */
    int part[RANKS][5];
    const char *tree;
} bound[] = {
    /* several NUMA nodes in a package, several caches in a NUMA node; what has one rank is no group
     */
    {"package numa l3",
     {{0, -1, -1, 0, 0},
      {0, -1, -1, 0, 0},
      {0, -1, -1, 0, 1},
      {0, -1, -1, 1, 2},
      {0, -1, -1, 1, 2},
      {1, -1, -1, 2, 4},
      {1, -1, -1, 2, 5},
      {1, -1, -1, 3, 6}},
     "host:a(package:0(numa:0(l3:0(0 1) 2) numa:1(3 4)) package:1(numa:2(5 6) 7))"},
    /* several NUMA nodes at one cache; there is one package, which says nothing */
    {"package l3 numa",
     {{0, -1, -1, 0, 0},
      {0, -1, -1, 0, 0},
      {0, -1, -1, 1, 0},
      {0, -1, -1, 1, 0},
      {0, -1, -1, 2, 1},
      {0, -1, -1, 2, 1},
      {0, -1, -1, 3, 1},
      {0, -1, -1, 3, 1}},
     "host:a(l3:0(numa:0(0 1) numa:1(2 3)) l3:1(numa:2(4 5) numa:3(6 7)))"},
    /* words that are none count nothing, and so does a second mention */
    {"board l3 l3 package l",
     {{0, -1, -1, 0, 0},
      {0, -1, -1, 1, 0},
      {0, -1, -1, 0, 0},
      {0, -1, -1, 1, 0},
      {1, -1, -1, 2, 0},
      {1, -1, -1, 2, 0},
      {1, -1, -1, 3, 0},
      {1, -1, -1, 3, 0}},
     "host:a(package:0(numa:0(0 2) numa:1(1 3)) package:1(numa:2(4 5) numa:3(6 7)))"},
    /* dies that coincide with NUMA nodes and caches: the outermost of them stays */
    {NULL,
     {{0, 0, -1, 0, 0},
      {0, 0, -1, 0, 0},
      {0, 1, -1, 1, 1},
      {0, 1, -1, 1, 1},
      {1, 2, -1, 2, 2},
      {1, 2, -1, 2, 2},
      {1, 3, -1, 3, 3},
      {1, 3, -1, 3, 3}},
     "host:a(package:0(die:0(0 1) die:1(2 3)) package:1(die:2(4 5) die:3(6 7)))"},
    /* groups around packages, and ranks that may leave theirs */
    {"group package",
     {{0, -1, 0, -1, -1},
      {0, -1, 0, -1, -1},
      {1, -1, 0, -1, -1},
      {1, -1, 0, -1, -1},
      {2, -1, 1, -1, -1},
      {2, -1, 1, -1, -1},
      {-1, -1, 1, -1, -1},
      {-1, -1, -1, -1, -1}},
     "host:a(group:0(package:0(0 1) package:1(2 3)) group:1(package:2(4 5) 6) 7)"},
    /* all ranks on one package */
    {"package numa l3",
     {{1, -1, -1, 1, 1},
      {1, -1, -1, 1, 1},
      {1, -1, -1, 1, 1},
      {1, -1, -1, 1, 1},
      {1, -1, -1, 1, 1},
      {1, -1, -1, 1, 1},
      {1, -1, -1, 1, 1},
      {1, -1, -1, 1, 1}},
     "host:a(0 1 2 3 4 5 6 7)"},
};

START_TEST(nests_parts_as_the_host_says)
{
    static const struct hitop_grouping how = {0};
    const struct hitop_fact fact = {"binding", bound[_i].order};
    struct hitop_place place[RANKS];

    for (int rank = 0; rank < RANKS; rank++) {
        const int *part = bound[_i].part[rank];
        place[rank] = (struct hitop_place){.host = "a",
                                           .part[HITOP_PART_PACKAGE] = part[0],
                                           .part[HITOP_PART_DIE] = part[1],
                                           .part[HITOP_PART_GROUP] = part[2],
                                           .part[HITOP_PART_NUMA] = part[3],
                                           .part[HITOP_PART_L3] = part[4],
                                           .nfacts = bound[_i].order != NULL,
                                           .fact = bound[_i].order ? &fact : NULL};
    }
    expect_tree(place, RANKS, &how, bound[_i].tree);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, nests_parts_as_the_host_says, 0,
                        (int)(sizeof(bound) / sizeof(bound[0])));
}

TEST_MAIN("inside", add_tests)
