/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sched_simulate.c - let the schedules of all ranks happen, in the order of time.
 *
 * A rank has one thing to do next, at a time that is known or depends on a message; the earliest
 * thing of all happens first. So whoever asks first for a port that others want, too, is the first
 * to get it. Takes O(n log n) for n steps.
 */
#include <config.h>

#include "coll/schedule/sched_simulate.h"

#include <math.h>
#include <stdlib.h>

/* ---- Messages and ports of ranks ---- */

static void go_on(struct simulation *s, int rank, double time)
{
    hitop_sched_events_add(&s->events, time, rank, NO_MESSAGE);
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

/*
 * It is known when a message needs the port of its receiver and when it is there: tell the
 * receiver.
 */
static void deliver(struct simulation *s, size_t message, double begin, double end)
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

/* It is known when its sender, which waits for that, is free: that is no earlier than now. */
static void release(struct simulation *s, size_t message, double now)
{
    const int rank = s->matching->messages[message].from;

    s->actors[rank].port = s->transfers[message].is_free;
    ++s->next[rank];
    go_on(s, rank, now);
}

/*
 * It needs the port of its receiver: 1 where it has to wait for the receive, which keeps no sender.
 */
static int is_early(struct simulation *s, size_t message)
{
    const int early =
        s->machine.receiving && s->transfers[message].overlap <= 0 && !(s->flags[message] & POSTED);

    s->flags[message] |= early ? IS_EARLY : 0;
    return early;
}

/*
 * Messages that cross trunks, whose ends depend on those that come after them.
 *
 * Idea:  a message takes its trunks while its bytes are on their way. Where its receiver is busy
 *        for at least as long, the bytes move once it has the port, and it keeps the port until
 *        they are there. Else they move at once, and wait for the port behind the trunks. As it
 *        is not known how long a port is kept, who wants it next stands in a queue.
 */

/* Tell when the sender is free, and let it go on if it waits for that. */
static void set_free(struct simulation *s, size_t message, double time, double now)
{
    s->transfers[message].is_free = time;
    if (s->shares[message].sender_waits) {
        s->shares[message].sender_waits = 0;
        release(s, message, fmax(now, time));
    }
}

/* All is known: it took the port at `begin`. */
static void conclude(struct simulation *s, size_t message, double begin, double end, double now)
{
    const struct sched_transfer *t = &s->transfers[message];

    if (isnan(t->is_free)) {
        set_free(s, message, end - t->reception + t->overlap, now);
    }
    deliver(s, message, begin, end);
}

/* Watch a trunk for the next message that leaves it. */
static void watch(struct simulation *s, int trunk)
{
    struct sched_trunk *t = &s->machine.trunks[trunk];
    const double next = hitop_sched_trunk_next(t);

    t->version++;
    if (next < HUGE_VAL) {
        hitop_sched_events_add(&s->events, next, s->size + trunk, t->version);
    }
}

static void grant(struct simulation *s, size_t message, double now);

/* The port of a rank is free from `end` on. */
static void release_port(struct simulation *s, int rank, double end, double now)
{
    s->machine.receiving[rank] = end;
    while (s->queues[rank].first != NO_MESSAGE && s->machine.receiving[rank] < HUGE_VAL) {
        const size_t message = s->queues[rank].first;
        s->queues[rank].first = s->shares[message].next;
        grant(s, message, now);
    }
}

static void want_port(struct simulation *s, size_t message, double now)
{
    struct simulation_queue *q = &s->queues[s->matching->messages[message].to];

    if (!s->shares[message].is_late && is_early(s, message)) {
        return;
    }
    if (q->first == NO_MESSAGE &&
        s->machine.receiving[s->matching->messages[message].to] < HUGE_VAL) {
        grant(s, message, now);
        return;
    }
    s->shares[message].next = NO_MESSAGE;
    if (q->first == NO_MESSAGE) {
        q->first = message;
    } else {
        s->shares[q->last].next = message;
    }
    q->last = message;
}

/* All trunks have served it. */
static void leave_trunks(struct simulation *s, size_t message, double now)
{
    const struct sched_transfer *t = &s->transfers[message];
    struct simulation_share *x = &s->shares[message];
    const struct message *m = &s->matching->messages[message];

    if (x->has_port) {
        const double end = fmax(x->alone, now + x->rest);
        conclude(s, message, x->alone - t->reception, end, now);
        release_port(s, m->to, end, now);
        return;
    }
    x->rest = fmax(x->alone, now + x->rest); /* when it arrives if the port is free */
    if (isnan(t->is_free) && t->overlap <= 0) {
        set_free(s, message, x->occupied + x->rest - x->alone, now);
    }
    if (!s->machine.receiving) {
        conclude(s, message, x->rest, x->rest, now);
    } else {
        hitop_sched_events_add(&s->events, fmax(now, x->rest - t->reception), m->from, message);
    }
}

/* Its bytes begin to move. */
static void enter_trunks(struct simulation *s, size_t message, double now)
{
    const struct message *m = &s->matching->messages[message];
    const struct hitop_cost *cost = s->machine.cost;
    struct hitop_crossing *c = s->machine.crossings;
    const int n = cost->crossings(cost->self, m->from, m->to, m->send->span.bytes, c);

    for (int i = 0; i < n; i++) {
        if (c[i].seconds > 0) {
            s->shares[message].pending++;
            s->events.out_of_memory |= !hitop_sched_trunk_enter(&s->machine.trunks[c[i].trunk],
                                                                message, c[i].seconds, now);
            watch(s, c[i].trunk);
        }
    }
    if (s->shares[message].pending == 0) {
        leave_trunks(s, message, now);
    }
}

/* Its bytes begin to move after its handshake, which begins at some time from now on. */
static void open_way(struct simulation *s, size_t message, double begin, double now)
{
    struct simulation_share *x = &s->shares[message];
    const double end = begin + x->handshake;

    if (end > now) {
        x->is_opening = 1;
        hitop_sched_events_add(&s->events, end, s->matching->messages[message].from, message);
    } else {
        enter_trunks(s, message, now);
    }
}

/* It gets the port, now or when that is free. */
static void grant(struct simulation *s, size_t message, double now)
{
    const struct sched_transfer *t = &s->transfers[message];
    struct simulation_share *x = &s->shares[message];
    const struct message *m = &s->matching->messages[message];
    double *receiving = &s->machine.receiving[m->to];
    const double begin = fmax(now, *receiving);

    if (!x->is_late) {
        *receiving = begin + t->reception;
        conclude(s, message, begin, begin + t->reception, now);
        return;
    }
    *receiving = HUGE_VAL;
    x->has_port = 1;
    x->alone = begin + t->reception;
    open_way(s, message, begin, now);
}

/* Where there are trunks: a message starts; 0 where it is not known yet when its sender is free. */
static int share_start(struct simulation *s, size_t message, double now)
{
    const struct message *m = &s->matching->messages[message];
    const struct hitop_cost *cost = s->machine.cost;
    struct sched_transfer *t = &s->transfers[message];
    struct simulation_share *x = &s->shares[message];
    const double reaches = hitop_sched_machine_send(&s->machine, m, now, t);
    const double latency = cost->p2p(cost->self, m->from, m->to, 0);
    const double moving = fmax(0, reaches - now + t->reception - latency);
    const int crosses =
        cost->crossings(cost->self, m->from, m->to, m->send->span.bytes, s->machine.crossings) > 0;

    *x = (struct simulation_share){.alone = reaches + t->reception, .occupied = t->is_free};
    x->is_late = crosses && s->machine.receiving && t->reception >= moving;
    x->rest = x->is_late ? t->reception - moving : latency;
    if (t->overlap > 0 || (crosses && !x->is_late && t->is_free - now > latency)) {
        t->is_free = NAN; /* who is busy while the bytes move is kept by what delays them */
    }
    if (crosses && cost->handshake) {
        x->handshake =
            fmin(moving, cost->handshake(cost->self, m->from, m->to, m->send->span.bytes));
    }
    if (crosses && !x->is_late) {
        open_way(s, message, now, now);
    } else if (!s->machine.receiving) {
        conclude(s, message, reaches, reaches, now);
    } else if (reaches > now) {
        hitop_sched_events_add(&s->events, reaches, m->from, message);
    } else {
        want_port(s, message, now);
    }
    x->sender_waits = isnan(t->is_free);
    return !x->sender_waits;
}

static void share_go_on(struct simulation *s, size_t message, double now)
{
    if (s->shares[message].is_opening) {
        s->shares[message].is_opening = 0;
        enter_trunks(s, message, now);
    } else {
        want_port(s, message, now);
    }
}

/* The event of a message; the event of a trunk, of some version. */
static void share_leave(struct simulation *s, int trunk, size_t version, double now)
{
    size_t message;

    if (version != s->machine.trunks[trunk].version) {
        return; /* somebody has entered since */
    }
    hitop_sched_trunk_serve(&s->machine.trunks[trunk], now);
    while (hitop_sched_trunk_leave(&s->machine.trunks[trunk], &message)) {
        if (--s->shares[message].pending == 0) {
            leave_trunks(s, message, now);
        }
    }
    watch(s, trunk);
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

/* A message needs the port of its receiver, after which it is known when its sender is free. */
static void reach(struct simulation *s, size_t message, double now)
{
    struct sched_transfer *t = &s->transfers[message];
    double begin;

    if (is_early(s, message)) {
        return;
    }
    begin = hitop_sched_machine_receive(&s->machine, s->matching->messages[message].to, now, t);

    if (t->overlap > 0) {
        t->is_free = begin + t->overlap;
    }
    deliver(s, message, begin, begin + t->reception);
}

/* It has come to its receiver, or its receive to it. */
static void meet(struct simulation *s, size_t message, double now)
{
    if (s->shares) {
        share_go_on(s, message, now);
        return;
    }
    reach(s, message, now);
    if (s->transfers[message].overlap > 0) {
        release(s, message, s->transfers[message].is_free);
    }
}

/* The same at once, or later, where nothing is shared. */
static int start_alone(struct simulation *s, size_t message, double now)
{
    const struct message *m = &s->matching->messages[message];
    struct sched_transfer *t = &s->transfers[message];
    const double reaches = hitop_sched_machine_send(&s->machine, m, now, t);

    if (reaches > now && s->machine.receiving) {
        hitop_sched_events_add(&s->events, reaches, m->from, message);
        return t->overlap <= 0;
    }
    reach(s, message, reaches);
    return 1;
}

/* Start a message; 0 where it is not known yet when its sender is free. */
static int start(struct simulation *s, size_t message, double now)
{
    const int is_known = s->shares ? share_start(s, message, now) : start_alone(s, message, now);

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
                !hitop_sched_machine_is_eager(&s->machine, &s->matching->messages[m])) {
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
        share_leave(s, e->rank - s->size, e->message, e->time);
    } else if (e->message == NO_MESSAGE) {
        advance(s, e->rank, e->time);
    } else {
        meet(s, e->message, e->time);
    }
}

void hitop_simulate(struct simulation *s)
{
    struct sched_event e;

    for (int r = 0; r < s->size; r++) {
        go_on(s, r, 0);
    }
    while (hitop_sched_events_take(&s->events, &e)) {
        happen(s, &e);
    }
}
