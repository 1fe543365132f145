/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCHED_SIMULATE_H
#define SCHED_SIMULATE_H

/* sched_simulate.h - the state of a simulation: the progress of each rank and of each message. */

#include "coll/schedule/sched_events.h"
#include "coll/schedule/sched_match.h"
#include "coll/schedule/sched_prices.h"

/*
 * Flags of a message. POSTED: its receive is posted. SENT: its arrival is known. SENDER_WAITS: its
 * sender waits until the receive is posted. IS_EARLY: the message has reached its receiver and
 * waits until the receive is posted.
 */
enum { POSTED = 1u << 0, SENT = 1u << 1, SENDER_WAITS = 1u << 2, IS_EARLY = 1u << 3 };

struct actor {
    size_t fence;   /* index of the fence that ends the phase */
    size_t missing; /* receives of the phase whose arrival is not known yet */
    double port;    /* when the next send may start */
    double arrived; /* when the last bytes of the phase have arrived */
    enum { ENTERING, WORKING, RECEIVING } stage;
};

/* A message that has started and has not arrived. */
struct transfer {
    double begin;
    double is_free;   /* when its sender is free; NaN: not known yet */
    double reception; /* seconds during which it occupies the port of its receiver */
    double overlap;   /* the part of reception during which its sender is busy, too */
    double alone;     /* when it arrives if nothing delays it from now on */
    double occupied;  /* when its sender is free if nothing delays it */
    double handshake; /* seconds before its bytes enter trunks */
    double rest;      /* seconds from the trunks to its end; then: its end if the port is free */
    size_t next;      /* next message in the queue of the port; then: next unused transfer */
    int ncrossings;   /* of the trunks that it crosses */
    int pending;      /* number of trunks that have not served it completely */
    char is_late;     /* its bytes move only once it has the port */
    char is_opening;  /* its handshake is in progress */
    char has_port;
    int sender_waits;
};

/* The port through which a rank receives. */
struct port {
    double is_free;     /* the time from which it is free; HUGE_VAL: not known yet */
    size_t first, last; /* queue of messages that wait for the port; NO_MESSAGE: empty */
};

/* What is known of a message between its start and its receive. */
union place {
    size_t transfer; /* until its flag SENT: index of its transfer */
    double arrival;  /* from then on: when all bytes have arrived */
};

/*
 * A trunk is a link that messages share evenly: each of n messages is served at 1 / n of the
 * speed. One counter is enough: the seconds of service that each message has received since the
 * trunk was empty. A message leaves when the counter has grown by the seconds that the message
 * needs.
 */
struct trunk {
    struct sched_events
        flows;     /* messages on the trunk; time: the value of served at which they leave */
    double served; /* seconds of service that each message has received by `since` */
    double since;  /* time of the last update */
};

/*
 * All zero except size, scheds, cost, prices, matching, trace and trace_self; the arrays are
 * allocated.
 */
struct simulation {
    int size;
    struct hitop_sched *const *scheds;
    const struct hitop_cost *cost;
    struct matching matching;
    struct sched_events events;
    struct actor *actors;       /* [size] */
    size_t *next;               /* [size]: next step to run; the number of steps when done */
    unsigned char *flags;       /* [nmessages] */
    union place *places;        /* [nmessages] */
    struct transfer *transfers; /* [ntransfers]: of messages in transit, and unused ones */
    size_t ntransfers, transfers_room;
    size_t unused; /* list of unused transfers; NO_MESSAGE: empty */
    struct sched_prices *prices;
    struct port *ports;         /* [size]; NULL: a rank receives any number of messages at once */
    struct trunk *trunks;       /* [cost->ntrunks]; NULL: there are none */
    struct sched_timers timers; /* of each trunk: when the next message leaves it */
    size_t work;                /* since the last call of hitop_coroutine_yield() */
    int is_cancelled;           /* by hitop_coroutine_free() */
    hitop_sched_note *trace;    /* or NULL */
    void *trace_self;
};

/* Schedule an event at which a rank continues. */
static inline void simulation_go_on(struct simulation *s, int rank, double time)
{
    hitop_sched_events_add(&s->events, time, rank, NO_MESSAGE);
}

static inline const struct sched_price *simulation_price(struct simulation *s,
                                                         const struct message *m)
{
    return hitop_sched_price(s->prices, m->from, m->to, m->send->span.bytes);
}

/* Whether a message starts without waiting for its receive. */
static inline int simulation_is_eager(struct simulation *s, const struct message *m)
{
    if (!s->cost->eager || !s->prices->group) {
        return s->cost->eager &&
               m->send->span.bytes <= s->cost->eager(s->cost->self, m->from, m->to);
    }
    return simulation_price(s, m)->is_eager;
}

/*
 * Start a message. Returns 0 where the time at which its sender is free is not known yet; the
 * sender then continues by an event.
 */
int hitop_simulation_start(struct simulation *s, size_t message, double now);

/*
 * Process the event of a message: its handshake ends, it reaches its receiver, or its receive is
 * posted.
 */
void hitop_simulation_match(struct simulation *s, size_t message, double now);

/* Process the timer of a trunk: its next message leaves. */
void hitop_simulation_serve(struct simulation *s, int trunk, double now);

#endif /* SCHED_SIMULATE_H */
