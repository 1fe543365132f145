/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef NODE_TRIAL_H
#define NODE_TRIAL_H

/*
 * node_random.h - one rank of a node in a random sequence of operations of all kinds.
 *
 * Everything about an operation is computed from its number, so that all ranks agree without
 * communication.
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
    unsigned kinds;            /* OR of 1 << TRIAL_* */
    size_t longest;            /* the longest block of a rank */
    int has_cma;               /* ranks may copy from each other's memory */
    int odd;                   /* the rank whose CMA fails later, or TRIAL_ALL_ODD; -1: none */
    int calls;                 /* of the kernel before that */
    int misled;                /* in every second operation one rank uses another length */
    size_t part;               /* bytes of an operand that are posted at a time; 0: default */
    int fixed_root;            /* rank 0 is the root, so that the others can run ahead of it */
    struct hitop_arena *arena; /* NULL: no memory for late ranks */
    /* [nranks] shared zeroes: the number of barriers at which each rank has arrived */
    _Atomic unsigned *came;
};

/* Take part as rank `me`; returns the number of errors. */
int node_random_run(const struct node_random *trial, void *memory, int me);

#endif /* NODE_TRIAL_H */
