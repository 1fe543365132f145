/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sched_predict.c - simulate the schedules of all ranks in the order of time.
 *
 * The next event of a rank has a time that is known or depends on a message; the simulation
 * processes the earliest event of all ranks first. Messages that compete for a port therefore get
 * it in the order in which they need it. Takes O(n log n) for n steps.
 */
#include <config.h>

#include "coll/schedule/sched_replay.h"
#include "coll/schedule/sched_simulate.h"
#include "hitop/coroutine.h"

#include <math.h>
#include <stdlib.h>

static size_t message_at(const struct simulation *s, int rank, size_t step)
{
    return s->matching.message_of[s->matching.first[rank] + step];
}

/*
 * Enter the next phase and post all its receives; continue senders and messages that wait for
 * them.
 */
static void enter(struct simulation *s, int rank, const struct hitop_step *steps, double now)
{
    struct actor *a = &s->actors[rank];
    size_t i;

    a->port = a->arrived = now;
    a->stage = WORKING;
    for (i = s->next[rank]; steps[i].kind != HITOP_STEP_FENCE; i++) {
        if (steps[i].kind == HITOP_STEP_RECV) {
            const size_t m = message_at(s, rank, i);
            if (s->flags[m] & SENT) { /* the message has arrived before its receive was posted */
                a->arrived = fmax(a->arrived, s->places[m].arrival);
            } else {
                a->missing++;
            }
            s->flags[m] |= POSTED;
            if (s->flags[m] & SENDER_WAITS) {
                simulation_go_on(s, steps[i].peer, now);
            } else if (s->flags[m] & IS_EARLY) {
                hitop_simulation_match(s, m, now);
            }
        }
    }
    s->work += i - s->next[rank];
    a->fence = i;
}

/* A copy or a reduction, which occupies the port of the rank. */
static void work_alone(struct simulation *s, int rank, const struct hitop_step *step)
{
    const struct hitop_cost *cost = s->cost;
    double *port = &s->actors[rank].port;
    const double begin = *port;

    *port += cost->local ? cost->local(cost->self, rank, step->span.bytes) : 0;
    if (s->trace) {
        s->trace(s->trace_self, &(struct hitop_activity){.kind = step->kind,
                                                         .from = rank,
                                                         .to = rank,
                                                         .bytes = step->span.bytes,
                                                         .begin = begin,
                                                         .sent = *port,
                                                         .reached = *port,
                                                         .end = *port});
    }
}

/* Run sends, copies and reductions in their order; return 0 where the rank must wait. */
static int work(struct simulation *s, int rank, const struct hitop_step *steps, double now)
{
    struct actor *a = &s->actors[rank];

    for (size_t *next = &s->next[rank]; *next < a->fence; ++*next) {
        const struct hitop_step *step = &steps[*next];
        if (step->kind == HITOP_STEP_SEND) {
            const size_t m = message_at(s, rank, *next);
            if (!(s->flags[m] & POSTED) && !simulation_is_eager(s, &s->matching.messages[m])) {
                s->flags[m] |= SENDER_WAITS;
                return 0;
            }
            if (a->port > now) {
                simulation_go_on(s, rank, a->port);
                return 0;
            }
            if (!hitop_simulation_start(s, m, now)) {
                return 0;
            }
        } else if (step->kind != HITOP_STEP_RECV) {
            work_alone(s, rank, step);
        }
    }
    return 1;
}

/* Run the steps of a rank until it must wait. */
static void advance(struct simulation *s, int rank, double now)
{
    struct actor *a = &s->actors[rank];
    size_t count;
    const struct hitop_step *steps = hitop_sched_steps(s->scheds[rank], &count);

    for (;;) {
        if (a->stage == RECEIVING) {
            s->next[rank] = a->fence + 1;
            a->stage = ENTERING;
        }
        if (a->stage == ENTERING) {
            if (s->next[rank] == count) {
                return;
            }
            enter(s, rank, steps, now);
        }
        if (!work(s, rank, steps, now)) {
            return;
        }
        a->stage = RECEIVING;
        if (a->missing > 0) {
            return;
        }
        if (fmax(a->port, a->arrived) > now) {
            simulation_go_on(s, rank, fmax(a->port, a->arrived));
            return;
        }
    }
}

/* Set next[] of a rank that waits for receives to the first receive that has not completed. */
static void find_missing(struct simulation *s, int rank)
{
    size_t count, *next = &s->next[rank];
    const struct hitop_step *steps = hitop_sched_steps(s->scheds[rank], &count);

    if (s->actors[rank].missing > 0 && s->actors[rank].stage == RECEIVING) {
        while (*next > 0 && steps[*next - 1].kind != HITOP_STEP_FENCE) {
            --*next;
        }
        while (steps[*next].kind != HITOP_STEP_RECV ||
               (s->flags[message_at(s, rank, *next)] & SENT)) {
            ++*next;
        }
    }
}

/* Events and entered steps between two calls of hitop_coroutine_yield(). */
enum { WORK = 64 };

/*
 * Process all events in the order of time: those of ranks, then those of trunks. Returns 0 at the
 * first one later than the limit, or when the computation is cancelled.
 */
static int run_events(struct simulation *s, double limit)
{
    for (;; s->work++) {
        const double next = hitop_sched_events_first(&s->events);
        struct sched_event e;

        if (s->work >= WORK) {
            s->is_cancelled = hitop_coroutine_yield(s->work);
            s->work = 0;
        }
        if (s->is_cancelled) {
            return 0;
        }
        if (next > limit && next < HUGE_VAL) {
            return 0;
        }
        if (s->timers.count > 0 && s->timers.time[s->timers.heap[0]] < next) {
            const int trunk = s->timers.heap[0];
            if (s->timers.time[trunk] > limit) {
                return 0;
            }
            hitop_simulation_serve(s, trunk, s->timers.time[trunk]);
        } else if (!hitop_sched_events_take(&s->events, &e)) {
            return 1;
        } else if (e.message == NO_MESSAGE) {
            advance(s, e.rank, e.time);
        } else {
            hitop_simulation_match(s, e.message, e.time);
        }
    }
}

static enum hitop_status run(struct simulation *s, struct sched_replay *replay,
                             struct hitop_diag *diag)
{
    for (int r = 0; r < s->size; r++) {
        simulation_go_on(s, r, 0);
    }
    replay->is_stopped = !run_events(s, replay->limit);
    if (s->events.out_of_memory || s->prices->out_of_memory) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "prediction: out of memory");
    }
    if (s->is_cancelled) {
        return hitop_fail(diag, HITOP_ERR_CANCELLED, "prediction: cancelled");
    }
    if (replay->is_stopped) {
        return HITOP_OK;
    }
    for (int r = 0; r < s->size; r++) {
        find_missing(s, r);
        replay->finish[r] = fmax(s->actors[r].port, s->actors[r].arrived);
    }
    return hitop_sched_check_finished(s->scheds, s->size, s->next, diag);
}

/* Allocate the arrays; return 0 when out of memory. */
static int make_room(struct simulation *s)
{
    const struct hitop_cost *cost = s->cost;
    const size_t n = (size_t)s->size, nmessages = s->matching.nmessages + 1;
    int is_complete;

    s->actors = calloc(n, sizeof(*s->actors));
    s->next = calloc(n, sizeof(*s->next));
    s->flags = calloc(nmessages, sizeof(*s->flags));
    s->places = reallocarray(NULL, nmessages, sizeof(*s->places)); /* set when a message starts */
    s->unused = NO_MESSAGE;
    is_complete = s->actors && s->next && s->flags && s->places;
    if (cost->reception) {
        s->ports = calloc(n, sizeof(*s->ports));
        for (size_t r = 0; s->ports && r < n; r++) {
            s->ports[r].first = NO_MESSAGE;
        }
        is_complete = is_complete && s->ports;
    }
    if (cost->crossings && cost->ntrunks > 0) {
        s->trunks = calloc((size_t)cost->ntrunks, sizeof(*s->trunks));
        is_complete =
            is_complete && s->trunks && hitop_sched_timers_init(&s->timers, cost->ntrunks);
    }
    return is_complete;
}

static void release(struct simulation *s)
{
    for (int i = 0; s->trunks && i < s->cost->ntrunks; i++) {
        hitop_sched_events_fini(&s->trunks[i].flows);
    }
    hitop_sched_events_fini(&s->events);
    hitop_sched_timers_fini(&s->timers);
    free(s->trunks);
    free(s->ports);
    free(s->transfers);
    free(s->places);
    free(s->flags);
    free(s->next);
    free(s->actors);
    hitop_matching_fini(&s->matching);
}

enum hitop_status hitop_sched_replay_run(struct sched_replay *replay, struct hitop_diag *diag)
{
    struct simulation s = {.size = replay->size,
                           .scheds = replay->scheds,
                           .cost = replay->prices->cost,
                           .prices = replay->prices,
                           .trace = replay->note,
                           .trace_self = replay->self};
    enum hitop_status status = hitop_matching_init(&s.matching, s.scheds, s.size, diag);

    if (status == HITOP_OK && !make_room(&s)) {
        status = hitop_fail(diag, HITOP_ERR_NOMEM, "prediction: out of memory");
    }
    if (status == HITOP_OK) {
        status = run(&s, replay, diag);
    }
    release(&s);
    return status;
}

enum hitop_status hitop_sched_trace(struct hitop_sched *const *scheds, int size,
                                    const struct hitop_cost *cost, double *finish,
                                    hitop_sched_note *note, void *self, struct hitop_diag *diag)
{
    struct sched_prices prices;
    struct sched_replay replay = {.scheds = scheds,
                                  .size = size,
                                  .prices = &prices,
                                  .limit = HUGE_VAL,
                                  .finish = finish,
                                  .note = note,
                                  .self = self};
    enum hitop_status status;

    if (cost->nranks < size) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "prices for %d ranks do not cover %d",
                          cost->nranks, size);
    }
    status = hitop_sched_prices_init(&prices, cost, size, diag);
    if (status == HITOP_OK) {
        status = hitop_sched_replay_run(&replay, diag);
    }
    hitop_sched_prices_fini(&prices);
    return status;
}

enum hitop_status hitop_sched_predict(struct hitop_sched *const *scheds, int size,
                                      const struct hitop_cost *cost, double *finish,
                                      struct hitop_diag *diag)
{
    return hitop_sched_trace(scheds, size, cost, finish, NULL, NULL, diag);
}
