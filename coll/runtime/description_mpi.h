/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DESCRIPTION_MPI_H
#define DESCRIPTION_MPI_H

/* description_mpi.h - what a call is, in the terms of plans. */

#include "coll/runtime/cache.h"
#include "coll/runtime/call_mpi.h"

#include "hitop/sys/coll.h"

struct description {
    const struct call *call; /* borrowed */
    const struct hitop_operation *operation;
    int known; /* the program passes all counts on all ranks */
    struct hitop_coll_args args;
    size_t *starts, *recv_starts; /* args' own, or NULL */
    struct choice_key key;        /* but for the bytes */
};

/*
 * Describe a call whose arguments are in order. MPI_SUCCESS, MPI_ERR_NO_MEM or another MPI error code;
 * hitop_description_fini() in any case.
 */
int hitop_description_init(struct description *d, const struct call *call, int rank, int size,
                           int known);
void hitop_description_fini(struct description *d);

/* 1: only the root is told of all blocks. */
int hitop_description_lacks_counts(const struct description *d);

/* All bytes of an operation with blocks that differ, of others those of the message or of one block. */
size_t hitop_description_bytes(const struct description *d);

/* 1: all ranks know alike that no byte moves. */
int hitop_description_is_empty(const struct description *d);

#endif /* DESCRIPTION_MPI_H */
