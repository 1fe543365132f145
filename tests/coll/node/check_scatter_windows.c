/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check_scatter_windows.c - blocks of a scatter without room in shared memory use a CMA rendezvous.
 */
#include <config.h>

#include "coll/node/inbox.h"

#include "tests/support/test_main.h"

enum { RANKS = 5, RING = 8192, WINDOW = RING / 2 / (RANKS - 1), BY_RENDEZVOUS = 4096, LEFT = 6000 };

/* The threshold of the rendezvous for blocks of `each` bytes. */
static size_t cma_from(size_t each, int alone, struct hitop_thresholds t)
{
    static char memory;
    struct hitop_node node = {.me = 2,
                              .nranks = RANKS,
                              .thresholds = &t,
                              .wait = {.alone = alone},
                              .outbox = {.ring_bytes = RING},
                              .arena = (struct hitop_arena *)(void *)&memory};
    const struct hitop_node_blocks blocks = {.base = NULL, .each = each};

    return hitop_inbox_cma_from(&node, &blocks);
}

static const struct hitop_thresholds limits = {.scatter_cma_from = BY_RENDEZVOUS, .spill_to = LEFT};

START_TEST(blocks_that_fit_windows_or_the_arena_use_no_rendezvous)
{
    ck_assert_uint_eq(cma_from(WINDOW, 0, limits), BY_RENDEZVOUS);
    ck_assert_uint_eq(cma_from(1472, 0, limits), BY_RENDEZVOUS); /* 4 x 1472 is less than LEFT */
    ck_assert_uint_eq(cma_from(BY_RENDEZVOUS, 0, limits), BY_RENDEZVOUS); /* use CMA anyway */
}
END_TEST

START_TEST(blocks_without_room_are)
{
    ck_assert_uint_eq(cma_from(1536, 0, limits), WINDOW + 1);
    ck_assert_uint_eq(cma_from(BY_RENDEZVOUS - 1, 0, limits), WINDOW + 1);
}
END_TEST

START_TEST(a_rank_that_has_a_processor_waits_for_room)
{
    ck_assert_uint_eq(cma_from(BY_RENDEZVOUS - 1, 1, limits), BY_RENDEZVOUS);
}
END_TEST

START_TEST(a_rendezvous_that_is_never_to_be_used_is_not)
{
    const struct hitop_thresholds never = {.scatter_cma_from = SIZE_MAX};

    ck_assert_uint_eq(cma_from(BY_RENDEZVOUS, 0, never), SIZE_MAX);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, blocks_that_fit_windows_or_the_arena_use_no_rendezvous);
    tcase_add_test(tc, blocks_without_room_are);
    tcase_add_test(tc, a_rank_that_has_a_processor_waits_for_room);
    tcase_add_test(tc, a_rendezvous_that_is_never_to_be_used_is_not);
}

TEST_MAIN("scatter_windows", add_tests)
