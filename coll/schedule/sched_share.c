/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sched_share.c - messages that cross trunks, whose ends depend on those that come after them.
 *
 * Idea:  a message takes its trunks while its bytes are on their way. Where its receiver is busy for at least as long,
 *        the bytes move once it has the port, and it keeps the port until they are there. Else they move at
 *        once, and wait for the port behind the trunks. As it is not known how long a port is kept, who wants it
 *        next stands in a queue.
 */
#include <config.h>

#include "coll/schedule/sched_simulate.h"

#include <math.h>
#include <stdlib.h>

/* Tell when the sender is free, and let it go on if it waits for that. */
static void set_free(struct simulation *s, size_t message, double time, double now)
{
    s->transfers[message].is_free = time;
    if (s->shares[message].sender_waits) {
        s->shares[message].sender_waits = 0;
        simulation_release(s, message, fmax(now, time));
    }
}

/* All is known: it took the port at `begin`. */
static void conclude(struct simulation *s, size_t message, double begin, double end, double now)
{
    const struct sched_transfer *t = &s->transfers[message];

    if (isnan(t->is_free)) {
        set_free(s, message, end - t->reception + t->overlap, now);
    }
    simulation_deliver(s, message, begin, end);
}

/* Watch a trunk for the next message that leaves it. */
static void watch(struct simulation *s, int trunk)
{
    struct sched_trunk *t = &s->machine.trunks[trunk];
    const double next = sched_trunk_next(t);

    t->version++;
    if (next < HUGE_VAL) {
        sched_events_add(&s->events, next, s->size + trunk, t->version);
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

    if (!s->shares[message].is_late && simulation_is_early(s, message)) {
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
        sched_events_add(&s->events, fmax(now, x->rest - t->reception), m->from, message);
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
            s->events.out_of_memory |=
                !sched_trunk_enter(&s->machine.trunks[c[i].trunk], message, c[i].seconds, now);
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
        sched_events_add(&s->events, end, s->matching->messages[message].from, message);
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

int simulation_share_start(struct simulation *s, size_t message, double now)
{
    const struct message *m = &s->matching->messages[message];
    const struct hitop_cost *cost = s->machine.cost;
    struct sched_transfer *t = &s->transfers[message];
    struct simulation_share *x = &s->shares[message];
    const double reaches = sched_machine_send(&s->machine, m, now, t);
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
        sched_events_add(&s->events, reaches, m->from, message);
    } else {
        want_port(s, message, now);
    }
    x->sender_waits = isnan(t->is_free);
    return !x->sender_waits;
}

void simulation_share_go_on(struct simulation *s, size_t message, double now)
{
    if (s->shares[message].is_opening) {
        s->shares[message].is_opening = 0;
        enter_trunks(s, message, now);
    } else {
        want_port(s, message, now);
    }
}

void simulation_share_leave(struct simulation *s, int trunk, size_t version, double now)
{
    size_t message;

    if (version != s->machine.trunks[trunk].version) {
        return; /* somebody has entered since */
    }
    sched_trunk_serve(&s->machine.trunks[trunk], now);
    while (sched_trunk_leave(&s->machine.trunks[trunk], &message)) {
        if (--s->shares[message].pending == 0) {
            leave_trunks(s, message, now);
        }
    }
    watch(s, trunk);
}
