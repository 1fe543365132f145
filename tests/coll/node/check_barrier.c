/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check_barrier.c - no rank completes a barrier before all ranks have arrived.
 *
 * A rank knows the arrival of the ranks that its own completion depends on: of itself, and after a
 * phase of all that the senders of its messages knew when they entered the phase of the send. At
 * the fixed point, each rank must know all arrivals.
 */
#include <config.h>

#include "hitop/plan.h"

#include "tests/support/costs.h"
#include "tests/support/test_main.h"

#include <stdint.h>

enum { MANY = 33, MAX_RANKS = 127 };

static const int larger[] = {64, 100, MAX_RANKS};

/* A set of ranks. */
struct set {
    uint64_t words[2];
};

/* What a rank knows when it enters each of its phases; the last entry is its completion. */
struct knowledge {
    struct set *entering;
    size_t nphases;
};

static int add(struct set *to, const struct set *from)
{
    const struct set old = *to;

    to->words[0] |= from->words[0];
    to->words[1] |= from->words[1];
    return memcmp(&old, to, sizeof(old)) != 0;
}

static int count(const struct set *set, int size)
{
    int n = 0;

    for (int r = 0; r < size; r++) {
        n += (int)(set->words[r / 64] >> r % 64 & 1);
    }
    return n;
}

/* The phase in which `from` sends to `to` for the index-th time. */
static size_t phase_of_send(const struct hitop_sched *from, int to, size_t index)
{
    size_t n, phase = 0;
    const struct hitop_step *steps = hitop_sched_steps(from, &n);

    for (size_t i = 0; i < n; i++) {
        phase += steps[i].kind == HITOP_STEP_FENCE;
        if (steps[i].kind == HITOP_STEP_SEND && steps[i].peer == to && index-- == 0) {
            return phase;
        }
    }
    ck_abort_msg("rank %d waits for a message that is never sent", to);
    return 0;
}

/* Does rank r learn something from the present knowledge of the others? */
static int learn(const struct hitop_plan *plan, struct knowledge *known, int r)
{
    struct set *entering = known[r].entering;
    size_t seen[MAX_RANKS] = {0}, n, phase = 0;
    const struct hitop_step *steps = hitop_sched_steps(plan->sched[r], &n);
    int more = 0;

    for (size_t i = 0; i < n; i++) {
        const int peer = steps[i].peer;
        if (steps[i].kind == HITOP_STEP_RECV) {
            const size_t sent = phase_of_send(plan->sched[peer], r, seen[peer]++);
            more |= add(&entering[phase + 1], &known[peer].entering[sent]);
        } else if (steps[i].kind == HITOP_STEP_FENCE) {
            more |= add(&entering[phase + 1], &entering[phase]);
            phase++;
        }
    }
    return more;
}

static void check_plan(const struct hitop_plan *plan, const char *name)
{
    struct knowledge known[MAX_RANKS];
    int more = 1;

    for (int r = 0; r < plan->size; r++) {
        size_t n, phases = 0;
        const struct hitop_step *steps = hitop_sched_steps(plan->sched[r], &n);
        for (size_t i = 0; i < n; i++) {
            phases += steps[i].kind == HITOP_STEP_FENCE;
        }
        known[r] = (struct knowledge){calloc(phases + 1, sizeof(struct set)), phases};
        ck_assert_ptr_nonnull(known[r].entering);
        known[r].entering[0].words[r / 64] = UINT64_C(1) << r % 64;
    }
    while (more) {
        more = 0;
        for (int r = 0; r < plan->size; r++) {
            more |= learn(plan, known, r);
        }
    }
    for (int r = 0; r < plan->size; r++) {
        const int n = count(&known[r].entering[known[r].nphases], plan->size);
        ck_assert_msg(n == plan->size, "%s: rank %d of %d goes on when %d ranks have arrived", name,
                      r, plan->size, n);
        free(known[r].entering);
    }
}

static void check_ways(int size)
{
    const struct hitop_cost cost = random_cost(size);
    const struct hitop_operation *barrier;

    ck_assert_int_eq(hitop_operation_find("barrier", &barrier, NULL), HITOP_OK);
    ck_assert_uint_gt(hitop_algorithm_count(barrier), 0);
    for (size_t i = 0; i < hitop_algorithm_count(barrier); i++) {
        const struct hitop_plan_args args = {
            .algorithm = hitop_algorithm_at(barrier, i), .size = size, .cost = &cost};
        struct hitop_plan *plan;
        ck_assert_int_eq(hitop_plan_build(&args, &plan, NULL), HITOP_OK);
        check_plan(plan, hitop_algorithm_name(args.algorithm));
        hitop_plan_free(plan);
    }
}

START_TEST(all_ranks_arrive_before_the_first_goes_on)
{
    for (int size = 1; size <= MANY; size++) {
        check_ways(size);
    }
    for (size_t i = 0; i < sizeof(larger) / sizeof(larger[0]); i++) {
        check_ways(larger[i]);
    }
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, all_ranks_arrive_before_the_first_goes_on);
}

TEST_MAIN("contract of barriers", add_tests)
