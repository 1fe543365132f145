/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef RING_TIMES_H
#define RING_TIMES_H

/* ring_times.h - the time of an algorithm around a ring of all ranks, without a plan. */

#include "coll/predict/choice_parts.h"
#include "coll/schedule/sched_prices.h"

/*
 * Set the times of a choice, and return 1; 0: it is no ring, or its time has no closed form.
 *
 * In each step every rank sends a share to the next rank and receives one of the same length. The
 * rank behind the slowest link completes no step in less than the time of that link. No rank
 * completes s steps later than s times that: by induction, a message starts when both its ranks
 * have completed the step before, and keeps no port longer than it takes. So s steps take s times
 * as long as a message over the slowest link. This holds where messages wait for their receivers,
 * shares have equal length, local steps take no time, and no trunk carries two messages of a step.
 */
int hitop_ring_times(const struct hitop_call *call, const struct hitop_choice *choice,
                     struct sched_prices *prices, struct choice_price *out);

#endif /* RING_TIMES_H */
