/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCHED_EVENTS_H
#define SCHED_EVENTS_H

/* sched_events.h - what is to happen, the earliest first. */

#include <stddef.h>

/* Of events at one time that of the lowest rank comes first, then that of the lowest message. */
struct sched_event {
    double time;
    int rank;
    size_t message; /* NO_MESSAGE where the rank itself goes on */
};

#define NO_MESSAGE ((size_t)-1)

/* All zero when empty; release with hitop_sched_events_fini(). */
struct sched_events {
    struct sched_event *heap;
    size_t count, room;
    int out_of_memory; /* 1: an event was lost */
};

void hitop_sched_events_add(struct sched_events *events, double time, int rank, size_t message);

/* Take the first event; 0 when there is none. */
int hitop_sched_events_take(struct sched_events *events, struct sched_event *out);

void hitop_sched_events_fini(struct sched_events *events);

#endif /* SCHED_EVENTS_H */
