/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DESCRIPTION_MPI_H
#define DESCRIPTION_MPI_H

/* description_mpi.h - what a call is, in the terms of plans. */

#include "coll/runtime/cache.h"
#include "coll/runtime/call_mpi.h"
#include "coll/runtime/plans_mpi.h"

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
 * Describe a call whose arguments are in order. MPI_SUCCESS, MPI_ERR_NO_MEM or another MPI error
 * code; hitop_description_fini() in any case.
 */
int hitop_description_init(struct description *d, const struct call *call, int rank, int size,
                           int known);
void hitop_description_fini(struct description *d);

/* 1: only the root is told of all blocks. */
int hitop_description_lacks_counts(const struct description *d);

/*
 * All bytes of an operation with blocks that differ, of others those of the message or of one
 * block.
 */
size_t hitop_description_bytes(const struct description *d);

/* 1: all ranks know alike that no byte moves. */
int hitop_description_is_empty(const struct description *d);

/*
 * The lengths of blocks in scatterv and gatherv, of which MPI tells the root alone.
 *
 * Of an algorithm that looks at no more than the blocks of its subtree, lengths go along the tree:
 * down a scatter, to each child those below it; up a gather, where each rank knows its own. Others
 * are told all of them.
 */

/*
 * Complete args->starts, which are `starts`: complete at the root; at others room for size + 1
 * numbers, and in a gather the own length between starts[rank] and starts[rank + 1]. MPI_SUCCESS or
 * an MPI error code.
 */
int hitop_counts_share(struct plans *p, const struct choice *choice, size_t *starts);

/* To rank 0, which is to choose, from the root. */
int hitop_counts_tell_rank_0(struct plans *p, int root, size_t *starts);

#endif /* DESCRIPTION_MPI_H */
