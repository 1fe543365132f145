/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCHED_SIMULATE_H
#define SCHED_SIMULATE_H

/* sched_simulate.h - the state of a simulation: how far each rank is, and each message. */

#include "coll/schedule/sched_events.h"
#include "coll/schedule/sched_transfer.h"

/*
 * Of a message: its receive is posted; its end is known; its sender, or it itself, waits for the
 * post.
 */
enum { POSTED = 1u << 0, SENT = 1u << 1, SENDER_WAITS = 1u << 2, IS_EARLY = 1u << 3 };

struct simulation_actor {
    size_t fence;   /* last step of the phase */
    size_t missing; /* receives of the phase the end of which is not known */
    double port;    /* when the next send may leave */
    double arrived; /* when the last bytes of the phase are there */
    enum { ENTERING, WORKING, RECEIVING } stage;
};

/* What is to be known of a message where there are trunks. */
struct simulation_share {
    double alone;     /* when it arrives if nobody delays it from now on */
    double occupied;  /* when its sender is free if nobody delays it */
    double handshake; /* seconds before its bytes move */
    double
        rest; /* seconds from the trunks to its end; behind them: when it arrives if the port is free */
    size_t next;     /* message behind it in the queue for a port */
    int pending;     /* trunks that have not served it */
    char is_late;    /* its bytes move when it has the port */
    char is_opening; /* it is in its handshake */
    int has_port;
    int sender_waits;
};

/* Messages that want the port of one rank, while nobody knows when it is free. */
struct simulation_queue {
    size_t first, last; /* NO_MESSAGE: none */
};

/* All zero but for schedules and matching, with room in the arrays. */
struct simulation {
    int size;
    struct hitop_sched *const *scheds;
    const struct matching *matching;
    struct sched_machine machine;
    struct sched_events events;
    struct simulation_actor *actors;  /* [size] */
    size_t *next;                     /* [size]: step to look at next; their number when done */
    unsigned char *flags;             /* [nmessages] */
    struct sched_transfer *transfers; /* [nmessages] */
    struct simulation_share *shares;  /* [nmessages]; NULL: there are no trunks */
    struct simulation_queue *queues;  /* [size], likewise */
    hitop_sched_note *trace;          /* or NULL */
    void *trace_self;
};

/* Let all happen that can; next[] tells who has not come to an end. */
void hitop_simulate(struct simulation *s);

static inline size_t simulation_message(const struct simulation *s, int rank, size_t step)
{
    return s->matching->message_of[s->matching->first[rank] + step];
}

#endif /* SCHED_SIMULATE_H */
