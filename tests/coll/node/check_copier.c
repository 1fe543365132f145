/* SPDX-License-Identifier: BSD-3-Clause */
/* check_copier.c - copies to far readers are streamed where that pays; bytes arrive whichever way they go. */
#include <config.h>

#include "coll/node/node_inside.h"

#include "tests/support/test_main.h"

enum { MANY = 20000, SIZE = 5000, MARGIN = 200 };

/* A machine: are readers far, and what does a byte cost by each way? */
struct machine {
    int is_far; /* very */
    double cost[HITOP_COPY_NWAYS];
};

static const struct machine near = {0, {0.03, 0.04}}, far = {1, {0.3, 0.04}},
                            far_and_slow_memory = {1, {0.1, 0.3}},
                            far_in_a_mesh = {1, {0.05, 0.03}};

/* So many copies there; how many of them are streamed. */
static int copies(struct hitop_copier *copier, const struct machine *m, int n)
{
    int streamed = 0;

    for (int i = 0; i < n; i++) {
        int is_trial;
        const enum hitop_copy_way way = hitop_copier_next(copier, m->is_far, &is_trial);

        if (is_trial) {
            hitop_copier_learn(copier, m->cost[way] * (i % 97 == 0 ? 50 : 1)); /* interrupted */
        }
        streamed += way == HITOP_COPY_STREAMED;
    }
    return streamed;
}

START_TEST(near_readers_get_ordinary_copies)
{
    struct hitop_copier copier = {.copies = 0};

    ck_assert_int_eq(copies(&copier, &near, MANY), 0);
}
END_TEST

START_TEST(far_readers_get_streamed_ones)
{
    struct hitop_copier copier = {.copies = 0};
    const int streamed = copies(&copier, &far, MANY);

    ck_assert_int_lt(streamed, MANY); /* trials */
    ck_assert_int_gt(streamed, MANY - MANY / 100);
}
END_TEST

START_TEST(nothing_is_streamed_where_that_costs_more)
{
    const struct machine *m = _i ? &far_in_a_mesh : &far_and_slow_memory;
    struct hitop_copier copier = {.copies = 0};

    (void)copies(&copier, m, HITOP_COPY_FIRST_TRIAL + HITOP_COPY_NWAYS * HITOP_COPY_TRIES);
    ck_assert_int_lt(copies(&copier, m, MANY), MANY / 100);
}
END_TEST

/* What was found out on one machine says nothing of the next one. */
START_TEST(who_moves_tries_again)
{
    struct hitop_copier copier = {.copies = 0};

    (void)copies(&copier, &far_and_slow_memory, MANY);
    ck_assert_int_eq(copies(&copier, &near, 1), 0);
    ck_assert_int_gt(copies(&copier, &far, MANY), MANY - MANY / 100);
}
END_TEST

/* Others that are very far now and then, or seem to be: until a trial ends, what the last one told holds. */
START_TEST(remembers_what_it_was_like)
{
    const int is_dear = _i;
    struct hitop_copier copier = {.copies = 0};

    (void)copies(&copier, is_dear ? &far_in_a_mesh : &far, MANY);
    for (int i = 0; i < 100; i++) {
        ck_assert_int_eq(copies(&copier, &near, 50), 0);
        ck_assert_int_eq(copies(&copier, is_dear ? &far_in_a_mesh : &far, HITOP_COPY_FIRST_TRIAL),
                         is_dear ? 0 : HITOP_COPY_FIRST_TRIAL);
    }
}
END_TEST

/* All alignments of either end to a line, and lengths around whole lines, by both ways. */
START_TEST(all_bytes_arrive_and_no_others_change)
{
    static unsigned char from[SIZE + MARGIN], to[SIZE + 2 * MARGIN];
    struct hitop_node_member members[2];
    struct hitop_node node = {.members = members, .nranks = 2};

    memset(members, 0, sizeof(members));
    for (size_t i = 0; i < sizeof(from); i++) {
        from[i] = (unsigned char)(1 + i * 7 % 251);
    }
    for (int turn = 0; turn < 4000; turn++) {
        const size_t start = (size_t)(turn % 67), shift = (size_t)(turn / 67 % 66);
        const size_t bytes = (size_t)(turn * 37 % (SIZE - 200)) + (size_t)(turn % 129);

        memset(to, 0, sizeof(to));
        node.distance.is_very_far = turn % 3 != 0;
        hitop_node_copy(&node, to + MARGIN - start, from + shift, bytes);
        ck_assert_mem_eq(to + MARGIN - start, from + shift, bytes);
        for (size_t i = 0; i < sizeof(to); i++) {
            if (i + start < MARGIN || i + start >= MARGIN + bytes) {
                ck_assert_uint_eq(to[i], 0);
            }
        }
    }
}
END_TEST

/* In a long operation nobody writes the line that tells how far others are: it is near by then, wherever they are. */
START_TEST(a_line_counts_once)
{
    enum { LEAST = HITOP_COPY_LEAST, COPIES = 40 * HITOP_COPIES_PER_LOOK };
    static unsigned char from[LEAST], to[LEAST];
    struct hitop_node_member members[2];
    struct hitop_node node = {.members = members, .nranks = 2};

    memset(members, 0, sizeof(members));
    for (unsigned operation = 1; operation < 5; operation++) {
        node.seq = operation;
        atomic_store(&members[1].done, operation);
        for (int i = 0; i < COPIES; i++) {
            hitop_node_copy(&node, to, from, LEAST);
        }
        ck_assert_uint_eq(node.distance.looks, HITOP_COPY_STREAMS ? operation : 0);
    }
}
END_TEST

/* Nor does it tell that where it was read for another reason just before. The look is made up for. */
START_TEST(a_line_that_was_read_does_not_count)
{
    static unsigned char from[HITOP_COPY_LEAST], to[HITOP_COPY_LEAST];
    struct hitop_node_member members[2];
    struct hitop_node node = {.members = members, .nranks = 2};
    unsigned looks = 0;

    memset(members, 0, sizeof(members));
    for (unsigned operation = 1; operation < 10 * HITOP_COPIES_PER_LOOK; operation++) {
        const unsigned turn = operation % HITOP_COPIES_PER_LOOK;

        node.seq = operation;
        atomic_store(&members[1].done, operation);
        if (turn != 5) { /* a look is due in the first of so many operations of one copy */
            hitop_node_look_around(&node);
        }
        looks += turn == 5;
        hitop_node_copy(&node, to, from, sizeof(from));
        ck_assert_uint_eq(node.distance.looks, HITOP_COPY_STREAMS ? looks : 0);
    }
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, a_line_that_was_read_does_not_count);
    tcase_add_test(tc, a_line_counts_once);
    tcase_add_test(tc, near_readers_get_ordinary_copies);
    tcase_add_test(tc, far_readers_get_streamed_ones);
    tcase_add_loop_test(tc, nothing_is_streamed_where_that_costs_more, 0, 2);
    tcase_add_test(tc, who_moves_tries_again);
    tcase_add_loop_test(tc, remembers_what_it_was_like, 0, 2);
    tcase_add_test(tc, all_bytes_arrive_and_no_others_change);
}

TEST_MAIN("copier", add_tests)
