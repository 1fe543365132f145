/* SPDX-License-Identifier: BSD-3-Clause */
/* check_mpi_price.c - predicted times of the algorithms of MPI libraries. */
#include <config.h>

#include "coll/defaults/mpi_choice.h"
#include "coll/defaults/mpi_price.h"
#include "coll/predict/cost_view.h"

#include "tests/support/costs.h"
#include "tests/support/test_main.h"

#include <math.h>

enum { RANKS = 12, HOSTS = 4 };

/* Ranks of hosts 0 to 3: three, four, three and two. */
static const int host_of[RANKS] = {0, 1, 2, 0, 1, 2, 3, 3, 0, 1, 2, 1};

static const char text[] = "algorithm bcast 1 whole\n"
                           "algorithm bcast 2 two\n"
                           "algorithm bcast 3 cut\n"
                           "algorithm bcast 4 unknown\n"
                           "algorithm allreduce 1 sum\n"
                           "algorithm allgather 1 blocks\n"
                           "algorithm reduce 1 up\n"
                           "algorithm gather 1 in\n"
                           "part bcast chain\n"
                           "choose bcast hosts 2.. bytes ..99999 : two\n"
                           "choose bcast : whole\n"
                           "choose reduce : up\n"
                           "choose gather : in\n"
                           "choose allreduce : sum\n"
                           "choose allgather : blocks\n"
                           "plan bcast whole : same binomial_mpich\n"
                           "plan bcast two : levels between bcast/chain on bcast\n"
                           "plan bcast cut : levels segment=1000 between bcast/chain on bcast\n"
                           "plan bcast unknown : none\n"
                           "plan bcast chain : same chain\n"
                           "plan reduce up : same flat\n"
                           "plan gather in : same flat\n"
                           "plan allreduce sum : calls reduce bcast\n"
                           "plan allgather blocks : levels on gather between gather on bcast\n";

struct fixture {
    struct hitop_mpi *mpi;
    struct hitop_cost cost;
    struct hitop_choice_basis choice;
    struct hitop_mpi_basis basis;
    struct hitop_call call;
};

static void init(struct fixture *f, const char *operation, size_t bytes)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;

    ck_assert_msg(hitop_mpi_parse(text, "text", &f->mpi, &diag) == HITOP_OK, "%s", diag.message);
    f->cost = random_cost(RANKS);
    f->choice = (struct hitop_choice_basis){.cost = &f->cost};
    f->basis = (struct hitop_mpi_basis){f->mpi, &f->choice, host_of};
    f->call =
        (struct hitop_call){.size = RANKS, .bytes = bytes, .hosts = HOSTS, .ranks_per_host = 4};
    ck_assert_int_eq(hitop_operation_find(operation, &f->call.operation, NULL), HITOP_OK);
}

static struct hitop_mpi_choice named(const struct fixture *f, const char *name)
{
    const struct hitop_mpi_algorithm *a;

    for (size_t i = 0; (a = hitop_mpi_algorithm_at(f->mpi, i)); i++) {
        if (a->operation == f->call.operation && strcmp(a->name, name) == 0) {
            return (struct hitop_mpi_choice){.algorithm = a};
        }
    }
    ck_abort_msg("no %s", name);
}

static double price(const struct fixture *f, const char *name)
{
    const struct hitop_mpi_choice choice = named(f, name);
    struct hitop_diag diag = HITOP_DIAG_INIT;
    double seconds;

    ck_assert_msg(hitop_mpi_price(&f->basis, &f->call, &choice, &seconds, &diag) == HITOP_OK, "%s",
                  diag.message);
    return seconds;
}

/* The time of one of our algorithms among some ranks, in segments or whole. */
static double ours(const struct fixture *f, const char *operation, const char *name,
                   const int *ranks, int count, int root, size_t bytes, double segment)
{
    const struct cost_view view = {.all = &f->cost, .rank = ranks};
    const struct hitop_cost cost = hitop_cost_view(&view, count);
    const struct hitop_choice_basis basis = {.cost = &cost};
    struct hitop_call call = {.size = count, .root = root, .bytes = bytes};
    struct hitop_algorithm algorithm;
    struct hitop_choice choice;
    double seconds;

    ck_assert_int_eq(hitop_operation_find(operation, &call.operation, NULL), HITOP_OK);
    ck_assert_int_eq(hitop_algorithm_find(call.operation, name, &algorithm, NULL), HITOP_OK);
    choice = hitop_choice_default(algorithm);
    (void)hitop_choice_cut(&choice, segment);
    ck_assert_int_eq(hitop_choice_price(&basis, &call, &choice, &seconds, NULL), HITOP_OK);
    return seconds;
}

static const int everyone[RANKS] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};

START_TEST(a_plan_has_its_time)
{
    struct fixture f;

    init(&f, "bcast", 4000);
    ck_assert_double_eq(price(&f, "whole"),
                        ours(&f, "bcast", "binomial_mpich", everyone, RANKS, 0, 4000, 0));
    hitop_mpi_free(f.mpi);
}
END_TEST

START_TEST(calls_of_other_operations_add_up)
{
    struct fixture f;

    init(&f, "allreduce", 200000);
    ck_assert_double_eq(price(&f, "sum"),
                        ours(&f, "reduce", "flat", everyone, RANKS, 0, 200000, 0) +
                            ours(&f, "bcast", "binomial_mpich", everyone, RANKS, 0, 200000, 0));
    hitop_mpi_free(f.mpi);
}
END_TEST

/* Rank 5 leads host 2; the slowest host counts. */
START_TEST(levels_take_the_slowest_host)
{
    static const int leaders[] = {0, 1, 5, 6};
    static const int hosts[HOSTS][4] = {{0, 3, 8}, {1, 4, 9, 11}, {2, 5, 10}, {6, 7}};
    static const int sizes[] = {3, 4, 3, 2};
    struct fixture f;
    double slowest = 0;

    init(&f, "bcast", 4000);
    f.call.root = 5;
    for (int h = 0; h < HOSTS; h++) {
        slowest =
            fmax(slowest, ours(&f, "bcast", "binomial_mpich", hosts[h], sizes[h], h == 2, 4000, 0));
    }
    ck_assert_double_eq_tol(
        price(&f, "two"), ours(&f, "bcast", "chain", leaders, HOSTS, 2, 4000, 0) + slowest, 1e-12);
    hitop_mpi_free(f.mpi);
}
END_TEST

START_TEST(segments_pass_through_the_levels)
{
    static const int leaders[] = {0, 1, 2, 6};
    static const int hosts[HOSTS][4] = {{0, 3, 8}, {1, 4, 9, 11}, {2, 5, 10}, {6, 7}};
    static const int sizes[] = {3, 4, 3, 2};
    struct fixture f;
    double one = 0, all = 0, between_one, between_all;

    init(&f, "bcast", 4000);
    for (int h = 0; h < HOSTS; h++) {
        one = fmax(one, ours(&f, "bcast", "binomial_mpich", hosts[h], sizes[h], 0, 1000, 0));
        all = fmax(all, ours(&f, "bcast", "binomial_mpich", hosts[h], sizes[h], 0, 4000, 1000));
    }
    between_one = ours(&f, "bcast", "chain", leaders, HOSTS, 0, 1000, 0);
    between_all = ours(&f, "bcast", "chain", leaders, HOSTS, 0, 4000, 1000);
    ck_assert_double_eq_tol(price(&f, "cut"),
                            between_one + one + fmax(between_all - between_one, all - one), 1e-12);
    hitop_mpi_free(f.mpi);
}
END_TEST

/* Blocks of a host travel together; the result is a message of all blocks. */
START_TEST(blocks_grow_with_the_level)
{
    static const int leaders[] = {0, 1, 2, 6};
    static const int hosts[HOSTS][4] = {{0, 3, 8}, {1, 4, 9, 11}, {2, 5, 10}, {6, 7}};
    static const int sizes[] = {3, 4, 3, 2};
    struct fixture f;
    double in = 0, out = 0;

    init(&f, "allgather", 100);
    for (int h = 0; h < HOSTS; h++) {
        in = fmax(in, ours(&f, "gather", "flat", hosts[h], sizes[h], 0, 100, 0));
        out = fmax(out, ours(&f, "bcast", "binomial_mpich", hosts[h], sizes[h], 0, 1200, 0));
    }
    ck_assert_double_eq_tol(price(&f, "blocks"),
                            in + ours(&f, "gather", "flat", leaders, HOSTS, 0, 400, 0) + out,
                            1e-12);
    hitop_mpi_free(f.mpi);
}
END_TEST

START_TEST(what_has_no_plan_has_no_time)
{
    struct fixture f;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_mpi_choice choice;
    double seconds;

    init(&f, "bcast", 4000);
    choice = named(&f, "unknown");
    ck_assert_int_eq(hitop_mpi_price(&f.basis, &f.call, &choice, &seconds, &diag),
                     HITOP_ERR_UNSUPPORTED);
    ck_assert_str_eq(diag.message, "there is no plan for bcast unknown");
    ck_assert(isnan(seconds));
    f.basis.host = NULL;
    choice = named(&f, "two");
    ck_assert_int_eq(hitop_mpi_price(&f.basis, &f.call, &choice, &seconds, &diag),
                     HITOP_ERR_UNSUPPORTED);
    ck_assert_str_eq(diag.message, "the hosts of the ranks are not known");
    ck_assert(isnan(seconds));
    hitop_mpi_free(f.mpi);
}
END_TEST

START_TEST(the_fastest_is_no_slower_than_any)
{
    static const char *const names[] = {"whole", "two", "cut"};
    struct fixture f;
    struct hitop_mpi_choice best;
    double seconds;

    init(&f, "bcast", 40000);
    ck_assert_int_eq(hitop_mpi_fastest(&f.basis, &f.call, &best, &seconds, NULL), HITOP_OK);
    for (int i = 0; i < 3; i++) {
        ck_assert_double_le(seconds, price(&f, names[i]));
    }
    ck_assert_int_eq(best.algorithm->is_part, 0); /* a chain of all ranks could be faster */
    hitop_mpi_free(f.mpi);
}
END_TEST

START_TEST(of_equally_fast_ones_the_choice_counts)
{
    struct fixture f;
    struct hitop_mpi_choice best;
    double seconds;

    init(&f, "bcast", 40000);
    hitop_mpi_free(f.mpi);
    ck_assert_int_eq(hitop_mpi_parse("algorithm bcast 1 a\n"
                                     "algorithm bcast 2 b\n"
                                     "choose bcast : b\n"
                                     "plan bcast a : same flat\n"
                                     "plan bcast b : same flat\n",
                                     "text", &f.mpi, NULL),
                     HITOP_OK);
    f.basis.mpi = f.mpi;
    ck_assert_int_eq(hitop_mpi_fastest(&f.basis, &f.call, &best, &seconds, NULL), HITOP_OK);
    ck_assert_str_eq(best.algorithm->name, "b");
    ck_assert_int_eq(best.line, 3);
    hitop_mpi_free(f.mpi);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, of_equally_fast_ones_the_choice_counts);
    tcase_add_test(tc, a_plan_has_its_time);
    tcase_add_test(tc, calls_of_other_operations_add_up);
    tcase_add_test(tc, levels_take_the_slowest_host);
    tcase_add_test(tc, segments_pass_through_the_levels);
    tcase_add_test(tc, blocks_grow_with_the_level);
    tcase_add_test(tc, what_has_no_plan_has_no_time);
    tcase_add_test(tc, the_fastest_is_no_slower_than_any);
}

TEST_MAIN("mpi_price", add_tests)
