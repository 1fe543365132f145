/* SPDX-License-Identifier: BSD-3-Clause */
/* check_cursor.c - two processes agree where the next message is, and none overwrites what is still to be read. */
#include <config.h>

#include "coll/node/cursor.h"

#include "tests/support/scramble.h"
#include "tests/support/test_main.h"

enum { NPLACES = 8, OPERATIONS = 20000 };

/* Rows of messages of one of the two, or of both in turn, of lengths that change. */
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

/* `keeps`: of a hundred messages, so many say so. */
static void agree(unsigned keeps, int is_answerable)
{
    struct hitop_cursor view[2] = {{.top = 5}, {.top = 5}};
    unsigned last[NPLACES] = {0}; /* the message in each place */
    unsigned written[2] = {0};    /* by each, the last one */

    for (unsigned k = 1; k <= OPERATIONS; k++) {
        const int w = writer_of(k), r = 1 - w;
        const uint64_t at = hitop_cursor_next(&view[w], 1);
        const unsigned before = last[at % NPLACES];
        const int says = scramble(k + 3) % 100 < keeps;

        ck_assert_uint_eq(at, hitop_cursor_next(&view[r], 0));
        /* read since the other one has written, or who writes has seen that it was left */
        ck_assert(before <= written[r] || before + NPLACES - 1 <= k);
        last[at % NPLACES] = written[w] = k;
        hitop_cursor_take(&view[w], at, 1, is_answerable, says);
        hitop_cursor_take(&view[r], at, 0, is_answerable, says);
    }
}

START_TEST(both_agree_where_the_next_message_is)
{
    agree((unsigned)_i * 25, 1);
}
END_TEST

START_TEST(nothing_is_kept_of_what_cannot_be_answered)
{
    struct hitop_cursor c = {.keeps = {1, 1}};

    agree(50, 0);
    hitop_cursor_take(&c, 1, 1, 0, 1);
    ck_assert_uint_eq(hitop_cursor_next(&c, 0), 2);
}
END_TEST

/* A, B, A, B: in one place, or in one place each. */
START_TEST(who_takes_turns_needs_no_further_place)
{
    for (int keeps = 0; keeps < 2; keeps++) {
        struct hitop_cursor c = {.keeps = {keeps, keeps}};
        uint64_t first[2] = {0};

        for (int k = 0; k < 100; k++) {
            const uint64_t at = hitop_cursor_next(&c, k % 2);

            if (k >= 2) {
                ck_assert_uint_eq(at, first[k % 2]);
            }
            first[k % 2] = at;
            hitop_cursor_take(&c, at, k % 2, 1, keeps);
        }
        ck_assert_int_eq(first[0] != first[1], keeps);
    }
}
END_TEST

/* Also when they begin to keep to places while both are in the same one. */
START_TEST(they_part)
{
    struct hitop_cursor c = {.top = 0};
    uint64_t at = 0;

    for (int k = 0; k < 10; k++) {
        const uint64_t before = at;

        at = hitop_cursor_next(&c, k % 2);
        ck_assert(k < 3 || at != before);
        hitop_cursor_take(&c, at, k % 2, 1, 1);
    }
    ck_assert_uint_le(c.top, 3);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, both_agree_where_the_next_message_is, 0, 5);
    tcase_add_test(tc, nothing_is_kept_of_what_cannot_be_answered);
    tcase_add_test(tc, they_part);
    tcase_add_test(tc, who_takes_turns_needs_no_further_place);
}

TEST_MAIN("cursor", add_tests)
