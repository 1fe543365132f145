/* SPDX-License-Identifier: BSD-3-Clause */
/* check_mpi_rules.c - the texts on MPI libraries: no gap, no overlap, no line without a use. */
#include <config.h>

#include "coll/defaults/mpi_line.h"
#include "coll/defaults/mpi_rules.h"

#include "tests/support/test_main.h"

static struct hitop_mpi *load(const char *name)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_mpi *mpi;

    ck_assert_msg(hitop_mpi_load(name, &mpi, &diag) == HITOP_OK, "%s: %s", name, diag.message);
    return mpi;
}

static int overlap(const struct mpi_when *a, const struct mpi_when *b)
{
    if (a->operation != b->operation) {
        return 0;
    }
    for (int i = 0; i < MPI_NCONDITIONS; i++) {
        if (a->range[i].high < b->range[i].low || a->range[i].low > b->range[i].high) {
            return 0;
        }
    }
    return 1;
}

START_TEST(decisions_of_coll_tuned_do_not_overlap)
{
    struct hitop_mpi *mpi = load("openmpi-4.1");

    for (int i = 0; i < mpi->nchoose; i++) {
        for (int j = 0; j < i; j++) {
            ck_assert_msg(!overlap(&mpi->choose[i].when, &mpi->choose[j].when),
                          "lines %d and %d overlap", mpi->choose[j].line, mpi->choose[i].line);
        }
    }
    hitop_mpi_free(mpi);
}
END_TEST

/* Whether a range lies within another one in all conditions. */
static int is_within(const struct mpi_when *a, const struct mpi_when *b)
{
    for (int i = 0; i < MPI_NCONDITIONS; i++) {
        if (a->range[i].low < b->range[i].low || a->range[i].high > b->range[i].high) {
            return 0;
        }
    }
    return a->operation == b->operation;
}

/* In a text without what it includes, which may be replaced as a whole. */
START_TEST(no_line_is_hidden_by_one_before_it)
{
    for (size_t n = 0; hitop_mpi_name_at(n); n++) {
        struct hitop_mpi *mpi = load(hitop_mpi_name_at(n));
        for (int i = 0; i < mpi->nchoose; i++) {
            for (int j = 0; j < i; j++) {
                const struct mpi_choose *a = &mpi->choose[i], *b = &mpi->choose[j];
                ck_assert_msg(strcmp(a->file, b->file) != 0 || !is_within(&a->when, &b->when),
                              "%s: line %d hides line %d", a->file, b->line, a->line);
            }
        }
        for (int i = 0; i < mpi->nplans; i++) {
            for (int j = 0; j < i; j++) {
                const struct mpi_plan *a = &mpi->plan[i], *b = &mpi->plan[j];
                ck_assert_msg(strcmp(a->file, b->file) != 0 || a->index != b->index ||
                                  !is_within(&a->when, &b->when),
                              "%s: line %d hides line %d", a->file, b->line, a->line);
            }
        }
        hitop_mpi_free(mpi);
    }
}
END_TEST

/* The last line on an algorithm has no condition, or one that says where the library takes it. */
START_TEST(each_algorithm_has_a_line_on_its_plan)
{
    for (size_t n = 0; hitop_mpi_name_at(n); n++) {
        struct hitop_mpi *mpi = load(hitop_mpi_name_at(n));
        for (int a = 0; a < mpi->nalgorithms; a++) {
            int complete = 0;
            for (int i = 0; i < mpi->nplans; i++) {
                struct mpi_when all = {.operation = mpi->algorithm[a].operation};
                for (int c = 0; c < MPI_NCONDITIONS; c++) {
                    all.range[c] = (struct hitop_range){0, SIZE_MAX};
                }
                complete |= mpi->plan[i].index == a && is_within(&all, &mpi->plan[i].when);
            }
            ck_assert_msg(complete, "%s: no line on the plan of %s %s", hitop_mpi_name_at(n),
                          mpi->algorithm[a].operation->name, mpi->algorithm[a].name);
        }
        hitop_mpi_free(mpi);
    }
}
END_TEST

START_TEST(texts_are_in_the_order_of_their_names)
{
    for (size_t n = 1; hitop_mpi_name_at(n); n++) {
        ck_assert_int_lt(strcmp(hitop_mpi_name_at(n - 1), hitop_mpi_name_at(n)), 0);
    }
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, decisions_of_coll_tuned_do_not_overlap);
    tcase_add_test(tc, no_line_is_hidden_by_one_before_it);
    tcase_add_test(tc, each_algorithm_has_a_line_on_its_plan);
    tcase_add_test(tc, texts_are_in_the_order_of_their_names);
}

TEST_MAIN("mpi_rules", add_tests)
