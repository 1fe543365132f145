/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TREE_COUNTS_H
#define TREE_COUNTS_H

/*
 * tree_counts.h - messages that tell the lengths of blocks that differ, before the blocks travel.
 *
 * They have 8 bytes per block and stand for what they cost: what they say is left to whoever runs them. Both functions
 * append nothing where blocks are alike or all ranks know; else they end with a fence.
 */

#include "hitop/sys/coll.h"

/* The parameter; the same numbers as CPM's sgv. */
enum tree_counts { TREE_COUNTS_PROPAGATED, TREE_COUNTS_BROADCAST, TREE_COUNTS_KNOWN };
enum { TREE_COUNTS, TREE_COUNTS_NPARAMS };
#define TREE_COUNTS_PARAM                                                                          \
    {                                                                                              \
        "counts", "lengths of unlike blocks: 0 propagated, 1 broadcast, 2 known to all ranks",     \
            TREE_COUNTS_KNOWN, TREE_COUNTS_PROPAGATED, TREE_COUNTS_KNOWN, ""                       \
    }

/* For a scatter: propagated, each rank gets the lengths of its subtree from its parent. */
void hitop_tree_counts_down(const struct hitop_coll_args *args, enum tree_counts how,
                            struct hitop_sched *sched);

/* For a gather: propagated, each rank tells its parent those of its subtree; the root knows them all. */
void hitop_tree_counts_up(const struct hitop_coll_args *args, enum tree_counts how,
                          struct hitop_sched *sched);

#endif /* TREE_COUNTS_H */
