/* SPDX-License-Identifier: BSD-3-Clause */
/* check_message.c - a line for the user leaves in one write, whatever its length. */
#include <config.h>

#include "coll/runtime/message.h"

#include "tests/support/test_main.h"

#include <fcntl.h>
#include <unistd.h>

/* Standard error is a pipe that keeps writes apart; both ends are left to the end of the process.
 */
static int catch_writes(void)
{
    int ends[2];

    ck_assert_int_eq(pipe2(ends, O_DIRECT | O_NONBLOCK), 0);
    ck_assert_int_eq(dup2(ends[1], STDERR_FILENO), STDERR_FILENO);
    return ends[0];
}

START_TEST(a_line_is_one_write)
{
    static const int lengths[] = {1, 127, 128, 129, 257, 1022, 1023, 1024, 1025, 4094};
    const int keep = dup(STDERR_FILENO), from = catch_writes();
    char got[2 * 4096], want[4096];
    ssize_t n[2 * sizeof(lengths) / sizeof(lengths[0])];
    int right = 1;

    for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
        memset(want, 'x', (size_t)lengths[i]);
        memcpy(want + lengths[i], "\n", 2);
        hitop_message("%.*s\n", lengths[i], want);
        n[2 * i] = read(from, got, sizeof(got));
        right &= n[2 * i] == lengths[i] + 1 && memcmp(got, want, (size_t)lengths[i] + 1) == 0;
        hitop_message_text(want);
        n[2 * i + 1] = read(from, got, sizeof(got));
        right &= n[2 * i + 1] == lengths[i] + 1;
        right &= read(from, got, sizeof(got)) < 0; /* nothing is left */
    }
    (void)dup2(keep, STDERR_FILENO);
    for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
        ck_assert_int_eq(n[2 * i], lengths[i] + 1);
        ck_assert_int_eq(n[2 * i + 1], lengths[i] + 1);
    }
    ck_assert(right);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, a_line_is_one_write);
}

TEST_MAIN("message", add_tests)
