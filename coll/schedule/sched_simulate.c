/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sched_simulate.c - messages in transit, and the ports and trunks that they share.
 *
 * Ports:  without disturbance a message occupies the port of its sender for the first seconds of
 *         its time and the port of its receiver for the last ones. Where the two intervals
 *         overlap, both ports are busy with it at the same time: a delay of the receiver then
 *         delays the sender. Ends that are busy for the whole time wait for each other; ends that
 *         are busy with their own share only (LogP's gap, LMO's C + t m) do not.
 * Trunks: a message occupies its trunks while its bytes move. Where its receiver is busy for at
 *         least as long, the bytes move once the message has the port, and it keeps the port
 *         until they have arrived. Otherwise they move at once, and wait for the port after the
 *         trunks. How long a port is occupied is not known in advance, so messages queue for it.
 * Cost:   O(log n) for each pair of one of n messages and a trunk.
 */
#include <config.h>

#include "coll/schedule/sched_simulate.h"

#include <math.h>

/* ---- Ends of a message ---- */

/* The start and the end of a message at its receiver are known. */
static void deliver(struct simulation *s, size_t message, double begin, double end)
{
    const struct message *m = &s->matching.messages[message];
    struct transfer *t = &s->transfers[message];
    struct actor *to = &s->actors[m->to];

    s->flags[message] |= SENT;
    t->arrival = end;
    if (s->flags[message] & POSTED) {
        to->arrived = fmax(to->arrived, end);
        if (--to->missing == 0 && to->stage == RECEIVING) {
            simulation_go_on(s, m->to, fmax(to->port, to->arrived));
        }
    }
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

/* Record when the sender is free; continue the sender if it waits for that. */
static void set_free(struct simulation *s, size_t message, double time, double now)
{
    const int rank = s->matching.messages[message].from;

    s->transfers[message].is_free = time;
    if (s->transfers[message].sender_waits) {
        s->transfers[message].sender_waits = 0;
        s->actors[rank].port = time;
        ++s->next[rank];
        simulation_go_on(s, rank, fmax(now, time));
    }
}

/* ---- Ports ---- */

static void open_link(struct simulation *s, size_t message, double begin, double now);

/* Give the port to a message, now or when the port is free. */
static void grant(struct simulation *s, size_t message, double now)
{
    struct transfer *t = &s->transfers[message];
    struct port *port = &s->ports[s->matching.messages[message].to];
    const double begin = fmax(now, port->is_free);

    if (t->is_late) {
        port->is_free = HUGE_VAL;
        t->has_port = 1;
        t->alone = begin + t->reception;
        open_link(s, message, begin, now);
        return;
    }
    port->is_free = begin + t->reception;
    if (isnan(t->is_free)) {
        set_free(s, message, begin + t->overlap, now);
    }
    deliver(s, message, begin, begin + t->reception);
}

/* Set the time from which the port of a rank is free, and give the port to the queued messages. */
static void release_port(struct simulation *s, int rank, double end, double now)
{
    struct port *port = &s->ports[rank];

    port->is_free = end;
    while (port->first != NO_MESSAGE && port->is_free < HUGE_VAL) {
        const size_t message = port->first;
        port->first = s->transfers[message].next;
        grant(s, message, now);
    }
}

/*
 * Ask for the port of the receiver. A message that reaches its receiver before the receive is
 * posted, and whose sender is free, waits until the receive is posted.
 */
static void want_port(struct simulation *s, size_t message, double now)
{
    struct transfer *t = &s->transfers[message];
    struct port *port = &s->ports[s->matching.messages[message].to];

    if (!t->is_late && t->overlap <= 0 && !(s->flags[message] & POSTED)) {
        s->flags[message] |= IS_EARLY;
    } else if (port->first == NO_MESSAGE && port->is_free < HUGE_VAL) {
        grant(s, message, now);
    } else {
        t->next = NO_MESSAGE;
        if (port->first == NO_MESSAGE) {
            port->first = message;
        } else {
            s->transfers[port->last].next = message;
        }
        port->last = message;
    }
}

/* ---- Trunks ---- */

static void serve_until(struct trunk *t, double now)
{
    if (t->flows.count > 0) {
        t->served += (now - t->since) / (double)t->flows.count;
    } else {
        t->served = 0; /* small numbers keep their precision */
    }
    t->since = now;
}

/* Add an event for the next message that leaves a trunk, valid until another message enters. */
static void watch(struct simulation *s, int trunk)
{
    struct trunk *t = &s->trunks[trunk];

    t->version++;
    if (t->flows.count > 0) {
        const double rest = fmax(0, t->flows.heap[0].time - t->served);
        hitop_sched_events_add(&s->events, t->since + (double)t->flows.count * rest,
                               s->size + trunk, t->version);
    }
}

/* All trunks have served a message. */
static void leave_trunks(struct simulation *s, size_t message, double now)
{
    struct transfer *t = &s->transfers[message];
    const struct message *m = &s->matching.messages[message];

    if (t->has_port) {
        const double end = fmax(t->alone, now + t->rest);
        if (isnan(t->is_free)) {
            set_free(s, message, end - t->reception + t->overlap, now);
        }
        deliver(s, message, t->alone - t->reception, end);
        release_port(s, m->to, end, now);
        return;
    }
    t->rest = fmax(t->alone, now + t->rest); /* from here on: its end if the port is free */
    if (isnan(t->is_free) && t->overlap <= 0) {
        set_free(s, message, t->occupied + t->rest - t->alone, now);
    }
    if (s->ports) {
        hitop_sched_events_add(&s->events, fmax(now, t->rest - t->reception), m->from, message);
    } else {
        deliver(s, message, t->rest, t->rest);
    }
}

static int find_crossings(struct simulation *s, const struct message *m)
{
    return s->trunks ? s->cost->crossings(s->cost->self, m->from, m->to, m->send->span.bytes,
                                          s->crossings)
                     : 0;
}

/* The bytes of a message begin to move. */
static void enter_trunks(struct simulation *s, size_t message, double now)
{
    struct transfer *t = &s->transfers[message];
    const struct hitop_crossing *c = s->crossings;
    const int n = find_crossings(s, &s->matching.messages[message]);

    for (int i = 0; i < n; i++) {
        struct trunk *trunk = &s->trunks[c[i].trunk];
        if (c[i].seconds > 0) {
            t->pending++;
            serve_until(trunk, now);
            hitop_sched_events_add(&trunk->flows, trunk->served + c[i].seconds, 0, message);
            s->events.out_of_memory |= trunk->flows.out_of_memory;
            watch(s, c[i].trunk);
        }
    }
    if (t->pending == 0) {
        leave_trunks(s, message, now);
    }
}

/*
 * Start a handshake at `begin`, after which the bytes of the message enter trunks. If it has ended
 * by now, they enter at once.
 */
static void open_link(struct simulation *s, size_t message, double begin, double now)
{
    struct transfer *t = &s->transfers[message];
    const double end = begin + t->handshake;

    if (end > now) {
        t->is_opening = 1;
        hitop_sched_events_add(&s->events, end, s->matching.messages[message].from, message);
    } else {
        enter_trunks(s, message, now);
    }
}

void hitop_simulation_serve(struct simulation *s, int trunk, size_t version, double now)
{
    static const double rounding = 1e-12;
    struct trunk *t = &s->trunks[trunk];

    if (version != t->version) {
        return; /* the event is outdated: the trunk has changed since */
    }
    serve_until(t, now);
    if (t->flows.count > 0) { /* despite rounding, at least one message leaves */
        t->served = fmax(t->served, t->flows.heap[0].time);
    }
    while (t->flows.count > 0 && t->flows.heap[0].time <= t->served * (1 + rounding)) {
        struct sched_event first;
        (void)hitop_sched_events_take(&t->flows, &first);
        if (--s->transfers[first.message].pending == 0) {
            leave_trunks(s, first.message, now);
        }
    }
    watch(s, trunk);
}

/* ---- A message starts ---- */

/* For a message that crosses trunks: compute when its bytes move, and which ports they occupy. */
static void prepare_crossing(struct simulation *s, const struct message *m, struct transfer *t,
                             double reaches)
{
    const struct hitop_cost *cost = s->cost;
    const double latency = cost->p2p(cost->self, m->from, m->to, 0);
    const double moving = fmax(0, reaches - t->begin + t->reception - latency);

    t->is_late = s->ports && t->reception >= moving;
    t->rest = t->is_late ? t->reception - moving : latency;
    if (!t->is_late && t->is_free - t->begin > latency) {
        t->is_free = NAN; /* delays of the bytes delay the sender, too */
    }
    if (cost->handshake) {
        t->handshake =
            fmin(moving, cost->handshake(cost->self, m->from, m->to, m->send->span.bytes));
    }
}

/* Costs are sums with rounding errors: an overlap below this share of the time counts as none. */
static const double rounding = 1e-9;

int hitop_simulation_start(struct simulation *s, size_t message, double now)
{
    const struct message *m = &s->matching.messages[message];
    const struct hitop_cost *cost = s->cost;
    const size_t bytes = m->send->span.bytes;
    const double p2p = cost->p2p(cost->self, m->from, m->to, bytes);
    /* a blocking send of a long message returns when its receiver has the message */
    const int blocks = cost->eager && !m->send->delivers && !simulation_is_eager(s, m);
    const double occupancy = blocks ? p2p : cost->occupancy(cost->self, m->from, m->to, bytes);
    const int crosses = find_crossings(s, m) > 0;
    struct transfer *t = &s->transfers[message];
    double reaches;

    *t = (struct transfer){.begin = now, .is_free = now + occupancy, .occupied = now + occupancy};
    if (cost->reception) {
        t->reception = cost->reception(cost->self, m->from, m->to, bytes);
        t->overlap = occupancy + t->reception - p2p;
        t->overlap = t->overlap > rounding * p2p ? t->overlap : 0;
    }
    reaches = now + (p2p - t->reception);
    t->alone = reaches + t->reception;
    if (crosses) {
        prepare_crossing(s, m, t, reaches);
    }
    t->is_free = t->overlap > 0 ? NAN : t->is_free;
    if (crosses && !t->is_late) {
        open_link(s, message, now, now);
    } else if (!s->ports) {
        deliver(s, message, reaches, reaches);
    } else if (reaches > now) {
        hitop_sched_events_add(&s->events, reaches, m->from, message);
    } else {
        want_port(s, message, now);
    }
    t->sender_waits = isnan(t->is_free);
    if (!t->sender_waits) {
        s->actors[m->from].port = t->is_free;
    }
    return !t->sender_waits;
}

void hitop_simulation_match(struct simulation *s, size_t message, double now)
{
    if (s->transfers[message].is_opening) {
        s->transfers[message].is_opening = 0;
        enter_trunks(s, message, now);
    } else {
        want_port(s, message, now);
    }
}
