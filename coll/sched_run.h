/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCHED_RUN_H
#define SCHED_RUN_H

/* sched_run.h - walk through the schedules of all ranks in an order in which they could happen. */

#include "sched_match.h"

/* What happens on the way; indices are those of matching.messages[]. Entries may be NULL. */
struct sched_visitor {
    void *self;
    void (*post)(void *self, size_t message); /* the receiver enters the phase of the receive */
    enum hitop_status (*send)(void *self, size_t message, struct hitop_diag *diag);
    void (*receive)(void *self, size_t message);                        /* after its send */
    void (*local)(void *self, int rank, const struct hitop_step *step); /* a copy or a reduction */
    void (*fence)(void *self, int rank); /* after all sends and receives of the phase */
};

/*
 * Visit everything, each event after those it depends on. Takes O(steps) after matching.
 * HITOP_ERR_INVALID: the schedules deadlock.
 */
enum hitop_status sched_run(struct hitop_sched *const *scheds, int size,
                            const struct matching *matching, enum hitop_send_mode mode,
                            const struct sched_visitor *visitor, struct hitop_diag *diag);

#endif /* SCHED_RUN_H */
