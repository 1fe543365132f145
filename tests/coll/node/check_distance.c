/* SPDX-License-Identifier: BSD-3-Clause */
/* check_distance.c - a process notices how far the others are, and when they move. */
#include <config.h>

#include "coll/node/node_inside.h"

#include "tests/support/test_main.h"

enum { NEAR = 50, FAR = 110, VERY_FAR = 200 }; /* ns */

static int after(struct hitop_distance *distance, double ns, int looks)
{
    for (int i = 0; i < looks; i++) {
        hitop_distance_see(distance, ns);
    }
    return distance->is_far;
}

START_TEST(who_moves_is_noticed)
{
    struct hitop_distance distance = {.looks = 0};

    ck_assert_int_eq(after(&distance, NEAR, 100), 0);
    ck_assert_int_eq(after(&distance, FAR, 2), 1);
    ck_assert_int_eq(distance.is_very_far, 0);
    ck_assert_int_eq(after(&distance, VERY_FAR, 2), 1);
    ck_assert_int_eq(distance.is_very_far, 0);
    ck_assert_int_eq(after(&distance, VERY_FAR, 1), 1);
    ck_assert_int_eq(distance.is_very_far, 1);
    ck_assert_int_eq(after(&distance, NEAR, HITOP_DISTANCE_LOOKS), 0);
    ck_assert_int_eq(distance.is_very_far, 0);
}
END_TEST

START_TEST(an_interrupted_look_changes_nothing)
{
    struct hitop_distance distance = {.looks = 0};

    (void)after(&distance, NEAR, 100);
    ck_assert_int_eq(after(&distance, 1e6, 1), 0);
    ck_assert_int_eq(after(&distance, NEAR, 1), 0);
    ck_assert_int_eq(after(&distance, 1e6, 1), 1);
    ck_assert_int_eq(distance.is_very_far, 0);
}
END_TEST

/* Some of several others are far: all are waited for. */
START_TEST(one_of_several_is_enough)
{
    struct hitop_distance distance = {.looks = 0};

    for (int i = 0; i < 5; i++) {
        (void)after(&distance, NEAR, 3);
        (void)after(&distance, FAR, 1);
    }
    ck_assert_int_eq(distance.is_far, 1);
}
END_TEST

/* So many operations that write nothing long. */
static void leave(struct hitop_node *node, unsigned operations, int others_go_on)
{
    for (unsigned i = 0; i < operations; i++) {
        node->seq++;
        if (others_go_on) {
            atomic_store(&node->members[1].done, node->seq);
        }
        hitop_node_leave(node, node->offset);
    }
}

START_TEST(short_operations_look_too)
{
    struct hitop_node_member members[2];
    struct hitop_node node = {.members = members, .nranks = 2, .wait = {.alone = 1}};

    memset(members, 0, sizeof(members));
    leave(&node, HITOP_DISTANCE_OPERATIONS - 1, 1);
    ck_assert_uint_eq(node.distance.looks, 0);
    leave(&node, 1, 1);
    ck_assert_uint_eq(node.distance.looks, 1);
    leave(&node, 5 * HITOP_DISTANCE_OPERATIONS, 1);
    ck_assert_uint_eq(node.distance.looks, 6);
    leave(&node, 5 * HITOP_DISTANCE_OPERATIONS, 0); /* there is nothing new to see */
    ck_assert_uint_eq(node.distance.looks, 6);
}
END_TEST

START_TEST(who_shares_a_processor_does_not_look)
{
    struct hitop_node_member members[2];
    struct hitop_node node = {.members = members, .nranks = 2};

    memset(members, 0, sizeof(members));
    leave(&node, 5 * HITOP_DISTANCE_OPERATIONS, 1);
    ck_assert_uint_eq(node.distance.looks, 0);
}
END_TEST

START_TEST(there_may_be_nobody)
{
    struct hitop_node_member members[2];
    struct hitop_node node = {.members = members, .nranks = 1, .wait = {.alone = 1}};

    memset(members, 0, sizeof(members));
    leave(&node, 5 * HITOP_DISTANCE_OPERATIONS, 0);
    ck_assert_uint_eq(node.distance.looks, 0);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, who_moves_is_noticed);
    tcase_add_test(tc, an_interrupted_look_changes_nothing);
    tcase_add_test(tc, one_of_several_is_enough);
    tcase_add_test(tc, short_operations_look_too);
    tcase_add_test(tc, who_shares_a_processor_does_not_look);
    tcase_add_test(tc, there_may_be_nobody);
}

TEST_MAIN("distance", add_tests)
