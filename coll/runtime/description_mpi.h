/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DESCRIPTION_MPI_H
#define DESCRIPTION_MPI_H

/* description_mpi.h - the description of a call, as plans need it. */

#include "coll/runtime/cache.h"
#include "coll/runtime/call_mpi.h"
#include "coll/runtime/plans_mpi.h"

#include "hitop/sys/coll.h"

struct description {
    const struct call *call; /* borrowed */
    const struct hitop_operation *operation;
    int known; /* the program passes all counts on all ranks */
    struct hitop_coll_args args;
    size_t *starts, *recv_starts; /* the arrays of args, or NULL */
    struct choice_key key;        /* complete except for the bytes */
};

/*
 * Describe a call whose arguments are valid. MPI_SUCCESS, MPI_ERR_NO_MEM or another MPI error code;
 * call hitop_description_fini() in any case.
 */
int hitop_description_init(struct description *d, const struct call *call, int rank, int size,
                           int known);
void hitop_description_fini(struct description *d);

/* 1: only the root knows all blocks. */
int hitop_description_lacks_counts(const struct description *d);

/*
 * All bytes of an operation with blocks of different lengths; otherwise the bytes of the message or
 * of one block.
 */
size_t hitop_description_bytes(const struct description *d);

/* 1: no byte moves, and all ranks know that. */
int hitop_description_is_empty(const struct description *d);

/*
 * The lengths of blocks in scatterv and gatherv, which MPI passes to the root alone.
 *
 * If an algorithm needs only the blocks of a rank's subtree, lengths are sent along the tree: down
 * in a scatter, to each child those below it; up in a gather, where each rank knows its own. For
 * other algorithms all ranks get all lengths.
 */

/*
 * Complete `starts`, which is args->starts. The root's are complete; on other ranks there is room
 * for size + 1 numbers, and in a gather starts[rank + 1] - starts[rank] is the rank's own length.
 * MPI_SUCCESS or an MPI error code.
 */
int hitop_counts_share(struct plans *p, const struct choice *choice, size_t *starts);

/* The root sends the lengths to rank 0, which chooses. */
int hitop_counts_send_to_rank_0(struct plans *p, int root, size_t *starts);

#endif /* DESCRIPTION_MPI_H */
