/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TREE_STEPS_H
#define TREE_STEPS_H

/*
 * tree_steps.h - steps of a rank over args->tree, for algorithms that consist of them.
 *
 * Each function is in the file of the algorithm after which it is named. If it appends any step,
 * the last one is a fence.
 */

#include "coll/algorithms/segments.h"

/* As bcast_tree: the message is in the receive buffer. */
void hitop_tree_bcast(const struct hitop_coll_args *args, const struct segments *segments,
                      struct hitop_sched *sched);

/* As reduce_tree: the receive buffer is that of the root. */
void hitop_tree_reduce(const struct hitop_coll_args *args, const struct segments *segments,
                       struct hitop_sched *sched);

/* The place of a rank in a tree of a reduction. */
struct reduce_place {
    int parent; /* HITOP_NO_RANK: the sum stays here */
    const int *child;
    int nchildren;
    struct hitop_span result; /* of the message, for a rank without a parent */
};

/*
 * As reduce_tree, for a tree that is not args->tree. Uses the first 2 nchildren + 1 segments of
 * work memory.
 */
void hitop_reduce_up(const struct hitop_coll_args *args, const struct reduce_place *place,
                     const struct segments *segments, struct hitop_sched *sched);

/* As gather_tree. */
void hitop_tree_gather(const struct hitop_coll_args *args, struct hitop_sched *sched);

#endif /* TREE_STEPS_H */
