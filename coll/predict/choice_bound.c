/* SPDX-License-Identifier: BSD-3-Clause */
/* choice_bound.c - lower bounds of the times of algorithms, without planning all ranks. */
#include <config.h>

#include "coll/predict/choice_parts.h"
#include "coll/schedule/sched_prices.h"

#include "hitop/coroutine.h"

#include "hitop/sys/coll.h"

#include <math.h>
#include <string.h>

/* Sums over the phases of a rank so far, and over its present phase. */
struct load {
    double phases;    /* least seconds of all complete phases */
    double port;      /* seconds for which sends and local steps occupy the port in this phase */
    double reception; /* for which receives occupy the other port: in this phase, or in all */
    double longest;   /* receive: of this phase, or of all */
};

static void end_phase(struct load *load, int has_eager)
{
    if (has_eager) {
        load->phases += load->port;
    } else {
        load->phases += fmax(load->port, fmax(load->reception, load->longest));
        load->reception = load->longest = 0;
    }
    load->port = 0;
}

double hitop_choice_bound_steps(const struct hitop_step *steps, size_t count, int rank,
                                struct sched_prices *prices)
{
    const struct hitop_cost *cost = prices->cost;
    struct load load = {0, 0, 0, 0};

    for (size_t i = 0; i < count; i++) {
        const size_t bytes = steps[i].span.bytes;
        const struct sched_price *price;
        switch (steps[i].kind) {
        case HITOP_STEP_SEND:
            load.port += hitop_sched_price(prices, rank, steps[i].peer, bytes)->occupancy;
            break;
        case HITOP_STEP_RECV:
            price = hitop_sched_price(prices, steps[i].peer, rank, bytes);
            load.reception += price->reception;
            load.longest = fmax(load.longest, price->p2p);
            break;
        case HITOP_STEP_COPY:
        case HITOP_STEP_REDUCE:
            load.port += cost->local ? cost->local(cost->self, rank, bytes) : 0;
            break;
        case HITOP_STEP_FENCE:
            end_phase(&load, cost->eager != NULL);
            break;
        }
    }
    return fmax(load.phases, fmax(load.reception, load.longest));
}

/* The least seconds of the phases of a rank, each as long as its longest receive when empty. */
static double bound_latencies(const struct hitop_step *steps, size_t count, int rank,
                              struct sched_prices *prices)
{
    double sum = 0, longest = 0;

    for (size_t i = 0; i < count; i++) {
        if (steps[i].kind == HITOP_STEP_RECV) {
            longest = fmax(longest, hitop_sched_price(prices, steps[i].peer, rank, 0)->p2p);
        } else if (steps[i].kind == HITOP_STEP_FENCE) {
            sum += longest;
            longest = 0;
        }
    }
    return sum;
}

static double bound_rank(const struct hitop_choice *choice, int any_segment,
                         const struct hitop_step *steps, size_t count, int rank,
                         struct sched_prices *prices)
{
    if (!any_segment || !hitop_choice_has_segments(choice->algorithm.type)) {
        return hitop_choice_bound_steps(steps, count, rank, prices);
    }
    return prices->cost->grows && !prices->cost->eager ? bound_latencies(steps, count, rank, prices)
                                                       : 0;
}

/* Whether a plain number, which a search varies, can change the steps. */
static int has_numbers(const struct hitop_coll_type *type)
{
    for (size_t p = 0; p < type->nparams; p++) {
        if (strcmp(type->params[p].unit, "B") != 0) {
            return 1;
        }
    }
    return 0;
}

static double bound_steps_of(const struct hitop_call *call, const struct hitop_choice *choice,
                             int any_segment, int rank, struct sched_prices *prices)
{
    const struct hitop_coll_args args = choice_coll_args(call, choice, rank);
    struct hitop_sched *sched = NULL;
    double bound = 0;
    size_t count;

    if (hitop_coll_type_plan(choice->algorithm.type, &args, &sched, NULL) == HITOP_OK) {
        const struct hitop_step *steps = hitop_sched_steps(sched, &count);
        bound = bound_rank(choice, any_segment, steps, count, rank, prices);
        (void)hitop_coroutine_yield(1 + count / 2);
    }
    hitop_sched_free(sched);
    return bound;
}

double hitop_choice_bound(const struct hitop_call *call, const struct hitop_choice *choice,
                          int any_segment, struct sched_prices *prices)
{
    const int middle = (call->root + call->size / 2) % call->size;
    double bound;

    if (choice->algorithm.tree || (any_segment && has_numbers(choice->algorithm.type))) {
        return 0;
    }
    bound = fmax(bound_steps_of(call, choice, any_segment, call->root, prices),
                 bound_steps_of(call, choice, any_segment, middle, prices));
    for (int i = 0; i < prices->nboundary; i++) {
        if (prices->boundary[i] < call->size) {
            bound =
                fmax(bound, bound_steps_of(call, choice, any_segment, prices->boundary[i], prices));
        }
    }
    return prices->out_of_memory ? 0 : bound;
}
