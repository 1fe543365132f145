/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check_two_ranks.c - the two-rank fast path: blocks from one rank to the other, whatever length
 * the reader expects.
 */
#include <config.h>

#include "coll/node/outbox.h"
#include "coll/node/two_ranks.h"

#include "tests/support/test_main.h"

#include <stdlib.h>

enum { MOST = HITOP_TWO_RANKS_OPERAND };

/* Two ranks in one process. */
struct two {
    void *memory;
    struct hitop_node giver, taker;
};

static struct two open_two(const struct hitop_wait *wait)
{
    const struct hitop_node_layout layout = {
        .nranks = 2, .ring_bytes = 262144, .nplaces = HITOP_NODE_FEW_PLACES, .outbox_bytes = 65536};
    struct two t = {.memory = aligned_alloc(4096, hitop_node_segment_bytes(&layout))};

    ck_assert_ptr_nonnull(t.memory);
    hitop_node_format(t.memory, &layout);
    hitop_node_attach(&t.giver, t.memory, &layout, 0, wait);
    hitop_node_attach(&t.taker, t.memory, &layout, 1, wait);
    return t;
}

static void begin(struct two *t)
{
    hitop_node_begin(&t->giver);
    hitop_node_begin(&t->taker);
}

/* The tag of the outbox slot in which the giver posts instead. */
static const _Atomic uint64_t *post_operand(const struct two *t)
{
    return &hitop_outbox_slot_of(&t->taker, 0)->tag;
}

static const size_t length[] = {0, 1, 56, 57, 120, 121, 512, 896, 897, 4000, 4096, 4097, MOST};

enum { NLENGTHS = sizeof(length) / sizeof(length[0]) };

/* All lengths for all expected lengths, also those of outboxes, and with too little room. */
START_TEST(finds_a_block_of_any_length)
{
    const struct hitop_wait wait = {.spins = 100};
    const size_t bytes = length[_i];
    struct two t = open_two(&wait);
    unsigned char block[MOST], got[MOST + 1];

    for (int k = 0; k < 20 * (NLENGTHS + 1); k++) {
        const size_t expected = k % (NLENGTHS + 1) < NLENGTHS ? length[k % (NLENGTHS + 1)] : 100000;
        const size_t room = k % 3 == 0 ? bytes / 2 : bytes;

        for (size_t i = 0; i < bytes; i++) {
            block[i] = (unsigned char)(i * 7 + (size_t)k);
        }
        memset(got, 0xee, sizeof(got));
        begin(&t);
        hitop_node_post_copy(&t.giver, block, bytes, 0);
        ck_assert_uint_eq(hitop_two_ranks_length(&t.taker, post_operand(&t), MOST, expected),
                          bytes);
        ck_assert_uint_eq(hitop_two_ranks_read(&t.taker, post_operand(&t), MOST, expected,
                                               room ? got : NULL, room),
                          bytes);
        ck_assert_mem_eq(got, block, room);
        ck_assert_uint_eq(got[room], 0xee);
    }
    free(t.memory);
}
END_TEST

START_TEST(finds_a_posted_block_instead)
{
    const struct hitop_wait wait = {.spins = 100};
    struct two t = open_two(&wait);
    const size_t expected = _i < NLENGTHS ? length[_i] : 100000;
    unsigned char block[60] = {1}, got[60] = {0};

    for (int k = 0; k < 20; k++) {
        begin(&t);
        hitop_outbox_post(&t.giver, block, sizeof(block), 1);
        hitop_outbox_complete(&t.giver);
        ck_assert_uint_eq(hitop_two_ranks_length(&t.taker, post_operand(&t), MOST, expected),
                          SIZE_MAX);
        ck_assert_uint_eq(hitop_two_ranks_read(&t.taker, post_operand(&t), MOST, expected, got, 60),
                          SIZE_MAX);
        hitop_outbox_complete_all(&t.taker);
    }
    ck_assert_int_eq(got[0], 0);
    free(t.memory);
}
END_TEST

/* The writer does not wait even where broadcasts of that length use CMA. */
START_TEST(the_owner_of_a_block_does_not_wait)
{
    const struct hitop_wait wait = {.spins = 100};
    struct two t = open_two(&wait);
    struct hitop_thresholds has_cma = *t.giver.thresholds;
    unsigned char block[MOST] = {1}, got[MOST];

    has_cma.cma_from = 1024;
    t.giver.thresholds = t.taker.thresholds = &has_cma;
    t.giver.cma.works = t.taker.cma.works = 1;
    for (int k = 0; k < 3; k++) {
        hitop_node_begin(&t.giver);
        hitop_node_post_copy(&t.giver, block, sizeof(block), 0);
    }
    for (int k = 0; k < 3; k++) {
        hitop_node_begin(&t.taker);
        ck_assert_uint_eq(hitop_two_ranks_read(&t.taker, post_operand(&t), MOST, MOST, got, MOST),
                          MOST);
        ck_assert_mem_eq(got, block, MOST);
    }
    free(t.memory);
}
END_TEST

/* The fast path is for two ranks only, and for shorter blocks where they share a processor. */
START_TEST(blocks_are_messages_up_to_a_length)
{
    struct hitop_wait wait = {.alone = 1, .spins = 100};
    struct two t = open_two(&wait);

    ck_assert(
        hitop_two_ranks_suits(&t.giver, HITOP_TWO_RANKS_BLOCK, hitop_two_ranks_block(&t.giver)));
    ck_assert(!hitop_two_ranks_suits(&t.giver, HITOP_TWO_RANKS_BLOCK + 1,
                                     hitop_two_ranks_block(&t.giver)));
    free(t.memory);
    wait.alone = 0;
    t = open_two(&wait);
    ck_assert(hitop_two_ranks_suits(&t.giver, HITOP_TWO_RANKS_BLOCK_SHARED,
                                    hitop_two_ranks_block(&t.giver)));
    ck_assert(
        !hitop_two_ranks_suits(&t.giver, HITOP_TWO_RANKS_BLOCK, hitop_two_ranks_block(&t.giver)));
    free(t.memory);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, finds_a_block_of_any_length, 0, NLENGTHS);
    tcase_add_loop_test(tc, finds_a_posted_block_instead, 0, NLENGTHS + 1);
    tcase_add_test(tc, the_owner_of_a_block_does_not_wait);
    tcase_add_test(tc, blocks_are_messages_up_to_a_length);
}

TEST_MAIN("two_ranks", add_tests)
