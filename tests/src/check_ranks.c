/* SPDX-License-Identifier: BSD-3-Clause */
/* check_ranks.c - sets of ranks become short text, and the text becomes the set again. */
#include <config.h>

#include "hitop/ranks.h"

#include "tests/support/draw.h"
#include "tests/support/test_main.h"

#include <limits.h>

enum { MAX = 64 };

static const struct {
    int rank[MAX];
    int n;
    const char *text;
} sets[] = {
    {{0}, 0, ""},
    {{7}, 1, "7"},
    {{0, 1}, 2, "0-1"},
    {{0, 4}, 2, "0,4"},
    {{0, 4, 8}, 3, "0-8/4"},
    {{0, 4, 8, 9, 10, 11}, 6, "0,4,8-11"},
    {{0, 1, 2, 3, 7, 11, 15, 16}, 8, "0-3,7,11,15-16"},
    {{0, 5, 9, 13, 17}, 5, "0,5-17/4"},
    {{0, 100, 200, 300, 400, 500, 600, 700}, 8, "0-700/100"},
    {{0, 2, 4, 5}, 4, "0,2,4-5"},
    {{0, 2, 4, 6, 7, 9}, 6, "0-4/2,6-7,9"},
    {{INT_MAX - 4, INT_MAX - 2, INT_MAX}, 3, "2147483643-2147483647/2"},
};

START_TEST(writes_ranks_as_a_person_would)
{
    struct hitop_ranks ranks = {0};
    char *text;

    ck_assert_int_eq(hitop_ranks_add(&ranks, sets[_i].rank, sets[_i].n, NULL), HITOP_OK);
    text = hitop_ranks_text(ranks.range, ranks.n);
    ck_assert_str_eq(text, sets[_i].text);
    free(text);
    hitop_ranks_clear(&ranks);
}
END_TEST

/* All ranks of a list in its order; returns how many. */
static int expand(const struct hitop_ranks *ranks, int *rank, int max)
{
    int n = 0;

    for (int i = 0; i < ranks->n; i++) {
        const struct hitop_rank_range *r = &ranks->range[i];
        for (int k = 0; k < hitop_rank_range_count(r); k++) {
            ck_assert_int_lt(n, max);
            rank[n++] = r->first + k * r->step;
        }
    }
    return n;
}

START_TEST(reads_back_what_it_wrote)
{
    uint64_t state = draw_seed();

    for (int round = 0; round < 2000; round++) {
        const int sparsity = 1 + draw(&state, 6);
        struct hitop_ranks ranks = {0}, again = {0};
        int rank[MAX], back[MAX], n = 0;
        char *text;

        for (int r = 0; r < MAX; r++) {
            if (draw(&state, sparsity) == 0) {
                rank[n++] = r * (1 + round % 3);
            }
        }
        ck_assert_int_eq(hitop_ranks_add(&ranks, rank, n, NULL), HITOP_OK);
        text = hitop_ranks_text(ranks.range, ranks.n);
        if (n > 0) {
            ck_assert_int_eq(hitop_ranks_parse(text, &again, NULL), HITOP_OK);
        }
        ck_assert_int_eq(again.n, ranks.n);
        ck_assert_int_eq(expand(&again, back, MAX), n);
        ck_assert_msg(memcmp(rank, back, (size_t)n * sizeof(*rank)) == 0, "%s", text);
        free(text);
        hitop_ranks_clear(&again);
        hitop_ranks_clear(&ranks);
    }
}
END_TEST

START_TEST(reads_what_people_write)
{
    struct hitop_ranks ranks = {0};
    int rank[MAX];
    static const int expected[] = {3, 0, 1, 2, 8, 10, 12, 5};

    ck_assert_int_eq(hitop_ranks_parse("3, 0-2,8-12/2", &ranks, NULL), HITOP_OK);
    ck_assert_int_eq(hitop_ranks_parse("5-5/9", &ranks, NULL), HITOP_OK); /* behind the others */
    ck_assert_int_eq(expand(&ranks, rank, MAX), 8);
    ck_assert_mem_eq(rank, expected, sizeof(expected));
    ck_assert_int_eq(ranks.range[ranks.n - 1].step, 1);
    hitop_ranks_clear(&ranks);
}
END_TEST

static const struct {
    const char *text, *message;
} mistakes[] = {
    {"", "'' is not an integer in 0..2147483647"},
    {"x", "'x' is not an integer in 0..2147483647"},
    {"-1", "'-1' is not an integer in 0..2147483647"},
    {"2147483648", "'2147483648' is not an integer in 0..2147483647"},
    {"0,,1", "'' is not an integer in 0..2147483647"},
    {"0,", "'' is not an integer in 0..2147483647"},
    {" 0", "' 0' is not an integer in 0..2147483647"},
    {"0-", "'0-': '' is not an integer in 0..2147483647"},
    {"0-x", "'0-x': 'x' is not an integer in 0..2147483647"},
    {"0--1", "'0--1': '-1' is not an integer in 0..2147483647"},
    {"0-3-5", "'0-3-5': '3-5' is not an integer in 0..2147483647"},
    {"0/2", "'0/2' is not an integer in 0..2147483647"},
    {"0-4/", "'0-4/': '' is not an integer in 1..2147483647"},
    {"0-4/0", "'0-4/0': '0' is not an integer in 1..2147483647"},
    {"0-4/2/2", "'0-4/2/2': '2/2' is not an integer in 1..2147483647"},
    {"7,4-2", "'4-2': the last rank is below the first"},
    {"0-7/2", "'0-7/2': steps of 2 from 0 do not meet 7"},
};

START_TEST(refuses_what_is_no_list_of_ranks)
{
    struct hitop_ranks ranks = {0};
    struct hitop_diag diag = HITOP_DIAG_INIT;

    ck_assert_int_eq(hitop_ranks_parse("4", &ranks, NULL), HITOP_OK);
    ck_assert_int_eq(hitop_ranks_parse(mistakes[_i].text, &ranks, &diag), HITOP_ERR_INVALID);
    ck_assert_str_eq(diag.message, mistakes[_i].message);
    ck_assert_int_eq(ranks.n, 1);
    hitop_ranks_clear(&ranks);
    hitop_ranks_clear(&ranks);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, writes_ranks_as_a_person_would, 0,
                        (int)(sizeof(sets) / sizeof(sets[0])));
    tcase_add_test(tc, reads_back_what_it_wrote);
    tcase_add_test(tc, reads_what_people_write);
    tcase_add_loop_test(tc, refuses_what_is_no_list_of_ranks, 0,
                        (int)(sizeof(mistakes) / sizeof(mistakes[0])));
}

TEST_MAIN("ranks", add_tests)
