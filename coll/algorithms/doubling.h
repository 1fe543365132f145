/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DOUBLING_H
#define DOUBLING_H

/* doubling.h - exchanges of intervals of parts whose length doubles, or halves, in each phase. */

#include "coll/algorithms/parts.h"
#include "coll/algorithms/team.h"

/*
 * Allgather by recursive doubling: each member has its part in `all` before; all members have all
 * parts after. The number of members is a power of two.
 */
void hitop_doubling_allgather(const struct team *team, const struct parts *parts,
                              struct hitop_span all, struct hitop_sched *sched);

/*
 * The last step: each surplus rank receives `all` from the member that acted for it. The caller
 * appends the fence.
 */
void hitop_doubling_share(const struct team *team, struct hitop_span all,
                          struct hitop_sched *sched);

/*
 * Scatter by halving: the first member has all parts in `all` before; after, each member has its
 * own part there, and inner members those they forwarded. Any number of members.
 */
void hitop_halving_scatter(const struct team *team, const struct parts *parts,
                           struct hitop_span all, struct hitop_sched *sched);

#endif /* DOUBLING_H */
