/* SPDX-License-Identifier: BSD-3-Clause */
/* check_choice_bound.c - bounds are bounds, and shortcuts of a search change no time. */
#include <config.h>

#include "coll/predict/choice_parts.h"
#include "coll/schedule/sched_prices.h"

#include "hitop/sys/coll.h"
#include "hitop/sys/tree.h"

#include "tests/support/costs.h"
#include "tests/support/test_main.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_RANKS = 64 };

static const size_t sizes[] = {0, 8, 1000, 65536};

enum { NSIZES = sizeof(sizes) / sizeof(sizes[0]) };

/* ---- Kinds of machines ---- */

static size_t eager(const void *self, int from, int to)
{
    (void)self;
    (void)from;
    (void)to;
    return 4096;
}

static int cross(const void *self, int from, int to, size_t bytes, struct hitop_crossing *out)
{
    (void)self;
    if (from % 64 == to % 64) {
        return 0;
    }
    out[0] = (struct hitop_crossing){from % 64, 1e-10 * (double)bytes};
    out[1] = (struct hitop_crossing){64 + to % 64, 1e-10 * (double)bytes};
    return 2;
}

/* Machine 0: all pairs differ; 1: sets and shared links; 2: kinds, eager messages, two ports. */
static struct hitop_cost make(int kind, int nranks)
{
    struct hitop_cost cost = kind == 0   ? random_cost(nranks)
                             : kind == 1 ? layered_cost(nranks)
                                         : hosts_cost(nranks);

    if (kind == 1) {
        cost.crossings = cross;
        cost.ntrunks = 128;
        cost.max_crossings = 2;
    }
    if (kind == 2) {
        cost.eager = eager;
        cost.reception = cost.occupancy;
    }
    return cost;
}

enum { NMACHINES = 3 };

/* ---- Bounds ---- */

static void check_ranks(const struct hitop_plan *plan, const struct hitop_cost *cost,
                        const char *name)
{
    double finish[MOST_RANKS];
    struct sched_prices prices;

    ck_assert_int_eq(hitop_sched_predict(plan->sched, plan->size, cost, finish, NULL), HITOP_OK);
    ck_assert_int_eq(hitop_sched_prices_init(&prices, cost, plan->size, NULL), HITOP_OK);
    for (int r = 0; r < plan->size; r++) {
        size_t count;
        const struct hitop_step *steps = hitop_sched_steps(plan->sched[r], &count);
        const double bound = hitop_choice_bound_steps(steps, count, r, &prices);
        ck_assert_msg(bound <= finish[r] * (1 + 1e-9), "%s: rank %d of %d: %g after %g", name, r,
                      plan->size, bound, finish[r]);
    }
    hitop_sched_prices_fini(&prices);
}

static void check_algorithm(const struct hitop_call *call, struct hitop_algorithm algorithm,
                            const struct hitop_cost *cost, double segment)
{
    const struct hitop_choice_basis basis = {.cost = cost};
    struct hitop_choice choice = hitop_choice_default(algorithm);
    struct hitop_plan_args args;
    struct hitop_plan *plan = NULL;
    struct sched_prices prices;
    double seconds, within;

    if (segment > 0 && !hitop_choice_cut(&choice, segment)) {
        return;
    }
    args = hitop_choice_plan_args(&choice, call, cost);
    if (hitop_plan_build(&args, &plan, NULL) != HITOP_OK) {
        return;
    }
    check_ranks(plan, cost, algorithm.type->name);
    hitop_plan_free(plan);
    ck_assert_int_eq(hitop_choice_price(&basis, call, &choice, &seconds, NULL), HITOP_OK);
    ck_assert_int_eq(hitop_sched_prices_init(&prices, cost, call->size, NULL), HITOP_OK);
    ck_assert_double_le(hitop_choice_bound(call, &choice, 0, &prices), seconds * (1 + 1e-9));
    ck_assert_double_le(hitop_choice_bound(call, &choice, 1, &prices), seconds * (1 + 1e-9));
    hitop_sched_prices_fini(&prices);
    /* a limit changes no time below it, and hides none above it that matters */
    ck_assert_int_eq(
        hitop_choice_price_within(&basis, call, &choice, seconds * (1 + 1e-9), &within, NULL),
        HITOP_OK);
    ck_assert_double_eq(within, seconds);
    ck_assert_int_eq(hitop_choice_price_within(&basis, call, &choice, seconds * 0.9, &within, NULL),
                     HITOP_OK);
    ck_assert(within >= seconds);
}

START_TEST(no_bound_exceeds_the_time)
{
    static const int ranks[] = {1, 2, 3, 4, 5, 7, 8, 12, 16, 21, 32, 64};

    for (size_t n = 0; n < sizeof(ranks) / sizeof(ranks[0]); n++) {
        const struct hitop_cost cost = make(_i, ranks[n]);
        for (const struct hitop_operation *o = hitop_operations(); o->name; o++) {
            struct hitop_call call = {.operation = o, .size = ranks[n], .unit = 8};
            call.root = hitop_operation_has_root(o) ? ranks[n] / 3 : 0;
            for (size_t i = 0; i < hitop_algorithm_count(o) * NSIZES; i++) {
                call.bytes = sizes[i % NSIZES] / 8 * 8;
                check_algorithm(&call, hitop_algorithm_at(o, i / NSIZES), &cost, 0);
                if (call.bytes >= 1000 && ranks[n] <= 16) {
                    check_algorithm(&call, hitop_algorithm_at(o, i / NSIZES), &cost,
                                    (double)call.bytes / 4);
                }
            }
        }
    }
}
END_TEST

/* ---- Prices by groups ---- */

/* The table of prices gives the same times as a price for each message, with far fewer prices. */
START_TEST(groups_save_prices_and_change_no_time)
{
    const struct hitop_cost cost = make(_i + 1, MOST_RANKS);
    struct hitop_cost plain = cost;

    plain.enclosing = NULL;
    plain.kind = NULL;
    for (const struct hitop_operation *o = hitop_operations(); o->name; o++) {
        const struct hitop_call call = {.operation = o, .size = MOST_RANKS, .bytes = 1024};
        for (size_t i = 0; i < hitop_algorithm_count(o); i++) {
            const struct hitop_choice choice = hitop_choice_default(hitop_algorithm_at(o, i));
            const struct hitop_choice_basis with = {.cost = &cost}, without = {.cost = &plain};
            double seconds, expected;
            if (choice.algorithm.tree ||
                hitop_choice_price(&without, &call, &choice, &expected, NULL) != HITOP_OK) {
                continue;
            }
            ck_assert_int_eq(hitop_choice_price(&with, &call, &choice, &seconds, NULL), HITOP_OK);
            ck_assert_double_eq(seconds, expected);
        }
    }
}
END_TEST

/* 16 ranks on each of 64 hosts exchange a million messages of few prices. */
START_TEST(prices_are_those_of_groups)
{
    const struct hitop_cost cost = layered_cost(1024);
    const struct hitop_choice_basis basis = {.cost = &cost};
    const struct hitop_operation *operation;
    struct hitop_call call = {.size = 1024, .bytes = 1024};
    struct hitop_choice choice;
    double seconds;

    ck_assert_int_eq(hitop_operation_find("alltoall", &operation, NULL), HITOP_OK);
    call.operation = operation;
    ck_assert_int_eq(hitop_algorithm_find(operation, "pairwise", &choice.algorithm, NULL),
                     HITOP_OK);
    choice = hitop_choice_default(choice.algorithm);
    costs_asked = 0;
    ck_assert_int_eq(hitop_choice_price(&basis, &call, &choice, &seconds, NULL), HITOP_OK);
    ck_assert_int_le(costs_asked, 2 * 64 * 64); /* time and occupancy between two hosts */
}
END_TEST

/* ---- Searches ---- */

/* What is not planned is counted, and is not the fastest. */
START_TEST(bounds_skip_slow_algorithms)
{
    const struct hitop_cost cost = layered_cost(256);
    struct hitop_choice_counts counts = {0};
    const struct hitop_choice_basis all = {.cost = &cost};
    const struct hitop_choice_basis counted = {.cost = &cost, .counts = &counts};
    struct hitop_call call = {.size = 256, .bytes = 64, .unit = 8};
    struct hitop_candidate *ranked;
    struct hitop_choice choice;
    size_t fastest;

    ck_assert_int_eq(hitop_operation_find("allgather", &call.operation, NULL), HITOP_OK);
    ranked = calloc(hitop_algorithm_count(call.operation), sizeof(*ranked));
    ck_assert_ptr_nonnull(ranked);
    ck_assert_int_eq(hitop_choice_rank(&all, &call, ranked, &fastest, NULL), HITOP_OK);
    ck_assert_int_eq(hitop_choose(&counted, &call, &choice, NULL), HITOP_OK);
    ck_assert_ptr_eq(choice.algorithm.type, ranked[fastest].choice.algorithm.type);
    ck_assert_double_eq(choice.seconds, ranked[fastest].choice.seconds);
    ck_assert_uint_ge(counts.skipped, 1); /* neighbor_exchange takes 128 phases */
    free(ranked);
}
END_TEST

/* A time that is known is not computed again, also for another operation with the same plan. */
START_TEST(a_memo_saves_searches)
{
    const struct hitop_cost cost = layered_cost(64);
    struct hitop_choice_counts counts = {0};
    struct hitop_choice_memo *memo = hitop_choice_memo_new();
    const struct hitop_choice_basis basis = {.cost = &cost, .counts = &counts, .memo = memo};
    const struct hitop_choice_basis plain = {.cost = &cost};
    struct hitop_call call = {.size = 64, .bytes = 8192, .unit = 8};
    struct hitop_choice first, again, without;
    size_t planned;

    ck_assert_ptr_nonnull(memo);
    ck_assert_int_eq(hitop_operation_find("alltoall", &call.operation, NULL), HITOP_OK);
    ck_assert_int_eq(hitop_choose(&plain, &call, &without, NULL), HITOP_OK);
    ck_assert_int_eq(hitop_choose(&basis, &call, &first, NULL), HITOP_OK);
    planned = counts.planned;
    ck_assert_int_eq(hitop_operation_find("alltoallv", &call.operation, NULL), HITOP_OK);
    ck_assert_int_eq(hitop_choose(&basis, &call, &again, NULL), HITOP_OK);
    ck_assert_uint_le(counts.planned, planned + 2); /* those that were stopped at a limit */
    ck_assert_ptr_eq(first.algorithm.type, without.algorithm.type);
    ck_assert_double_eq(first.seconds, without.seconds);
    ck_assert_double_le(again.seconds, first.seconds);
    hitop_choice_memo_free(memo);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, no_bound_exceeds_the_time, 0, NMACHINES);
    tcase_add_loop_test(tc, groups_save_prices_and_change_no_time, 0, 2);
    tcase_add_test(tc, prices_are_those_of_groups);
    tcase_add_test(tc, bounds_skip_slow_algorithms);
    tcase_add_test(tc, a_memo_saves_searches);
}

TEST_MAIN("choice bound", add_tests)
