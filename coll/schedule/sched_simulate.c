/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sched_simulate.c - let the schedules of all ranks happen, in the order of time.
 *
 * A rank has one thing to do next, at a time that is known or depends on a message; the earliest thing of
 * all happens first. So whoever asks first for a port that others want, too, is the first to get it. Takes
 * O(n log n) for n steps.
 */
#include <config.h>

#include "coll/schedule/sched_simulate.h"

#include <math.h>

static void go_on(struct simulation *s, int rank, double time)
{
    sched_events_add(&s->events, time, rank, NO_MESSAGE);
}

static void meet(struct simulation *s, size_t message, double now);

/* Post all receives of the next phase, for which senders and messages may wait. */
static void enter(struct simulation *s, int rank, const struct hitop_step *steps, double now)
{
    struct simulation_actor *a = &s->actors[rank];
    size_t i;

    a->port = a->arrived = now;
    a->stage = WORKING;
    for (i = s->next[rank]; steps[i].kind != HITOP_STEP_FENCE; i++) {
        if (steps[i].kind == HITOP_STEP_RECV) {
            const size_t m = simulation_message(s, rank, i);
            if (s->flags[m] & SENT) { /* it has come before it was expected */
                a->arrived = fmax(a->arrived, s->transfers[m].arrival);
            } else {
                a->missing++;
            }
            s->flags[m] |= POSTED;
            if (s->flags[m] & SENDER_WAITS) {
                go_on(s, steps[i].peer, now);
            } else if (s->flags[m] & IS_EARLY) {
                meet(s, m, now);
            }
        }
    }
    a->fence = i;
}

static void arrive(struct simulation *s, size_t message, double time)
{
    const int rank = s->matching->messages[message].to;
    struct simulation_actor *a = &s->actors[rank];

    s->flags[message] |= SENT;
    s->transfers[message].arrival = time;
    if (!(s->flags[message] & POSTED)) {
        return;
    }
    a->arrived = fmax(a->arrived, time);
    if (--a->missing == 0 && a->stage == RECEIVING) {
        go_on(s, rank, fmax(a->port, a->arrived));
    }
}

void simulation_deliver(struct simulation *s, size_t message, double begin, double end)
{
    const struct message *m = &s->matching->messages[message];
    const struct sched_transfer *t = &s->transfers[message];

    arrive(s, message, end);
    if (s->trace) {
        s->trace(s->trace_self, &(struct hitop_activity){.kind = HITOP_STEP_SEND,
                                                         .from = m->from,
                                                         .to = m->to,
                                                         .bytes = m->send->span.bytes,
                                                         .begin = t->begin,
                                                         .sent = t->is_free,
                                                         .reached = begin,
                                                         .end = end});
    }
}

void simulation_release(struct simulation *s, size_t message, double now)
{
    const int rank = s->matching->messages[message].from;

    s->actors[rank].port = s->transfers[message].is_free;
    ++s->next[rank];
    go_on(s, rank, now);
}

int simulation_is_early(struct simulation *s, size_t message)
{
    const int is_early =
        s->machine.receiving && s->transfers[message].overlap <= 0 && !(s->flags[message] & POSTED);

    s->flags[message] |= is_early ? IS_EARLY : 0;
    return is_early;
}

/* A message needs the port of its receiver, after which it is known when its sender is free. */
static void reach(struct simulation *s, size_t message, double now)
{
    struct sched_transfer *t = &s->transfers[message];
    double begin;

    if (simulation_is_early(s, message)) {
        return;
    }
    begin = sched_machine_receive(&s->machine, s->matching->messages[message].to, now, t);

    if (t->overlap > 0) {
        t->is_free = begin + t->overlap;
    }
    simulation_deliver(s, message, begin, begin + t->reception);
}

/* It has come to its receiver, or its receive to it. */
static void meet(struct simulation *s, size_t message, double now)
{
    if (s->shares) {
        simulation_share_go_on(s, message, now);
        return;
    }
    reach(s, message, now);
    if (s->transfers[message].overlap > 0) {
        simulation_release(s, message, s->transfers[message].is_free);
    }
}

/* The same at once, or later, where nothing is shared. */
static int start_alone(struct simulation *s, size_t message, double now)
{
    const struct message *m = &s->matching->messages[message];
    struct sched_transfer *t = &s->transfers[message];
    const double reaches = sched_machine_send(&s->machine, m, now, t);

    if (reaches > now && s->machine.receiving) {
        sched_events_add(&s->events, reaches, m->from, message);
        return t->overlap <= 0;
    }
    reach(s, message, reaches);
    return 1;
}

/* Start a message; 0 where it is not known yet when its sender is free. */
static int start(struct simulation *s, size_t message, double now)
{
    const int is_known =
        s->shares ? simulation_share_start(s, message, now) : start_alone(s, message, now);

    if (is_known) {
        s->actors[s->matching->messages[message].from].port = s->transfers[message].is_free;
    }
    return is_known;
}

/* A copy or a reduction, for as long as the port is taken. */
static void work_alone(struct simulation *s, int rank, const struct hitop_step *step)
{
    const struct hitop_cost *cost = s->machine.cost;
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

/* Sends, copies and reductions in their order; 0 where the rank must wait. */
static int work(struct simulation *s, int rank, const struct hitop_step *steps, double now)
{
    struct simulation_actor *a = &s->actors[rank];

    for (size_t *next = &s->next[rank]; *next < a->fence; ++*next) {
        const struct hitop_step *step = &steps[*next];
        if (step->kind == HITOP_STEP_SEND) {
            const size_t m = simulation_message(s, rank, *next);
            if (!(s->flags[m] & POSTED) &&
                !sched_machine_is_eager(&s->machine, &s->matching->messages[m])) {
                s->flags[m] |= SENDER_WAITS;
                return 0;
            }
            if (a->port > now) {
                go_on(s, rank, a->port);
                return 0;
            }
            if (!start(s, m, now)) {
                return 0;
            }
        } else if (step->kind != HITOP_STEP_RECV) {
            work_alone(s, rank, step);
        }
    }
    return 1;
}

/* Go on with a rank until it must wait. */
static void advance(struct simulation *s, int rank, double now)
{
    struct simulation_actor *a = &s->actors[rank];
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
            go_on(s, rank, fmax(a->port, a->arrived));
            return;
        }
    }
}

static void happen(struct simulation *s, const struct sched_event *e)
{
    if (e->rank >= s->size) {
        simulation_share_leave(s, e->rank - s->size, e->message, e->time);
    } else if (e->message == NO_MESSAGE) {
        advance(s, e->rank, e->time);
    } else {
        meet(s, e->message, e->time);
    }
}

void simulate(struct simulation *s)
{
    struct sched_event e;

    for (int r = 0; r < s->size; r++) {
        go_on(s, r, 0);
    }
    while (sched_events_take(&s->events, &e)) {
        happen(s, &e);
    }
}
