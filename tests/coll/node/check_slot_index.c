/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check_slot_index.c - two ranks compute the same index of the next message, and no writer
 * overwrites an unread one.
 */
#include <config.h>

#include "coll/node/layout.h"

#include "tests/support/scramble.h"
#include "tests/support/test_main.h"

enum { NPLACES = 8, OPERATIONS = 20000 };

/* Sequences of messages of one rank, or of both alternating, in phases. */
static int writer_of(unsigned k)
{
    const unsigned phase = scramble(k / 23);

    switch (phase % 4) {
    case 0:
        return (int)(k % 2);
    case 1:
        return (int)(phase / 4 % 2);
    case 2:
        return (int)(k / (2 + phase / 4 % 5) % 2);
    default:
        return (int)(scramble(k + 7) % 2);
    }
}

static void agree(int is_answerable)
{
    struct hitop_node view[2] = {{.nranks = 2, .slot.last = 5}, {.nranks = 2, .slot.last = 5}};
    unsigned last[NPLACES] = {0}; /* the message in each place */
    unsigned written[2] = {0};    /* by each rank, its last message */

    for (unsigned k = 1; k <= OPERATIONS; k++) {
        const int w = writer_of(k), r = 1 - w;
        const uint64_t at = hitop_node_index(&view[w], &view[w].slot, 1);
        const unsigned before = last[at % NPLACES];

        ck_assert_uint_eq(at, hitop_node_index(&view[r], &view[r].slot, 0));
        /*
         * overwritten messages are read: their reader has written since, or their writer has seen
         * it complete
         */
        ck_assert(before <= written[r] || before + NPLACES <= k);
        last[at % NPLACES] = written[w] = k;
        view[w].slot = (struct hitop_slot_index){at, 1, is_answerable};
        view[r].slot = (struct hitop_slot_index){at, 0, is_answerable};
    }
}

START_TEST(both_agree_where_the_next_message_is)
{
    agree(_i);
}
END_TEST

START_TEST(a_reply_takes_the_same_place)
{
    struct hitop_node node = {.nranks = 2, .slot = {.last = 7, .is_answerable = 1}};

    for (int k = 0; k < 100; k++) {
        ck_assert_uint_eq(hitop_node_index(&node, &node.slot, (k + 1) % 2), 7);
        node.slot.is_mine = (k + 1) % 2;
    }
    ck_assert_uint_eq(hitop_node_index(&node, &node.slot, node.slot.is_mine), 8);
    node.slot = (struct hitop_slot_index){8, 1, 0};
    ck_assert_uint_eq(hitop_node_index(&node, &node.slot, 0), 9);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, both_agree_where_the_next_message_is, 0, 2);
    tcase_add_test(tc, a_reply_takes_the_same_place);
}

TEST_MAIN("slot_index", add_tests)
