/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCHED_TRUNKS_H
#define SCHED_TRUNKS_H

/* sched_trunks.h - ways that messages share evenly. */

#include "coll/schedule/sched_events.h"

struct sched_trunk {
    struct sched_events
        flows;      /* messages under way; their time is what each of all has been served by then */
    double served;  /* seconds, of each of them, */
    double since;   /* by this time */
    size_t version; /* of what is known about the next one to leave */
};

/* A message enters now, of which alone the trunk takes so many seconds; 0 when out of memory. */
int hitop_sched_trunk_enter(struct sched_trunk *trunk, size_t message, double seconds, double now);

/* When the next one leaves if none enters before; HUGE_VAL where there is none. */
double hitop_sched_trunk_next(const struct sched_trunk *trunk);

/* It is that time, with nobody entered since. */
void hitop_sched_trunk_serve(struct sched_trunk *trunk, double now);

/* Let a message leave that has been served; 0 when there is none. */
int hitop_sched_trunk_leave(struct sched_trunk *trunk, size_t *message);

#endif /* SCHED_TRUNKS_H */
