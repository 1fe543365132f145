/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCHED_RUN_H
#define SCHED_RUN_H

/* sched_run.h - walk through the schedules of all ranks in an order in which they could happen. */

#include "coll/schedule/sched_match.h"

/* What happens on the way; indices are those of matching.messages[]. */
struct sched_visitor {
    void *self;
    enum hitop_status (*send)(void *self, size_t message, struct hitop_diag *diag);
    void (*receive)(void *self, size_t message);                        /* after its send */
    void (*local)(void *self, int rank, const struct hitop_step *step); /* a copy or a reduction */
};

/*
 * Visit everything, each event after those it depends on. Takes O(steps) after matching.
 * HITOP_ERR_INVALID: the schedules deadlock.
 */
enum hitop_status hitop_sched_run(struct hitop_sched *const *scheds, int size,
                                  const struct matching *matching, enum hitop_send_mode mode,
                                  const struct sched_visitor *visitor, struct hitop_diag *diag);

/*
 * Name the first rank that has not finished, if there is one: next[] tells the step at which each waits, or their
 * number. HITOP_ERR_INVALID: there is.
 */
enum hitop_status hitop_sched_check_finished(struct hitop_sched *const *scheds, int size,
                                             const size_t *next, struct hitop_diag *diag);

#endif /* SCHED_RUN_H */
