/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCHED_SIMULATE_H
#define SCHED_SIMULATE_H

/* sched_simulate.h - the state of a simulation: how far each rank is, and each message. */

#include "sched_events.h"
#include "sched_run.h"
#include "sched_transfer.h"

/* Of a message: its receive is posted; its end is known; its sender waits for the post. */
enum { POSTED = 1u << 0, SENT = 1u << 1, SENDER_WAITS = 1u << 2 };

struct simulation_actor {
    size_t fence;   /* last step of the phase */
    size_t missing; /* receives of the phase the end of which is not known */
    double port;    /* when the next send may leave */
    double arrived; /* when the last bytes of the phase are there */
    enum { ENTERING, WORKING, RECEIVING } stage;
};

/* All zero but for schedules and matching, with room in the arrays. */
struct simulation {
    struct hitop_sched *const *scheds;
    const struct matching *matching;
    struct sched_machine machine;
    struct sched_events events;
    struct simulation_actor *actors;  /* [size] */
    size_t *next;                     /* [size]: step to look at next; their number when done */
    unsigned char *flags;             /* [nmessages] */
    struct sched_transfer *transfers; /* [nmessages] */
    hitop_sched_note *trace;          /* or NULL */
    void *trace_self;
};

/* Let all happen that can; next[] tells who has not come to an end. */
void simulate(struct simulation *s, int size);

static inline size_t simulation_message(const struct simulation *s, int rank, size_t step)
{
    return s->matching->message_of[s->matching->first[rank] + step];
}

#endif /* SCHED_SIMULATE_H */
