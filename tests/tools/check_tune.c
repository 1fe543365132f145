/* SPDX-License-Identifier: BSD-3-Clause */
/* check_tune.c - what was shown at single sizes moves a threshold, what was not shown does not. */
#include <config.h>

#include "tools/tune/tune.h"

#include "tests/support/test_main.h"

#include <math.h>
#include <string.h>

enum { KIB = 1024, SIZES = 8 };

static const struct tune_choice *find_choice(const char *setting)
{
    int n = 0;

    while (tune_choice(n) && strcmp(tune_choice(n)->setting, setting) != 0) {
        n++;
    }
    return tune_choice(n);
}

/* Findings of a choice at 4 KiB, 8 KiB and so on, nothing shown. */
static int nothing(const struct tune_choice *choice, const struct hitop_thresholds *row,
                   struct tune_finding *f)
{
    for (int i = 0; i < SIZES; i++) {
        f[i] = (struct tune_finding){.compared = (size_t)4 * KIB << i};
        f[i].ncandidates = tune_candidates(choice, row, f[i].compared, &f[i].present);
    }
    return SIZES;
}

/* Way `k` takes `ratio` times as long as the one in force. */
static void show(struct tune_finding *f, int k, double ratio)
{
    ck_assert_int_ne(k, f->present);
    f->shown[k] = 1;
    f->loss[k] = log(ratio);
}

START_TEST(nothing_shown_moves_nothing)
{
    for (int n = 0; tune_choice(n); n++) {
        struct hitop_thresholds row = *hitop_thresholds_for(2, _i), before = row;
        struct tune_finding f[SIZES];
        const int count = nothing(tune_choice(n), &row, f);

        ck_assert_int_eq(tune_decide(tune_choice(n), f, count, &row), 0);
        ck_assert_int_eq(tune_decide(tune_choice(n), f, 0, &row), 0);
        ck_assert_mem_eq(&row, &before, sizeof(row));
    }
}
END_TEST

START_TEST(a_limit_goes_as_far_as_is_shown)
{
    const struct tune_choice *choice = find_choice("cma-from");
    struct hitop_thresholds row = *hitop_thresholds_for(2, 1); /* from 256 KiB on */
    struct tune_finding f[SIZES];                              /* up to 512 KiB */
    int n = nothing(choice, &row, f);

    show(&f[5], 1, 0.8); /* 128 KiB */
    show(&f[4], 1, 1.1);
    ck_assert_int_eq(tune_decide(choice, f, n, &row), 1);
    ck_assert_uint_eq(row.cma_from, 128 * KIB);

    row.cma_from = 256 * KIB;
    show(&f[3], 1, 0.8); /* 32 KiB gains more than 64 KiB loses */
    ck_assert_int_eq(tune_decide(choice, f, n, &row), 1);
    ck_assert_uint_eq(row.cma_from, 32 * KIB);

    row.cma_from = 256 * KIB;
    n = nothing(choice, &row, f);
    show(&f[7], 0, 0.9); /* 512 KiB the other algorithm */
    ck_assert_int_eq(tune_decide(choice, f, n, &row), 1);
    ck_assert_uint_eq(row.cma_from, SIZE_MAX);

    row.cma_from = SIZE_MAX;
    n = nothing(choice, &row, f);
    for (int i = 0; i < n; i++) {
        show(&f[i], 1, 1.2);
    }
    ck_assert_int_eq(tune_decide(choice, f, n, &row), 0);
}
END_TEST

START_TEST(a_gain_at_one_size_does_not_pay_a_loss_at_another)
{
    const struct tune_choice *choice = find_choice("cma-from");
    struct hitop_thresholds row = *hitop_thresholds_for(2, 1);
    struct tune_finding f[SIZES];
    const int n = nothing(choice, &row, f);

    show(&f[2], 1, 0.9);
    show(&f[4], 1, 1.3);
    ck_assert_int_eq(tune_decide(choice, f, n, &row), 0);
    ck_assert_uint_eq(row.cma_from, hitop_thresholds_for(2, 1)->cma_from);
}
END_TEST

START_TEST(limits_up_to_a_size_and_a_number)
{
    const struct tune_choice *leave = find_choice("spill-to"),
                             *lines = find_choice("barrier-lines-to");
    struct hitop_thresholds row = *hitop_thresholds_for(2, 1); /* never leaves anything */
    struct tune_finding f[SIZES];
    int n = nothing(leave, &row, f);

    show(&f[2], 0, 0.9); /* 16 KiB */
    ck_assert_int_eq(tune_decide(leave, f, n, &row), 1);
    ck_assert_uint_eq(row.spill_to, 16 * KIB);
    n = nothing(leave, &row, f);
    show(&f[0], 1, 0.9);
    show(&f[1], 1, 0.9);
    show(&f[2], 1, 0.9);
    ck_assert_int_eq(tune_decide(leave, f, n, &row), 1);
    ck_assert_uint_eq(row.spill_to, 0);

    f[0] = (struct tune_finding){.compared = 6, .ncandidates = 2};
    show(&f[0], 1, 0.9);
    ck_assert_int_eq(tune_decide(lines, f, 1, &row), 1);
    ck_assert_int_eq(row.barrier_lines_to, 5);
    f[0] = (struct tune_finding){.compared = 6, .ncandidates = 2, .present = 1};
    show(&f[0], 0, 0.9);
    ck_assert_int_eq(tune_decide(lines, f, 1, &row), 1);
    ck_assert_int_eq(row.barrier_lines_to, 6);
}
END_TEST

START_TEST(pieces_change_where_it_is_shown)
{
    const struct tune_choice *choice = find_choice("fragment");
    struct hitop_thresholds row = *hitop_thresholds_for(2, 1); /* 16:4 192:16 any:32 */
    struct tune_finding f[SIZES];
    const int n = nothing(choice, &row, f);

    show(&f[3], 1, 0.8); /* 32 KiB in pieces of 8 KiB */
    show(&f[4], 1, 0.8);
    show(&f[0], 4, 1.5);
    ck_assert_int_eq(tune_decide(choice, f, n, &row), 1);
    ck_assert_uint_eq(hitop_piece_for(row.fragment, 32 * KIB), 8 * KIB);
    ck_assert_uint_eq(hitop_piece_for(row.fragment, 64 * KIB), 8 * KIB);
    ck_assert_uint_eq(hitop_piece_for(row.fragment, SIZE_MAX), 32 * KIB);
    ck_assert_uint_ne(hitop_piece_for(row.fragment, 4 * KIB), 64 * KIB);
}
END_TEST

START_TEST(one_step_serves_all_operations)
{
    const struct tune_choice *choice = find_choice("gather-step"); /* 8 16 32 64 */
    struct hitop_thresholds row = *hitop_thresholds_for(2, 1);     /* 32 KiB */
    struct tune_finding f[2 * SIZES];
    const int n = nothing(choice, &row, f) + nothing(choice, &row, f + SIZES);

    show(&f[4], 1, 0.9);
    show(&f[SIZES + 4], 1, 1.2); /* the other operation */
    ck_assert_int_eq(tune_decide(choice, f, n, &row), 0);
    show(&f[SIZES + 6], 1, 0.7);
    ck_assert_int_eq(tune_decide(choice, f, n, &row), 1);
    ck_assert_uint_eq(row.gather_step, 16 * KIB);
}
END_TEST

START_TEST(candidates_are_what_the_row_takes)
{
    for (int n = 0; tune_choice(n); n++) {
        const struct tune_choice *choice = tune_choice(n);
        for (size_t bytes = choice->first; bytes <= choice->last; bytes *= 2) {
            const size_t compared = tune_compared_size(choice, bytes, 4);
            struct hitop_thresholds row = *hitop_thresholds_for(4, 1);
            int present, ncandidates = tune_candidates(choice, &row, compared, &present);

            ck_assert_int_ge(ncandidates, 2);
            for (int k = 0; k < ncandidates; k++) {
                struct hitop_thresholds taken = row;
                int now;
                if (k != present || k < TUNE_CANDIDATES) {
                    tune_apply_candidate(choice, &taken, k, compared);
                    (void)tune_candidates(choice, &taken, compared, &now);
                    ck_assert_int_eq(now, k);
                }
            }
        }
    }
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, nothing_shown_moves_nothing, 0, 2);
    tcase_add_test(tc, a_limit_goes_as_far_as_is_shown);
    tcase_add_test(tc, a_gain_at_one_size_does_not_pay_a_loss_at_another);
    tcase_add_test(tc, limits_up_to_a_size_and_a_number);
    tcase_add_test(tc, pieces_change_where_it_is_shown);
    tcase_add_test(tc, one_step_serves_all_operations);
    tcase_add_test(tc, candidates_are_what_the_row_takes);
}

TEST_MAIN("tune", add_tests)
