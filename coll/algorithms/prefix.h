/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PREFIX_H
#define PREFIX_H

/* prefix.h - sums of the operands of all lower ranks, in their order, with the own one or without. */

#include "coll/algorithms/segments.h"

/* Sums of 2, 4, 8, ... ranks move up by as many. Ends with a fence. */
void hitop_prefix_doubling(const struct hitop_coll_args *args, int exclusive,
                           struct hitop_sched *sched);

/* Sums move up from rank to rank, in segments. Ends with a fence. */
void hitop_prefix_chain(const struct hitop_coll_args *args, const struct segments *segments,
                        int exclusive, struct hitop_sched *sched);

#endif /* PREFIX_H */
