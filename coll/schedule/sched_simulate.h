/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCHED_SIMULATE_H
#define SCHED_SIMULATE_H

/* sched_simulate.h - the state of a simulation: how far each rank is, and each message. */

#include "coll/schedule/sched_events.h"
#include "coll/schedule/sched_match.h"

/*
 * Of a message: its receive is posted; its end is known; its sender, or the message, waits for the
 * receive.
 */
enum { POSTED = 1u << 0, SENT = 1u << 1, SENDER_WAITS = 1u << 2, IS_EARLY = 1u << 3 };

struct actor {
    size_t fence;   /* last step of the phase */
    size_t missing; /* receives of the phase the end of which is not known */
    double port;    /* when the next send may start */
    double arrived; /* when the last bytes of the phase are there */
    enum { ENTERING, WORKING, RECEIVING } stage;
};

/* A message that has started. */
struct transfer {
    double begin;
    double is_free;   /* when its sender is free; NaN: not known yet */
    double reception; /* seconds for which it takes the port of its receiver */
    double overlap;   /* of them those in which its sender is busy with it, too */
    double arrival;   /* when all bytes are there, once that is known */
    double alone;     /* when it arrives if nothing delays it from now on */
    double occupied;  /* when its sender is free if nothing delays it */
    double handshake; /* seconds before its bytes move over trunks */
    double rest;      /* seconds from the trunks to its end; behind them: end if the port is free */
    size_t next;      /* message behind it in the queue for a port */
    int pending;      /* trunks that have not served it */
    char is_late;     /* its bytes move when it has the port */
    char is_opening;  /* it is in its handshake */
    char has_port;
    int sender_waits;
};

/* The port through which a rank receives. */
struct port {
    double is_free;     /* from when on; HUGE_VAL: not known yet */
    size_t first, last; /* queue of messages that need it then; NO_MESSAGE: none */
};

/*
 * A trunk, which messages share evenly: of n messages each is served at 1 / n of the speed. So it
 * is enough to count what each one has got since the trunk was empty: a message leaves when that
 * has grown by its seconds.
 */
struct trunk {
    struct sched_events
        flows;      /* messages on it, by what each of all has been served when they leave */
    double served;  /* seconds, of each of them, */
    double since;   /* by this time */
    size_t version; /* of what is known about the next one to leave */
};

/* All zero but for schedules, matching and cost, with room in the arrays. */
struct simulation {
    int size;
    struct hitop_sched *const *scheds;
    const struct hitop_cost *cost;
    struct matching matching;
    struct sched_events events;
    struct actor *actors;             /* [size] */
    size_t *next;                     /* [size]: step to look at next; their number when done */
    unsigned char *flags;             /* [nmessages] */
    struct transfer *transfers;       /* [nmessages] */
    struct port *ports;               /* [size]; NULL: a rank receives any number at once */
    struct trunk *trunks;             /* [cost->ntrunks]; NULL: there are none */
    struct hitop_crossing *crossings; /* of the message at hand */
    hitop_sched_note *trace;          /* or NULL */
    void *trace_self;
};

/* Let a rank go on at a time. */
static inline void simulation_go_on(struct simulation *s, int rank, double time)
{
    hitop_sched_events_add(&s->events, time, rank, NO_MESSAGE);
}

/* Whether a message leaves without waiting for its receiver. */
static inline int simulation_is_eager(const struct simulation *s, const struct message *m)
{
    return s->cost->eager && m->send->span.bytes <= s->cost->eager(s->cost->self, m->from, m->to);
}

/*
 * Start a message; 0 where it is not known yet when its sender is free, which then goes on by an
 * event.
 */
int hitop_simulation_start(struct simulation *s, size_t message, double now);

/* The event of a message, also that its receive is posted. */
void hitop_simulation_meet(struct simulation *s, size_t message, double now);

/* The event of a trunk, of some version. */
void hitop_simulation_serve(struct simulation *s, int trunk, size_t version, double now);

#endif /* SCHED_SIMULATE_H */
