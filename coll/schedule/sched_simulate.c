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
 * Cost:   O(log n) for each pair of one of n messages and a trunk. A message has a transfer only
 *         while it is in transit, so memory for them is that of the messages in transit at once.
 */
#include <config.h>

#include "coll/schedule/sched_simulate.h"

#include <math.h>
#include <stdlib.h>

/* ---- Messages in transit ---- */

static struct transfer *transfer_of(const struct simulation *s, size_t message)
{
    return &s->transfers[s->places[message].transfer];
}

/* Give a message a transfer; NULL when out of memory. */
static struct transfer *take_transfer(struct simulation *s, size_t message)
{
    size_t i = s->unused;

    if (i != NO_MESSAGE) {
        s->unused = s->transfers[i].next;
    } else {
        if (s->ntransfers == s->transfers_room) {
            const size_t room = 2 * s->transfers_room + 64;
            struct transfer *more = reallocarray(s->transfers, room, sizeof(*more));
            if (!more) {
                s->events.out_of_memory = 1;
                return NULL;
            }
            s->transfers = more;
            s->transfers_room = room;
        }
        i = s->ntransfers++;
    }
    s->places[message].transfer = i;
    return &s->transfers[i];
}

/* The message has arrived. Its transfer keeps its values until another message starts. */
static void drop_transfer(struct simulation *s, size_t message, double arrival)
{
    transfer_of(s, message)->next = s->unused;
    s->unused = s->places[message].transfer;
    s->places[message].arrival = arrival;
}

/* ---- Ends of a message ---- */

/* The start and the end of a message at its receiver are known. */
static void deliver(struct simulation *s, size_t message, double begin, double end)
{
    const struct message *m = &s->matching.messages[message];
    const struct transfer *t = transfer_of(s, message);
    struct actor *to = &s->actors[m->to];

    s->flags[message] |= SENT;
    drop_transfer(s, message, end);
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
    struct transfer *t = transfer_of(s, message);

    t->is_free = time;
    if (t->sender_waits) {
        t->sender_waits = 0;
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
    struct transfer *t = transfer_of(s, message);
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
        port->first = transfer_of(s, message)->next;
        grant(s, message, now);
    }
}

/*
 * Ask for the port of the receiver. A message that reaches its receiver before the receive is
 * posted, and whose sender is free, waits until the receive is posted.
 */
static void want_port(struct simulation *s, size_t message, double now)
{
    struct transfer *t = transfer_of(s, message);
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
            transfer_of(s, port->last)->next = message;
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

/* Set the timer of a trunk to the time at which its next message leaves. */
static void watch(struct simulation *s, int trunk)
{
    const struct trunk *t = &s->trunks[trunk];
    double next = HUGE_VAL;

    if (t->flows.count > 0) {
        const double rest = fmax(0, t->flows.heap[0].time - t->served);
        next = t->since + (double)t->flows.count * rest;
    }
    hitop_sched_timers_set(&s->timers, trunk, next);
}

/* All trunks have served a message. */
static void leave_trunks(struct simulation *s, size_t message, double now)
{
    struct transfer *t = transfer_of(s, message);
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

/* The bytes of a message begin to move. */
static void enter_trunks(struct simulation *s, size_t message, double now)
{
    struct transfer *t = transfer_of(s, message);
    const struct sched_price *price = simulation_price(s, &s->matching.messages[message]);
    const struct hitop_crossing *c = s->prices->crossings + price->first;

    for (int i = 0; i < t->ncrossings; i++) {
        struct trunk *trunk = &s->trunks[c[i].trunk];
        if (c[i].seconds > 0) {
            t->pending++;
            serve_until(trunk, now);
            hitop_sched_events_add(&trunk->flows, trunk->served + c[i].seconds,
                                   s->matching.messages[message].from, message);
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
    struct transfer *t = transfer_of(s, message);
    const double end = begin + t->handshake;

    if (end > now) {
        t->is_opening = 1;
        hitop_sched_events_add(&s->events, end, s->matching.messages[message].from, message);
    } else {
        enter_trunks(s, message, now);
    }
}

void hitop_simulation_serve(struct simulation *s, int trunk, double now)
{
    static const double rounding = 1e-12;
    struct trunk *t = &s->trunks[trunk];

    serve_until(t, now);
    if (t->flows.count > 0) { /* despite rounding, at least one message leaves */
        t->served = fmax(t->served, t->flows.heap[0].time);
    }
    while (t->flows.count > 0 && t->flows.heap[0].time <= t->served * (1 + rounding)) {
        struct sched_event first;
        (void)hitop_sched_events_take(&t->flows, &first);
        if (--transfer_of(s, first.message)->pending == 0) {
            leave_trunks(s, first.message, now);
        }
    }
    watch(s, trunk);
}

/* ---- A message starts ---- */

/* For a message that crosses trunks: compute when its bytes move, and which ports they occupy. */
static void prepare_crossing(const struct simulation *s, const struct sched_price *price,
                             struct transfer *t, double occupancy)
{
    /* prices alone decide, so that rounding errors of the time do not */
    const double latency = price->latency, moving = sched_price_moving(price);

    t->is_late = s->ports && t->reception >= moving;
    t->rest = t->is_late ? t->reception - moving : latency;
    if (!t->is_late && occupancy > latency) {
        t->is_free = NAN; /* delays of the bytes delay the sender, too */
    }
    t->handshake = fmin(moving, price->handshake);
    t->ncrossings = price->ncrossings;
}

int hitop_simulation_start(struct simulation *s, size_t message, double now)
{
    const struct message *m = &s->matching.messages[message];
    const struct hitop_cost *cost = s->cost;
    const struct sched_price *price = simulation_price(s, m);
    const double p2p = price->p2p;
    /* a blocking send of a long message returns when its receiver has the message */
    const int blocks = cost->eager && !m->send->delivers && !price->is_eager;
    const double occupancy = blocks ? p2p : price->occupancy;
    const int crosses = price->ncrossings > 0;
    struct transfer *t = take_transfer(s, message);
    double reaches;

    if (!t) {
        return 0;
    }
    *t = (struct transfer){.begin = now, .is_free = now + occupancy, .occupied = now + occupancy};
    if (cost->reception) {
        t->reception = price->reception;
        t->overlap = sched_price_overlap(price, occupancy);
    }
    reaches = now + (p2p - t->reception);
    t->alone = reaches + t->reception;
    if (crosses) {
        prepare_crossing(s, price, t, occupancy);
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
    struct transfer *t = transfer_of(s, message);

    if (t->is_opening) {
        t->is_opening = 0;
        enter_trunks(s, message, now);
    } else {
        want_port(s, message, now);
    }
}
