/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef RING_H
#define RING_H

/* ring.h - parts that travel around a ring, a place further in each phase. */

#include "coll/algorithms/parts.h"
#include "coll/algorithms/segments.h"
#include "coll/algorithms/team.h"

/* Each member has its part in `all` before; all members have all parts after. Any size. */
void hitop_ring_allgather(const struct team *team, const struct parts *parts, struct hitop_span all,
                          struct hitop_sched *sched);

/*
 * Each member brings all parts. The sum of a part travels around the ring and gathers every
 * member's operand, in segments; the last one to which it comes is the member whose part it is.
 * Returns where that one finds it: in work memory, of which twice the longest part is used, or in
 * what a single member brings. A fence is still due.
 */
struct hitop_span hitop_ring_reduce_scatter(const struct team *team, const struct parts *parts,
                                            const struct segments *segments,
                                            struct hitop_sched *sched);

#endif /* RING_H */
