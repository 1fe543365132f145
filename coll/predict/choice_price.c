/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * choice_price.c - the time of an algorithm: from its tree where that is enough, else by a
 * simulation of the plans of all ranks.
 */
#include <config.h>

#include "coll/predict/choice_parts.h"
#include "coll/predict/fan.h"
#include "coll/predict/ring_times.h"
#include "coll/predict/tree_cache.h"
#include "coll/predict/tree_times.h"
#include "coll/schedule/sched_replay.h"
#include "hitop/coroutine.h"
#include "hitop/sys/coll.h"

#include <math.h>
#include <stdlib.h>

/*
 * A lower bound of the longest phase of a rank: its sends and local steps one after another, all
 * its receives at the same time.
 */
static double longest_phase(const struct hitop_sched *sched, int rank, struct sched_prices *prices)
{
    const struct hitop_cost *cost = prices->cost;
    double longest = 0, port = 0, message = 0;
    size_t count;
    const struct hitop_step *step = hitop_sched_steps(sched, &count);

    for (size_t i = 0; i < count; i++) {
        const size_t bytes = step[i].span.bytes;
        switch (step[i].kind) {
        case HITOP_STEP_SEND:
            port += hitop_sched_price(prices, rank, step[i].peer, bytes)->occupancy;
            break;
        case HITOP_STEP_RECV:
            message = fmax(message, hitop_sched_price(prices, step[i].peer, rank, bytes)->p2p);
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
static enum hitop_status price_plan(const struct hitop_plan *plan, int with_stage,
                                    struct sched_prices *prices, double limit,
                                    struct choice_price *out, struct hitop_diag *diag)
{
    double *finish = calloc((size_t)plan->size, sizeof(*finish));
    struct sched_replay replay = {.scheds = plan->sched,
                                  .size = plan->size,
                                  .prices = prices,
                                  .limit = limit,
                                  .finish = finish};
    const enum hitop_status status =
        finish ? hitop_sched_replay_run(&replay, diag)
               : hitop_fail(diag, HITOP_ERR_NOMEM, "prediction: out of memory");

    if (status == HITOP_OK) {
        *out = (struct choice_price){.seconds = replay.is_stopped ? INFINITY : 0};
        for (int r = 0; r < plan->size && !replay.is_stopped; r++) {
            out->seconds = fmax(out->seconds, finish[r]);
            if (with_stage) {
                out->stage = fmax(out->stage, longest_phase(plan->sched[r], r, prices));
                (void)hitop_coroutine_yield(1 + plan->nsteps / (size_t)plan->size / 8);
            }
        }
        out->least = out->seconds;
    }
    free(finish);
    return status;
}

/* Plan a choice for all ranks and predict the plan. `prices` are those of the basis. */
static enum hitop_status price_by_plan(const struct hitop_choice_basis *basis,
                                       const struct hitop_call *call,
                                       const struct hitop_choice *choice,
                                       struct sched_prices *prices, double limit,
                                       struct choice_price *out, struct hitop_diag *diag)
{
    const struct hitop_plan_args args = hitop_choice_plan_args(choice, call, basis->cost);
    const int with_stage = hitop_choice_has_segments(choice->algorithm.type);
    struct fan_delays delays = {0};
    struct sched_prices delayed = {0};
    struct hitop_plan *plan = NULL;
    enum hitop_status status = hitop_plan_build(&args, &plan, diag);

    if (status == HITOP_OK && basis->irregular) {
        status = hitop_fan_delays_init(&delays, plan, basis->cost, basis->irregular, diag);
    }
    if (status == HITOP_OK && basis->irregular) {
        status = hitop_sched_prices_init(&delayed, &delays.cost, call->size, diag);
    }
    if (status == HITOP_OK) {
        status =
            price_plan(plan, with_stage, basis->irregular ? &delayed : prices, limit, out, diag);
    }
    hitop_sched_prices_fini(&delayed);
    hitop_fan_delays_fini(&delays);
    hitop_plan_free(plan);
    return status;
}

/* ---- By the tree ---- */

int hitop_choice_has_tree_price(const struct hitop_choice_basis *basis,
                                const struct hitop_call *call, const struct hitop_choice *choice)
{
    return !basis->irregular && hitop_tree_times_apply(choice, call, basis->cost);
}

/* The times of `bytes` over the tree of a choice; INFINITY if they are longer than the limit. */
static enum hitop_status time_tree(const struct hitop_choice_basis *basis,
                                   const struct hitop_call *call, const struct hitop_choice *choice,
                                   size_t bytes, double limit, struct tree_time *out,
                                   struct hitop_diag *diag)
{
    const struct hitop_plan_args args = hitop_choice_plan_args(choice, call, basis->cost);
    const struct hitop_coll_type *type = choice->algorithm.type;
    struct hitop_call travels = *call;
    struct hitop_coll_args coll = choice_coll_args(call, choice, 0);
    struct sched_prices *prices;
    const struct hitop_tree *tree = NULL;
    enum hitop_status status = hitop_coll_check(type, &coll, diag); /* before a tree is built */

    if (status == HITOP_OK) {
        status = hitop_tree_cache_find(hitop_choice_memo_trees(basis->memo), &args, &tree, diag);
    }
    if (status == HITOP_OK) {
        coll.tree = tree;
        status = hitop_coll_check(type, &coll, diag);
    }
    if (status == HITOP_OK) {
        status = hitop_choice_memo_prices(basis->memo, basis->cost, call->size, &prices, diag);
    }
    if (status == HITOP_OK) {
        travels.bytes = bytes;
        status = hitop_tree_times(&travels, choice, tree, prices, limit, out, diag);
    }
    return status;
}

/*
 * Set the price by the times of the tree, and return 1 if it is complete; else out->seconds is
 * INFINITY, and only a simulation finds it.
 */
static int set_price(const struct hitop_choice_basis *basis, const struct tree_time *time,
                     struct choice_price *out)
{
    static const double mean = 1.5; /* of the time over its bound where messages share trunks */
    const int by_bound = !time->is_exact && hitop_choice_memo_uses_bounds(basis->memo);

    *out = (struct choice_price){.seconds = time->is_exact ? time->seconds : INFINITY,
                                 .least = isinf(time->seconds) ? time->bound
                                                               : fmax(time->seconds, time->bound),
                                 .stage = time->stage};
    if (by_bound) {
        out->seconds = out->least *= mean;
    }
    return time->is_exact || by_bound;
}

enum hitop_status hitop_choice_price_tree(const struct hitop_choice_basis *basis,
                                          const struct hitop_call *call,
                                          const struct hitop_choice *choice, size_t bytes,
                                          double limit, struct choice_price *out,
                                          struct hitop_diag *diag)
{
    const int is_of_call = bytes == call->bytes;
    struct tree_time time;
    enum hitop_status status;

    if (is_of_call && hitop_choice_memo_find(basis->memo, call, choice, out)) {
        return HITOP_OK;
    }
    status = time_tree(basis, call, choice, bytes, limit, &time, diag);
    if (status == HITOP_OK && set_price(basis, &time, out) && is_of_call &&
        out->seconds < INFINITY) {
        hitop_choice_memo_add(basis->memo, call, choice, out);
        if (basis->counts) {
            basis->counts->direct++;
        }
    }
    return status;
}

static int is_beyond(double bound, double limit)
{
    return limit < HUGE_VAL && bound > limit * CHOICE_SURE;
}

/* Predict a choice by its tree; by its plans where messages share trunks. */
static enum hitop_status price_by_tree(const struct hitop_choice_basis *basis,
                                       const struct hitop_call *call,
                                       const struct hitop_choice *choice,
                                       struct sched_prices *prices, double limit,
                                       struct choice_price *out, struct hitop_diag *diag)
{
    struct hitop_choice_counts *counts = basis->counts;
    struct tree_time time;
    struct choice_price by_tree;
    int is_complete;
    enum hitop_status status = time_tree(basis, call, choice, call->bytes, limit, &time, diag);

    if (status != HITOP_OK) {
        return status;
    }
    is_complete = set_price(basis, &time, &by_tree);
    if (is_beyond(time.bound, limit)) {
        by_tree.seconds = INFINITY;
        counts->skipped++;
    } else if (is_complete) {
        counts->direct++;
    } else {
        status = price_by_plan(basis, call, choice, prices, limit, out, diag);
        by_tree.seconds = out->seconds;
        counts->planned++;
    }
    *out = by_tree;
    return status;
}

/* ---- By either ---- */

static enum hitop_status find_price(const struct hitop_choice_basis *basis,
                                    const struct hitop_call *call,
                                    const struct hitop_choice *choice, double limit,
                                    struct choice_price *out, struct hitop_diag *diag)
{
    struct sched_prices *prices;
    enum hitop_status status =
        hitop_choice_memo_prices(basis->memo, basis->cost, call->size, &prices, diag);

    if (status != HITOP_OK) {
        return status;
    }
    if (hitop_choice_has_tree_price(basis, call, choice)) {
        status = price_by_tree(basis, call, choice, prices, limit, out, diag);
    } else if (limit < HUGE_VAL && is_beyond(hitop_choice_bound(call, choice, 0, prices), limit)) {
        *out = (struct choice_price){INFINITY, INFINITY, 0};
        basis->counts->skipped++;
    } else if (!basis->irregular && hitop_ring_times(call, choice, prices, out)) {
        basis->counts->direct++;
    } else {
        status = price_by_plan(basis, call, choice, prices, limit, out, diag);
        basis->counts->planned++;
    }
    if (status == HITOP_OK && out->seconds < INFINITY) {
        hitop_choice_memo_add(basis->memo, call, choice, out);
    }
    return status;
}

enum hitop_status hitop_choice_find_price(const struct hitop_choice_basis *basis,
                                          const struct hitop_call *call,
                                          const struct hitop_choice *choice, double limit,
                                          struct choice_price *out, struct hitop_diag *diag)
{
    struct hitop_choice_counts none = {0};
    struct hitop_choice_basis own = *basis;
    enum hitop_status status;

    own.counts = basis->counts ? basis->counts : &none;
    if (hitop_choice_memo_find(basis->memo, call, choice, out)) {
        return HITOP_OK;
    }
    own.memo = basis->memo ? basis->memo : hitop_choice_memo_new();
    status = own.memo ? find_price(&own, call, choice, limit, out, diag)
                      : hitop_fail(diag, HITOP_ERR_NOMEM, "prediction: out of memory");
    if (!basis->memo) {
        hitop_choice_memo_free(own.memo);
    }
    return status;
}

enum hitop_status hitop_choice_price_within(const struct hitop_choice_basis *basis,
                                            const struct hitop_call *call,
                                            const struct hitop_choice *choice, double limit,
                                            double *seconds, struct hitop_diag *diag)
{
    struct choice_price price = {.seconds = NAN};
    enum hitop_status status = hitop_choice_check_priced(basis, call, diag);

    if (status == HITOP_OK) {
        status = hitop_choice_find_price(basis, call, choice, limit, &price, diag);
    }
    *seconds = price.seconds;
    return status;
}

enum hitop_status hitop_choice_price(const struct hitop_choice_basis *basis,
                                     const struct hitop_call *call,
                                     const struct hitop_choice *choice, double *seconds,
                                     struct hitop_diag *diag)
{
    return hitop_choice_price_within(basis, call, choice, INFINITY, seconds, diag);
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
