/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sched_predict.c - let the schedules of all ranks happen, in the order of time.
 *
 * A rank has one thing to do next, at a time that is known or depends on a message; the earliest thing of
 * all happens first. So whoever asks first for a port that others want, too, is the first to get it. Takes
 * O(n log n) for n steps.
 */
#include <config.h>

#include "sched_events.h"
#include "sched_run.h"
#include "sched_transfer.h"

#include <math.h>
#include <stdlib.h>

enum { POSTED = 1u << 0, SENT = 1u << 1, SENDER_WAITS = 1u << 2 };

struct actor {
    size_t fence;   /* last step of the phase */
    size_t missing; /* receives of the phase the end of which is not known */
    double port;    /* when the next send may leave */
    double arrived; /* when the last bytes of the phase are there */
    enum { ENTERING, WORKING, RECEIVING } stage;
};

struct simulation {
    struct hitop_sched *const *scheds;
    const struct matching *matching;
    struct sched_machine machine;
    struct sched_events events;
    struct actor *actors;             /* [size] */
    size_t *next;                     /* [size]: step to look at next; their number when done */
    unsigned char *flags;             /* [nmessages] */
    struct sched_transfer *transfers; /* [nmessages] */
};

static size_t message_at(const struct simulation *s, int rank, size_t step)
{
    return s->matching->message_of[s->matching->first[rank] + step];
}

static void go_on(struct simulation *s, int rank, double time)
{
    sched_events_add(&s->events, time, rank, NO_MESSAGE);
}

/* Post all receives of the next phase, for which senders may wait. */
static void enter(struct simulation *s, int rank, const struct hitop_step *steps, double now)
{
    struct actor *a = &s->actors[rank];
    size_t i;

    a->port = a->arrived = now;
    a->stage = WORKING;
    for (i = s->next[rank]; steps[i].kind != HITOP_STEP_FENCE; i++) {
        if (steps[i].kind == HITOP_STEP_RECV) {
            const size_t m = message_at(s, rank, i);
            a->missing++;
            s->flags[m] |= POSTED;
            if (s->flags[m] & SENDER_WAITS) {
                go_on(s, steps[i].peer, now);
            }
        }
    }
    a->fence = i;
}

static void arrive(struct simulation *s, size_t message, double time)
{
    const int rank = s->matching->messages[message].to;
    struct actor *a = &s->actors[rank];

    s->flags[message] |= SENT;
    a->arrived = fmax(a->arrived, time);
    if (--a->missing == 0 && a->stage == RECEIVING) {
        go_on(s, rank, fmax(a->port, a->arrived));
    }
}

/* A message needs the port of its receiver; returns when its sender is free if that depends on it. */
static double reach(struct simulation *s, size_t message, double now)
{
    const struct sched_transfer *t = &s->transfers[message];
    const double begin =
        sched_machine_receive(&s->machine, s->matching->messages[message].to, now, t);

    arrive(s, message, begin + t->reception);
    return begin + t->overlap;
}

/* Start a message; 0 where it is not known yet when its sender is free. */
static int start(struct simulation *s, size_t message, double now)
{
    const struct message *m = &s->matching->messages[message];
    struct sched_transfer *t = &s->transfers[message];
    double *port = &s->actors[m->from].port, is_free;
    const double reaches =
        sched_machine_send(&s->machine, m->from, m->to, m->send->span.bytes, now, t, port);

    if (reaches > now && s->machine.receiving) {
        sched_events_add(&s->events, reaches, m->from, message);
        return t->overlap <= 0;
    }
    is_free = reach(s, message, reaches);
    *port = t->overlap > 0 ? is_free : *port;
    return 1;
}

/* Sends, copies and reductions in their order; 0 where the rank must wait. */
static int work(struct simulation *s, int rank, const struct hitop_step *steps, double now)
{
    const struct hitop_cost *cost = s->machine.cost;
    struct actor *a = &s->actors[rank];

    for (size_t *next = &s->next[rank]; *next < a->fence; ++*next) {
        const struct hitop_step *step = &steps[*next];
        if (step->kind == HITOP_STEP_SEND) {
            const size_t m = message_at(s, rank, *next);
            if (!(s->flags[m] & POSTED)) {
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
        } else if (step->kind != HITOP_STEP_RECV && cost->local) {
            a->port += cost->local(cost->self, rank, step->span.bytes);
        }
    }
    return 1;
}

/* Go on with a rank until it must wait. */
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
            go_on(s, rank, fmax(a->port, a->arrived));
            return;
        }
    }
}

static void happen(struct simulation *s, const struct sched_event *e)
{
    if (e->message == NO_MESSAGE) {
        advance(s, e->rank, e->time);
    } else {
        const double is_free = reach(s, e->message, e->time);
        if (s->transfers[e->message].overlap > 0) {
            s->actors[e->rank].port = is_free;
            ++s->next[e->rank];
            advance(s, e->rank, e->time);
        }
    }
}

/* A rank that waits for receives waits for the first one that has no end. */
static void find_missing(struct simulation *s, int size)
{
    for (int r = 0; r < size; r++) {
        size_t count;
        const struct hitop_step *steps = hitop_sched_steps(s->scheds[r], &count);
        size_t *next = &s->next[r];
        if (s->actors[r].missing > 0 && s->actors[r].stage == RECEIVING) {
            while (*next > 0 && steps[*next - 1].kind != HITOP_STEP_FENCE) {
                --*next;
            }
            while (steps[*next].kind != HITOP_STEP_RECV ||
                   (s->flags[message_at(s, r, *next)] & SENT)) {
                ++*next;
            }
        }
    }
}

static enum hitop_status run(struct simulation *s, int size, double *finish,
                             struct hitop_diag *diag)
{
    struct sched_event e;

    for (int r = 0; r < size; r++) {
        go_on(s, r, 0);
    }
    while (sched_events_take(&s->events, &e)) {
        happen(s, &e);
    }
    if (s->events.out_of_memory) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "prediction: out of memory");
    }
    find_missing(s, size);
    for (int r = 0; r < size; r++) {
        finish[r] = fmax(s->actors[r].port, s->actors[r].arrived);
    }
    return sched_check_finished(s->scheds, size, s->next, diag);
}

enum hitop_status hitop_sched_predict(struct hitop_sched *const *scheds, int size,
                                      const struct hitop_cost *cost, double *finish,
                                      struct hitop_diag *diag)
{
    struct matching matching = {0};
    struct simulation s = {.scheds = scheds, .matching = &matching};
    enum hitop_status status;

    if (cost->nranks < size) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "prices for %d ranks do not cover %d",
                          cost->nranks, size);
    }
    status = matching_init(&matching, scheds, size, diag);
    if (status != HITOP_OK) {
        goto out;
    }
    s.actors = calloc((size_t)size, sizeof(*s.actors));
    s.next = calloc((size_t)size, sizeof(*s.next));
    s.flags = calloc(matching.nmessages + 1, sizeof(*s.flags));
    s.transfers = calloc(matching.nmessages + 1, sizeof(*s.transfers));
    if (!s.actors || !s.next || !s.flags || !s.transfers) {
        status = hitop_fail(diag, HITOP_ERR_NOMEM, "prediction: out of memory");
        goto out;
    }
    status = sched_machine_init(&s.machine, cost, size, diag);
    if (status == HITOP_OK) {
        status = run(&s, size, finish, diag);
    }

out:
    sched_machine_fini(&s.machine);
    sched_events_fini(&s.events);
    free(s.transfers);
    free(s.flags);
    free(s.next);
    free(s.actors);
    matching_fini(&matching);
    return status;
}
