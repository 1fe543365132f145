/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCHED_CHECK_H
#define SCHED_CHECK_H

/* sched_check.h - what a schedule may do to memory. */

#include "hitop/sched.h"

/*
 * Every step stays within its buffers, none writes what the rank brings, none reduces unless it can, and within a
 * phase nothing else touches what is received, be it by way of the other buffer: HITOP_ERR_INVALID where this does not
 * hold. Takes O(n log n) for n steps.
 */
enum hitop_status hitop_sched_check(const struct hitop_sched *sched, int rank,
                                    const struct hitop_replay_memory *memory, int can_reduce,
                                    struct hitop_diag *diag);

#endif /* SCHED_CHECK_H */
