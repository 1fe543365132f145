/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check_arena.c - pieces of an arena stay within its cap, for any number of processes, and are
 * freed.
 */
#include <config.h>

#include "coll/node/arena.h"

#include "tests/support/test_main.h"

#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { UNIT = HITOP_ARENA_UNIT, NUNITS = 16 };

static struct hitop_arena *make(size_t cap)
{
    struct hitop_arena *arena = NULL;

    ck_assert_int_eq(hitop_arena_open(NULL, cap, &arena, NULL), HITOP_OK);
    ck_assert_uint_eq(hitop_arena_taken(arena), 0);
    return arena;
}

START_TEST(takes_whole_units_up_to_the_cap)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_arena *arena = make(NUNITS * UNIT);
    const uint64_t small = hitop_arena_take(arena, 1, 1, &diag);
    const uint64_t large = hitop_arena_take(arena, (NUNITS - 1) * UNIT, 1, &diag);

    ck_assert_uint_ne(small, 0);
    ck_assert_uint_ne(large, 0);
    ck_assert_uint_eq(hitop_arena_taken(arena), NUNITS * UNIT);
    memset(hitop_arena_at(arena, large), 7, (NUNITS - 1) * UNIT);
    ck_assert_uint_eq(hitop_arena_take(arena, 1, 1, &diag), 0);
    ck_assert_str_eq(diag.message,
                     "no 1 bytes are left of the 1114112 that communicators share on a node");
    hitop_arena_drop(arena, small, 1);
    ck_assert_uint_eq(hitop_arena_take(arena, UNIT + 1, 1, NULL), 0);
    ck_assert_uint_eq(hitop_arena_take(arena, UNIT, 1, NULL), small);
    hitop_arena_release(arena);
}
END_TEST

START_TEST(keeps_a_piece_until_its_last_holder_drops_it)
{
    struct hitop_arena *arena = make(NUNITS * UNIT);
    const uint64_t piece = hitop_arena_take(arena, 3 * UNIT, 5, NULL);

    hitop_arena_drop(arena, piece, 1);
    hitop_arena_drop(arena, piece, 3);
    ck_assert_uint_eq(hitop_arena_taken(arena), 3 * UNIT);
    hitop_arena_drop(arena, piece, 1);
    ck_assert_uint_eq(hitop_arena_taken(arena), 0);
    hitop_arena_release(arena);
}
END_TEST

START_TEST(is_one_for_processes_that_see_its_sign)
{
    struct hitop_arena *arena = make(NUNITS * UNIT), *other = NULL;
    const enum hitop_segment_kind kind = (enum hitop_segment_kind)_i;
    struct hitop_arena_sign sign, wrong;
    uint64_t piece;

    ck_assert_int_eq(hitop_arena_show(arena, kind, &sign, NULL), HITOP_OK);
    wrong = sign;
    wrong.number++;
    ck_assert_int_eq(hitop_arena_open(&wrong, 0, &other, NULL), HITOP_ERR_IO);
    ck_assert_int_eq(hitop_arena_open(&sign, 0, &other, NULL), HITOP_OK);
    hitop_segment_hide(sign.place);
    piece = hitop_arena_take(arena, UNIT, 2, NULL);
    memcpy(hitop_arena_at(arena, piece), "here", 5);
    ck_assert_str_eq((const char *)hitop_arena_at(other, piece), "here");
    hitop_arena_drop(other, piece, 2);
    ck_assert_uint_eq(hitop_arena_taken(arena), 0);
    hitop_arena_release(arena);
    if (kind == HITOP_SEGMENT_NAMED) {
        ck_assert_int_eq(hitop_arena_open(&sign, 0, &arena, NULL), HITOP_ERR_IO);
    }
    hitop_arena_release(other);
}
END_TEST

START_TEST(is_kept_by_a_process_and_known_again)
{
    struct hitop_arena *own = NULL, *again = NULL, *known = NULL;
    struct hitop_arena_sign sign;

    ck_assert_int_eq(hitop_arena_keep(NULL, UNIT, &own, NULL), HITOP_OK);
    ck_assert_int_eq(hitop_arena_keep(NULL, NUNITS * UNIT, &again, NULL), HITOP_OK);
    ck_assert_ptr_eq(own, again);
    ck_assert_int_eq(hitop_arena_show(own, HITOP_SEGMENT_NAMELESS, &sign, NULL), HITOP_OK);
    ck_assert_int_eq(hitop_arena_keep(&sign, 0, &known, NULL), HITOP_OK);
    ck_assert_ptr_eq(own, known);
}
END_TEST

/*
 * Take pieces of all sizes, write into them and check that they are unchanged; returns the number
 * of errors.
 */
static int churn(struct hitop_arena *arena, unsigned seed)
{
    int wrong = 0, taken = 0;

    for (int i = 0; i < 3000; i++) {
        const size_t bytes = (1 + (seed = seed * 1103515245u + 12345u) / 65536u % 5) * UNIT;
        const uint64_t piece = hitop_arena_take(arena, bytes, 1, NULL);
        unsigned char *data;
        if (piece == 0) {
            continue;
        }
        taken++;
        data = hitop_arena_at(arena, piece);
        for (size_t k = 0; k < bytes; k += 4096) {
            data[k] = (unsigned char)seed;
        }
        for (size_t k = 0; k < bytes; k += 4096) {
            wrong += data[k] != (unsigned char)seed;
        }
        hitop_arena_drop(arena, piece, 1);
    }
    return wrong + (taken == 0);
}

START_TEST(gives_no_unit_to_two_processes)
{
    struct hitop_arena *arena = make(NUNITS * UNIT);
    pid_t child[3];

    for (unsigned i = 0; i < 3; i++) {
        child[i] = fork();
        ck_assert_int_ge(child[i], 0);
        if (child[i] == 0) {
            const int wrong = churn(arena, i + 1);
            hitop_arena_release(arena);
            _exit(wrong ? 1 : 0);
        }
    }
    for (int i = 0; i < 3; i++) {
        int status = -1;
        ck_assert_int_eq(waitpid(child[i], &status, 0), child[i]);
        ck_assert_int_eq(status, 0);
    }
    ck_assert_uint_eq(hitop_arena_taken(arena), 0);
    hitop_arena_release(arena);
}
END_TEST

/* A program that closes all descriptors it did not open itself, and opens a file of its own. */
START_TEST(does_not_change_files_of_the_program)
{
    struct hitop_segment segment;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    char place[HITOP_SEGMENT_PLACE];

    ck_assert_int_eq(hitop_segment_create(UNIT, &segment, NULL), HITOP_OK);
    ck_assert_int_eq(dup2(STDERR_FILENO, segment.fd), segment.fd);
    ck_assert_int_eq(hitop_segment_reserve(&segment, 0, UNIT, &diag), HITOP_ERR_IO);
    ck_assert_int_eq(hitop_segment_show(&segment, HITOP_SEGMENT_NAMELESS, place, &diag),
                     HITOP_ERR_IO);
    ck_assert_str_eq(diag.message, "the program closed the file of the shared memory");
    {
        const int fd = segment.fd;
        hitop_segment_release(&segment);
        ck_assert_int_eq(close(fd), 0); /* still open */
    }
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, takes_whole_units_up_to_the_cap);
    tcase_add_test(tc, keeps_a_piece_until_its_last_holder_drops_it);
    tcase_add_loop_test(tc, is_one_for_processes_that_see_its_sign, HITOP_SEGMENT_NAMELESS,
                        HITOP_SEGMENT_NAMED + 1);
    tcase_add_test(tc, is_kept_by_a_process_and_known_again);
    tcase_add_test(tc, gives_no_unit_to_two_processes);
    tcase_add_test(tc, does_not_change_files_of_the_program);
}

TEST_MAIN("arena", add_tests)
