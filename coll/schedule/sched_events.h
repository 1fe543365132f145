/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCHED_EVENTS_H
#define SCHED_EVENTS_H

/* sched_events.h - a priority queue of simulation events, ordered by time. */

#include <stddef.h>

/* Events at the same time are ordered by rank, then by message. */
struct sched_event {
    double time;
    int rank;
    size_t message; /* NO_MESSAGE: the rank itself continues */
};

#define NO_MESSAGE ((size_t)-1)

/* All zero when empty; release with hitop_sched_events_fini(). */
struct sched_events {
    struct sched_event *heap;
    size_t count, capacity;
    int out_of_memory; /* 1: an event was lost */
};

void hitop_sched_events_add(struct sched_events *events, double time, int rank, size_t message);

/* Remove the first event and return 1; return 0 when the queue is empty. */
int hitop_sched_events_take(struct sched_events *events, struct sched_event *out);

void hitop_sched_events_fini(struct sched_events *events);

#endif /* SCHED_EVENTS_H */
