/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sched_trunks.c - ways that messages share evenly.
 *
 * Idea:  of n messages each is served at 1 / n of the speed. All of them are served alike, so that it is enough to
 *        count what each one has got since the trunk was empty: a message leaves when that has grown by its seconds.
 * Cost:  O(log n) to enter and to leave.
 */
#include <config.h>

#include "coll/schedule/sched_trunks.h"

#include <math.h>

static void serve_until(struct sched_trunk *trunk, double now)
{
    if (trunk->flows.count > 0) {
        trunk->served += (now - trunk->since) / (double)trunk->flows.count;
    } else {
        trunk->served = 0; /* a small number has more digits */
    }
    trunk->since = now;
}

int hitop_sched_trunk_enter(struct sched_trunk *trunk, size_t message, double seconds, double now)
{
    serve_until(trunk, now);
    hitop_sched_events_add(&trunk->flows, trunk->served + seconds, 0, message);
    return !trunk->flows.out_of_memory;
}

double hitop_sched_trunk_next(const struct sched_trunk *trunk)
{
    const double n = (double)trunk->flows.count;

    return n > 0 ? trunk->since + n * fmax(0, trunk->flows.heap[0].time - trunk->served) : HUGE_VAL;
}

void hitop_sched_trunk_serve(struct sched_trunk *trunk, double now)
{
    serve_until(trunk, now);
    if (trunk->flows.count > 0) { /* whatever rounding says, so that time goes on */
        trunk->served = fmax(trunk->served, trunk->flows.heap[0].time);
    }
}

int hitop_sched_trunk_leave(struct sched_trunk *trunk, size_t *message)
{
    static const double rounding = 1e-12;
    struct sched_event first;

    if (trunk->flows.count == 0 || trunk->flows.heap[0].time > trunk->served * (1 + rounding)) {
        return 0;
    }
    (void)hitop_sched_events_take(&trunk->flows, &first);
    *message = first.message;
    return 1;
}
