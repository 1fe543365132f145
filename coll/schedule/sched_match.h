/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCHED_MATCH_H
#define SCHED_MATCH_H

/* sched_match.h - match the sends and receives of all ranks. */

#include "hitop/sched.h"

struct message {
    int from, to;
    const struct hitop_step *send, *recv; /* steps owned by the schedules */
};

struct matching {
    struct message *messages; /* by receiver, then by sender, then in the order of posting */
    size_t nmessages;
    size_t *message_of; /* message of each step of all ranks; unused for local steps */
    size_t *first;      /* [size]: index in message_of[] of the first step of a rank */
};

/*
 * Match sends and receives as MPI does with one tag: the k-th send between two ranks matches the
 * k-th receive. Also make the checks that need no simulation: peers exist, every schedule ends
 * with a fence, and every message is sent and received with the same size. Release with
 * hitop_matching_fini(), also after a failure.
 */
enum hitop_status hitop_matching_init(struct matching *matching, struct hitop_sched *const *scheds,
                                      int size, struct hitop_diag *diag);
void hitop_matching_fini(struct matching *matching);

/*
 * Report a deadlock after a run. next[] has the step at which each rank waits, or the number of
 * its steps. Returns HITOP_ERR_INVALID if a rank waits; the message names the lowest such rank.
 */
enum hitop_status hitop_sched_check_finished(struct hitop_sched *const *scheds, int size,
                                             const size_t *next, struct hitop_diag *diag);

#endif /* SCHED_MATCH_H */
