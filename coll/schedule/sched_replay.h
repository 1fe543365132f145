/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCHED_REPLAY_H
#define SCHED_REPLAY_H

/* sched_replay.h - simulate the schedules of all ranks with prices of an earlier simulation. */

#include "coll/schedule/sched_prices.h"

#include "hitop/sched.h"

struct sched_replay {
    struct hitop_sched *const *scheds; /* [size] */
    int size;
    struct sched_prices *prices; /* of these ranks; grows */
    /*
     * Stop once a rank takes longer than this. Events are processed in the order of time, and each
     * of them is a time at which a rank is not done, so this is known at the first later event.
     */
    double limit;
    double *finish;         /* [size]: receives the seconds of each rank unless stopped */
    hitop_sched_note *note; /* called with `self` for each activity; or NULL */
    void *self;
    int is_stopped; /* result; 1: some rank takes longer than the limit */
};

/* As hitop_sched_trace(). */
enum hitop_status hitop_sched_replay_run(struct sched_replay *replay, struct hitop_diag *diag);

#endif /* SCHED_REPLAY_H */
