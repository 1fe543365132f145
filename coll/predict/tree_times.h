/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TREE_TIMES_H
#define TREE_TIMES_H

/* tree_times.h - the time of an algorithm over a tree, computed from the tree instead of a plan. */

#include "coll/predict/choice_parts.h"
#include "coll/schedule/sched_prices.h"

/*
 * Whether hitop_tree_times() can predict a choice for a call: messages wait for their receivers,
 * local steps take no time, all blocks have the same length, and parameters are within their
 * ranges.
 */
int hitop_tree_times_apply(const struct hitop_choice *choice, const struct hitop_call *call,
                           const struct hitop_cost *cost);

struct tree_time {
    double seconds; /* until the last rank completes if no two messages share a trunk */
    double bound;   /* lower bound of the time, also where messages share trunks */
    double stage;   /* lower bound of the longest phase of any rank */
    int is_exact;   /* 1: no two messages share a trunk at any time */
};

/*
 * Predict an algorithm over a tree, as the simulation of its plans does, up to rounding errors.
 * Takes O(ranks x segments) time and O(ranks) memory. The prices are those of the ranks of the
 * tree. Stops when the algorithm takes longer than `limit` seconds: then the times are INFINITY, or
 * only the bound is known. The period is always known.
 */
enum hitop_status hitop_tree_times(const struct hitop_call *call, const struct hitop_choice *choice,
                                   const struct hitop_tree *tree, struct sched_prices *prices,
                                   double limit, struct tree_time *out, struct hitop_diag *diag);

#endif /* TREE_TIMES_H */
