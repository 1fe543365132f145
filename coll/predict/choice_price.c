/* SPDX-License-Identifier: BSD-3-Clause */
/* choice_price.c - plan an algorithm for all ranks, then simulate the plans. */
#include <config.h>

#include "coll/predict/choice_parts.h"
#include "coll/predict/fan.h"

#include <math.h>
#include <stdlib.h>

/*
 * A lower bound of the longest phase of a rank: its sends and local steps one after another, all
 * its receives at the same time.
 */
static double longest_phase(const struct hitop_sched *sched, int rank,
                            const struct hitop_cost *cost)
{
    double longest = 0, port = 0, message = 0;
    size_t count;
    const struct hitop_step *step = hitop_sched_steps(sched, &count);

    for (size_t i = 0; i < count; i++) {
        const size_t bytes = step[i].span.bytes;
        switch (step[i].kind) {
        case HITOP_STEP_SEND:
            port += cost->occupancy(cost->self, rank, step[i].peer, bytes);
            break;
        case HITOP_STEP_RECV:
            message = fmax(message, cost->p2p(cost->self, step[i].peer, rank, bytes));
            break;
        case HITOP_STEP_COPY:
        case HITOP_STEP_REDUCE:
            port += cost->local ? cost->local(cost->self, rank, bytes) : 0;
            break;
        case HITOP_STEP_FENCE:
            longest = fmax(longest, fmax(port, message));
            port = message = 0;
            break;
        }
    }
    return longest;
}

/* Predict when the last rank completes, and the longest phase. */
static enum hitop_status price_plan(const struct hitop_plan *plan, const struct hitop_cost *cost,
                                    struct choice_price *out, struct hitop_diag *diag)
{
    double *finish = calloc((size_t)plan->size, sizeof(*finish));
    const enum hitop_status status =
        finish ? hitop_sched_predict(plan->sched, plan->size, cost, finish, diag)
               : hitop_fail(diag, HITOP_ERR_NOMEM, "prediction: out of memory");

    if (status == HITOP_OK) {
        *out = (struct choice_price){0, 0};
        for (int r = 0; r < plan->size; r++) {
            out->seconds = fmax(out->seconds, finish[r]);
            out->stage = fmax(out->stage, longest_phase(plan->sched[r], r, cost));
        }
    }
    free(finish);
    return status;
}

enum hitop_status hitop_choice_find_price(const struct hitop_choice_basis *basis,
                                          const struct hitop_call *call,
                                          const struct hitop_choice *choice,
                                          struct choice_price *out, struct hitop_diag *diag)
{
    const struct hitop_plan_args args = hitop_choice_plan_args(choice, call, basis->cost);
    struct fan_delays delays = {0};
    struct hitop_plan *plan = NULL;
    enum hitop_status status = hitop_plan_build(&args, &plan, diag);

    if (status == HITOP_OK) {
        status = hitop_fan_delays_init(&delays, plan, basis->cost, basis->irregular, diag);
    }
    if (status == HITOP_OK) {
        status = price_plan(plan, &delays.cost, out, diag);
    }
    hitop_fan_delays_fini(&delays);
    hitop_plan_free(plan);
    return status;
}

enum hitop_status hitop_choice_trace(const struct hitop_choice_basis *basis,
                                     const struct hitop_plan *plan, double *finish,
                                     hitop_sched_note *note, void *self, struct hitop_diag *diag)
{
    struct fan_delays delays;
    enum hitop_status status =
        hitop_fan_delays_init(&delays, plan, basis->cost, basis->irregular, diag);

    if (status == HITOP_OK) {
        status = hitop_sched_trace(plan->sched, plan->size, &delays.cost, finish, note, self, diag);
    }
    hitop_fan_delays_fini(&delays);
    return status;
}

ptrdiff_t hitop_choice_fastest(const struct hitop_candidate *candidates, size_t count)
{
    ptrdiff_t best = -1;

    for (size_t i = 0; i < count; i++) {
        const double seconds = candidates[i].choice.seconds;
        if (!isnan(seconds) &&
            (best < 0 || choice_is_faster(seconds, candidates[best].choice.seconds))) {
            best = (ptrdiff_t)i;
        }
    }
    return best;
}
