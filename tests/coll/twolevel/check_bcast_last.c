/* SPDX-License-Identifier: BSD-3-Clause */
/* check_bcast_last.c - the record of a broadcast serves only a broadcast like it. */
#include <config.h>

#include "coll/twolevel/bcast_last.h"

#include "tests/support/test_main.h"

/* The record of a root that chose an algorithm and sent to two ranks. */
static struct bcast_last after(int root, size_t bytes)
{
    struct bcast_last last = {0};

    bcast_last_begin(&last, root, bytes);
    last.is_chosen = 1;
    last.nchildren = 2;
    return last;
}

static void assert_forgotten(const struct bcast_last *last)
{
    ck_assert_int_eq(last->is_chosen, 0);
    ck_assert_int_eq(last->nchildren, -1);
}

/* Also for a broadcast of 0 bytes from rank 0, which has the same numbers as a cleared record. */
START_TEST(knows_of_none_at_first)
{
    struct bcast_last last = {0};

    bcast_last_begin(&last, 0, 0);
    assert_forgotten(&last);
}
END_TEST

START_TEST(keeps_what_serves_again)
{
    struct bcast_last last = after(0, 0);

    bcast_last_begin(&last, 0, 0);
    ck_assert_int_eq(last.is_chosen, 1);
    ck_assert_int_eq(last.nchildren, 2);
}
END_TEST

START_TEST(forgets_when_root_or_length_changes)
{
    struct bcast_last last = after(3, 8);

    bcast_last_begin(&last, 4, 8);
    assert_forgotten(&last);
    last = after(3, 8);
    bcast_last_begin(&last, 3, 9);
    assert_forgotten(&last);
    bcast_last_begin(&last, 3, 8); /* the first broadcast is no longer the last one */
    assert_forgotten(&last);
}
END_TEST

/* While the root's search is not complete, broadcasts of the same record can take other trees. */
START_TEST(forgets_the_children_of_another_tree)
{
    struct bcast_last last = after(3, 8);

    last.is_chosen = 0;
    last.builder = 5;
    bcast_last_begin(&last, 3, 8);
    bcast_last_choose(&last, 5);
    ck_assert_int_eq(last.nchildren, 2);
    bcast_last_choose(&last, 6);
    ck_assert_int_eq(last.builder, 6);
    ck_assert_int_eq(last.nchildren, -1);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, knows_of_none_at_first);
    tcase_add_test(tc, keeps_what_serves_again);
    tcase_add_test(tc, forgets_when_root_or_length_changes);
    tcase_add_test(tc, forgets_the_children_of_another_tree);
}

TEST_MAIN("bcast_last", add_tests)
