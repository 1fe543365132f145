/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef RING_H
#define RING_H

/* ring.h - parts travel around a ring, one place further in each phase. */

#include "coll/algorithms/parts.h"
#include "coll/algorithms/segments.h"
#include "coll/algorithms/team.h"

/*
 * Allgather: each member has its part in `all` before; all members have all parts after. Any
 * number of members.
 */
void hitop_ring_allgather(const struct team *team, const struct parts *parts, struct hitop_span all,
                          struct hitop_sched *sched);

/*
 * Reduce-scatter: each member contributes all parts in its send buffer. The sum of a part travels
 * around the ring in segments, and each member adds its operand; the sum ends at the member that
 * owns the part. Returns where the owner finds the sum: in work memory, of which twice the longest
 * part is used, or in the send buffer of a single member. The caller appends the fence.
 */
struct hitop_span hitop_ring_reduce_scatter(const struct team *team, const struct parts *parts,
                                            const struct segments *segments,
                                            struct hitop_sched *sched);

#endif /* RING_H */
