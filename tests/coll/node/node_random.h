/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef NODE_TRIAL_H
#define NODE_TRIAL_H

/*
 * node_random.h - what one process of a node does in a random sequence of operations of all kinds.
 *
 * Everything about an operation follows from its number, so that all processes agree without talking.
 */

#include "coll/node/node.h"

#include <stdatomic.h>

enum node_random_kind {
    TRIAL_BARRIER,
    TRIAL_BCAST,
    TRIAL_REDUCE,
    TRIAL_ALLREDUCE,
    TRIAL_GATHER,
    TRIAL_SCATTER,
    TRIAL_ALLGATHER,
    TRIAL_ALLTOALL,
    TRIAL_KINDS
};

enum { TRIAL_ALL_ODD = 1000 };

struct node_random {
    struct hitop_node_layout layout;
    unsigned operations;
    unsigned kinds; /* OR of 1 << TRIAL_* */
    size_t longest; /* bytes that a process brings, at most */
    int pulls;      /* processes may copy from each other's memory */
    int odd;        /* the process that may not after a while, or TRIAL_ALL_ODD; -1: none */
    int calls;      /* of the kernel until then */
    int misled;     /* of every second operation another process is told another length */
    size_t part;    /* of operands, told at a time; 0: as usual */
    int fixed_root; /* process 0 is the root, so that the others may run ahead of it */
    struct hitop_arena *arena; /* NULL: nothing is left for late processes */
    _Atomic unsigned
        *came; /* [nranks] zeroes that all share: the barriers that they have come to */
};

/* Take part as process `me`; the number of things that were wrong. */
int node_random_run(const struct node_random *trial, void *memory, int me);

#endif /* NODE_TRIAL_H */
