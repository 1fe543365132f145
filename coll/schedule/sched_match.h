/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCHED_MATCH_H
#define SCHED_MATCH_H

/* sched_match.h - which send meets which receive. */

#include "hitop/sched.h"

struct message {
    int from, to;
    const struct hitop_step *send, *recv; /* lent by the schedules */
};

struct matching {
    struct message *messages;
    size_t nmessages;
    size_t *message_of; /* per step of all ranks: its message; unused for steps of one rank */
    size_t *first;      /* [size]: where a rank's steps begin in message_of[] */
};

/*
 * Match the schedules of all ranks as MPI does with one tag: between two ranks the k-th send meets
 * the k-th receive. Also checks all that needs no order in time: peers exist, every schedule ends
 * with a fence, every message is sent and received, with one size. Release with
 * hitop_matching_fini(), also after a failure.
 */
enum hitop_status hitop_matching_init(struct matching *matching, struct hitop_sched *const *scheds,
                                      int size, struct hitop_diag *diag);
void hitop_matching_fini(struct matching *matching);

/*
 * Report a deadlock: next[] has the step at which each rank waits, or the number of its steps.
 * HITOP_ERR_INVALID: some rank waits; the message has the first one.
 */
enum hitop_status hitop_sched_check_finished(struct hitop_sched *const *scheds, int size,
                                             const size_t *next, struct hitop_diag *diag);

#endif /* SCHED_MATCH_H */
