/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DOUBLING_H
#define DOUBLING_H

/* doubling.h - stretches of parts that double, or halve, from phase to phase. */

#include "coll/algorithms/parts.h"
#include "coll/algorithms/team.h"

/*
 * Each member has its part in `all` before; all members have all parts after. The size is a power
 * of two.
 */
void hitop_doubling_allgather(const struct team *team, const struct parts *parts,
                              struct hitop_span all, struct hitop_sched *sched);

/*
 * In the end: the surplus rank of a pair gets `all` from the member that acted for it. A fence is
 * still due.
 */
void hitop_doubling_share(const struct team *team, struct hitop_span all,
                          struct hitop_sched *sched);

/*
 * The first member has all parts in `all` before; each member has its own after, among others. Any
 * size.
 */
void hitop_halving_scatter(const struct team *team, const struct parts *parts,
                           struct hitop_span all, struct hitop_sched *sched);

#endif /* DOUBLING_H */
