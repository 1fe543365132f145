/* SPDX-License-Identifier: BSD-3-Clause */
/* check_domain.c - long broadcasts staged in a mirror of the ring, step by step in one process. */
#include <config.h>

#include "coll/node/domain.h"

#include "tests/support/test_main.h"

#include <string.h>

enum { NRANKS = 4, RING = 16384, LENGTH = 6000 };

/* Process 0 writes from domain 1; the others are domain 2. */
static struct hitop_node node[NRANKS];
static void *memory, *mirror;
static struct hitop_arena *arena;
static unsigned char sent[3 * RING], got[3 * RING];

static void set_up(void)
{
    static const struct hitop_node_layout layout = {
        .nranks = NRANKS, .ring_bytes = RING, .nplaces = HITOP_NODE_FEW_PLACES};
    const struct hitop_wait wait = {.spins = 1};

    memory = aligned_alloc(4096, hitop_node_segment_bytes(&layout));
    mirror = aligned_alloc(4096, hitop_node_domain_bytes(&layout));
    ck_assert(memory && mirror);
    ck_assert_int_eq(hitop_arena_create(4 * HITOP_ARENA_UNIT, &arena, NULL), HITOP_OK);
    hitop_node_format(memory, &layout);
    hitop_node_format_domain(mirror, &layout);
    for (int i = 0; i < NRANKS; i++) {
        hitop_node_attach(&node[i], memory, &layout, i, &wait);
        hitop_node_join_domain(&node[i], i == 0 ? 1 : 2, i == 0 ? NULL : mirror);
        node[i].arena = arena;
    }
    for (size_t i = 0; i < sizeof(sent); i++) {
        sent[i] = (unsigned char)(i * 7 + i / 251);
    }
}

static void tear_down(void)
{
    ck_assert_uint_eq(hitop_arena_taken(arena), 0);
    hitop_arena_release(arena);
    free(mirror);
    free(memory);
}

static void put(int writer, size_t bytes)
{
    hitop_node_begin(&node[writer]);
    hitop_node_put(&node[writer], sent, bytes, 0);
}

/* Does reader `i` get the next message whole, of which there is room for `capacity`? */
static int gets(int i, size_t bytes, size_t capacity)
{
    int note;

    memset(got, 0, sizeof(got));
    hitop_node_begin(&node[i]);
    return hitop_node_read(&node[i], got, capacity, &note) == bytes &&
           memcmp(got, sent, capacity) == 0 && got[capacity] == 0;
}

START_TEST(those_who_come_later_read_the_mirror)
{
    put(0, LENGTH);
    ck_assert(gets(2, LENGTH, LENGTH));
    memset(node[0].ring, 0xee, RING);
    ck_assert(gets(1, LENGTH, LENGTH));
    ck_assert(gets(3, LENGTH, LENGTH));
    ck_assert_uint_eq(node[2].mirrored, 1);
    ck_assert_uint_eq(node[1].mirrored + node[3].mirrored, 0);
}
END_TEST

START_TEST(the_first_one_mirrors_all_even_if_it_wants_less)
{
    put(0, LENGTH);
    ck_assert(gets(2, LENGTH, 10));
    memset(node[0].ring, 0xee, RING);
    ck_assert(gets(1, LENGTH, LENGTH));
    ck_assert(gets(3, LENGTH, 4097));
}
END_TEST

/* Messages that nobody stages: short ones, and those of the domain's own processes. */
START_TEST(what_is_near_or_short_is_not_mirrored)
{
    put(0, 4095);
    for (int i = 1; i < NRANKS; i++) {
        ck_assert(gets(i, 4095, 4095));
    }
    put(3, LENGTH);
    for (int i = 0; i < 3; i++) {
        ck_assert(gets(i, LENGTH, LENGTH));
    }
    for (int i = 0; i < NRANKS; i++) {
        ck_assert_uint_eq(node[i].mirrored, 0);
    }
}
END_TEST

/* Process 1 is several messages behind: of each it knows whether it was mirrored. */
START_TEST(who_is_far_behind_reads_old_mirrors)
{
    for (int k = 0; k < 2; k++) {
        put(0, LENGTH);
        ck_assert(gets(2, LENGTH, LENGTH));
        ck_assert(gets(3, LENGTH, LENGTH));
    }
    ck_assert_uint_eq(node[2].mirrored, 2);
    memset(node[0].ring, 0xee, RING);
    ck_assert(gets(1, LENGTH, LENGTH));
    ck_assert(gets(1, LENGTH, LENGTH));
}
END_TEST

/* Process 2 claims and then does nothing for a long time. */
START_TEST(who_claims_and_sleeps_holds_nobody)
{
    struct hitop_domain *domain = mirror;

    put(0, LENGTH);
    hitop_node_begin(&node[2]);
    ck_assert_int_eq(hitop_domain_role_in(&node[2], &node[2].slots[node[2].seq % node[2].nslots]),
                     HITOP_DOMAIN_FIRST);
    ck_assert(gets(1, LENGTH, LENGTH));
    put(0, LENGTH); /* cannot be mirrored yet, because one offset tells of all */
    ck_assert(gets(1, LENGTH, LENGTH));
    ck_assert_uint_eq(node[1].mirrored, 0);
    ck_assert_uint_eq(domain->filled, 0);

    hitop_domain_mirror(&node[2], 0, LENGTH); /* it wakes up */
    hitop_domain_end(&node[2]);
    ck_assert(gets(3, LENGTH, LENGTH));
    ck_assert(gets(3, LENGTH, LENGTH));
    ck_assert_uint_eq(node[3].mirrored, 1); /* the second one */
}
END_TEST

/* Of a message longer than the ring the rest is left in memory of the node, where all find it. */
START_TEST(what_is_spilled_is_not_mirrored)
{
    put(0, 2 * RING);
    ck_assert_uint_ne(hitop_arena_taken(arena), 0);
    ck_assert(gets(3, 2 * RING, 2 * RING));
    ck_assert_uint_eq(node[3].mirrored, 1);
    put(0, LENGTH);
    ck_assert(gets(3, LENGTH, LENGTH));
    ck_assert_uint_eq(node[3].mirrored, 2);
    ck_assert(gets(2, 2 * RING, 2 * RING));
    ck_assert(gets(1, 2 * RING, 2 * RING));
    ck_assert(gets(1, LENGTH, LENGTH));
    ck_assert(gets(2, LENGTH, LENGTH));
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_checked_fixture(tc, set_up, tear_down);
    tcase_add_test(tc, those_who_come_later_read_the_mirror);
    tcase_add_test(tc, the_first_one_mirrors_all_even_if_it_wants_less);
    tcase_add_test(tc, what_is_near_or_short_is_not_mirrored);
    tcase_add_test(tc, who_is_far_behind_reads_old_mirrors);
    tcase_add_test(tc, who_claims_and_sleeps_holds_nobody);
    tcase_add_test(tc, what_is_spilled_is_not_mirrored);
}

TEST_MAIN("domain", add_tests)
