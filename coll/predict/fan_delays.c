/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fan_delays.c - the delays of messages of a fan in a plan.
 *
 * The simulation of a plan lets concurrent messages overlap. The time that the formula of a fan
 * (fan.c) adds to that is a delay of each of its messages; it counts once, as all of them are late
 * together. Between M1 and M2, where no formula holds, a fan takes HITOP_ESCALATION times as long:
 * the factor by which a measurement recognizes escalations.
 */
#include <config.h>

#include "coll/predict/fan.h"

#include "hitop/model.h"

#include <math.h>
#include <stdlib.h>

struct fan_delay {
    int from, to;
    size_t bytes;
    double seconds;
};

/* The properties of the sends, or of the receives, of a phase. */
struct side {
    enum hitop_step_kind kind;
    double from_bytes; /* shorter messages cause no delay; NaN: no message does */
    struct hitop_bounds (*formula)(const struct fan *fan, const struct hitop_irregular *irregular);
    double erratic_until; /* below this size in bytes, times are erratic */
};

static double delay_of(const struct fan *fan, const struct side *side,
                       const struct hitop_irregular *irregular)
{
    const double overlapped = fan_overlapped(fan);
    double seconds = side->formula(fan, irregular).upper;

    if (fan->count < 2) {
        return 0;
    }
    if (!(fan->least >= side->erratic_until)) {
        seconds = fmax(seconds, HITOP_ESCALATION * overlapped);
    }
    return seconds - overlapped;
}

static int is_of(const struct hitop_step *step, const struct side *side)
{
    return step->kind == side->kind && (double)step->span.bytes >= side->from_bytes;
}

static struct fan_delay delay_at(const struct hitop_step *step, int rank)
{
    const int sends = step->kind == HITOP_STEP_SEND;

    return (struct fan_delay){
        .from = sends ? rank : step->peer, .to = sends ? step->peer : rank, step->span.bytes};
}

static struct fan fan_of(const struct hitop_step *step, size_t count, int rank,
                         const struct side *side, const struct hitop_cost *cost)
{
    double (*port)(const void *, int, int, size_t) =
        side->kind == HITOP_STEP_SEND ? cost->occupancy : cost->reception;
    struct fan fan = {0};

    for (size_t i = 0; i < count; i++) {
        if (is_of(&step[i], side)) {
            const struct fan_delay d = delay_at(&step[i], rank);
            hitop_fan_add(&fan, cost->p2p(cost->self, d.from, d.to, d.bytes),
                          port ? port(cost->self, d.from, d.to, d.bytes) : 0, d.bytes);
        }
    }
    return fan;
}

static int add(struct fan_delays *delays, const struct fan_delay *delay)
{
    if (delays->count == delays->capacity) {
        const size_t capacity = 2 * delays->capacity + 64;
        struct fan_delay *larger = reallocarray(delays->delays, capacity, sizeof(*larger));
        if (!larger) {
            return 0;
        }
        delays->delays = larger;
        delays->capacity = capacity;
    }
    delays->delays[delays->count++] = *delay;
    return 1;
}

/* Add the delays of one phase of a rank; 0 when out of memory. */
static int add_phase(struct fan_delays *delays, const struct hitop_step *step, size_t count,
                     int rank, const struct hitop_irregular *irregular)
{
    const struct side sides[] = {
        {HITOP_STEP_SEND, irregular->S, hitop_fan_scatter, 0},
        {HITOP_STEP_RECV, irregular->M1, hitop_fan_gather, irregular->M2},
    };

    for (int s = 0; s < 2; s++) {
        const struct fan fan = fan_of(step, count, rank, &sides[s], delays->view.all);
        const double seconds = delay_of(&fan, &sides[s], irregular);
        for (size_t i = 0; seconds > 0 && i < count; i++) {
            if (is_of(&step[i], &sides[s])) {
                struct fan_delay delay = delay_at(&step[i], rank);
                delay.seconds = seconds;
                if (!add(delays, &delay)) {
                    return 0;
                }
            }
        }
    }
    return 1;
}

static int add_rank(struct fan_delays *delays, const struct hitop_sched *sched, int rank,
                    const struct hitop_irregular *irregular)
{
    size_t count, begin = 0;
    const struct hitop_step *step = hitop_sched_steps(sched, &count);
    int is_good = 1;

    for (size_t i = 0; i < count && is_good; i++) {
        if (step[i].kind == HITOP_STEP_FENCE) {
            is_good = add_phase(delays, step + begin, i - begin, rank, irregular);
            begin = i + 1;
        }
    }
    return is_good;
}

static int by_message(const void *a, const void *b)
{
    const struct fan_delay *x = a, *y = b;

    if (x->from != y->from) {
        return x->from < y->from ? -1 : 1;
    }
    if (x->to != y->to) {
        return x->to < y->to ? -1 : 1;
    }
    return (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

/*
 * The delay of a message. The simulation does not distinguish messages of one size between the
 * same ranks; they all get the delay of one of them.
 */
static double look_up(const void *self, int from, int to, size_t bytes)
{
    const struct fan_delays *d = self;
    const struct fan_delay key = {.from = from, .to = to, .bytes = bytes};
    const struct fan_delay *found =
        d->count ? bsearch(&key, d->delays, d->count, sizeof(key), by_message) : NULL;

    return found ? found->seconds : 0;
}

enum hitop_status hitop_fan_delays_init(struct fan_delays *delays, const struct hitop_plan *plan,
                                        const struct hitop_cost *cost,
                                        const struct hitop_irregular *irregular,
                                        struct hitop_diag *diag)
{
    *delays = (struct fan_delays){.view = {.all = cost, .delay = look_up, .self = delays}};
    delays->cost = irregular ? hitop_cost_view(&delays->view, cost->nranks) : *cost;
    for (int rank = 0; irregular && rank < plan->size; rank++) {
        if (!add_rank(delays, plan->sched[rank], rank, irregular)) {
            return hitop_fail(diag, HITOP_ERR_NOMEM, "prediction: out of memory");
        }
    }
    if (delays->count > 0) {
        qsort(delays->delays, delays->count, sizeof(*delays->delays), by_message);
    }
    return HITOP_OK;
}

void hitop_fan_delays_fini(struct fan_delays *delays)
{
    free(delays->delays);
}
