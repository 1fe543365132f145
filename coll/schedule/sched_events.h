/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCHED_EVENTS_H
#define SCHED_EVENTS_H

/* sched_events.h - priority queues of a simulation, ordered by time: events and timers. */

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

/* The time of the first event; HUGE_VAL when the queue is empty. */
double hitop_sched_events_first(const struct sched_events *events);

/* A queue of timers, each of which is set to one time or not set; equal times by number. */
struct sched_timers {
    double *time; /* [room] */
    int *heap;    /* [room]: those that are set; the first one is at 0 */
    int *place;   /* [room]: in heap[]; -1: not set */
    int count;
};

/* Allocate `room` timers; return 0 when out of memory. Release with hitop_sched_timers_fini(). */
int hitop_sched_timers_init(struct sched_timers *timers, int room);
void hitop_sched_timers_fini(struct sched_timers *timers);

/* Set a timer to another time; HUGE_VAL: it is not set. */
void hitop_sched_timers_set(struct sched_timers *timers, int timer, double time);

#endif /* SCHED_EVENTS_H */
