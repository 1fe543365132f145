/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MEMORY_MPI_H
#define MEMORY_MPI_H

/*
 * memory_mpi.h - the buffers of a call as a plan wants them: the user's memory where it is in that
 * form, copies elsewhere.
 *
 * What moves is bytes, as ranks may describe the same data by different datatypes. What is combined
 * is elements of the one datatype that all ranks name.
 */

#include "coll/runtime/call_mpi.h"
#include "coll/runtime/exec_mpi.h"

#include "hitop/sys/coll.h"

struct memory {
    struct exec_memory exec[HITOP_NBUFFERS]; /* for hitop_exec_mpi_run() */
    void *copies[HITOP_NBUFFERS];            /* allocated; NULL: the user's memory, or none */
    int unpacks;                             /* what was received goes from its copy to the user */
    int truncated;                           /* a rank was promised another length than its own */
};

/*
 * `in_place` says whether the plan may run on one memory for both sides, `work` how much it wants
 * of its own. MPI_SUCCESS or an MPI error code; hitop_memory_close() in any case.
 */
int hitop_memory_open(struct memory *memory, const struct call *call,
                      const struct hitop_coll_args *args, int in_place, size_t work, MPI_Comm wire);

/* Hand out what the plan has left. MPI_SUCCESS or an MPI error code. */
int hitop_memory_deliver(struct memory *memory, const struct call *call,
                         const struct hitop_coll_args *args, MPI_Comm wire);

void hitop_memory_close(struct memory *memory);

/* The part of hitop_memory_open() that is for reductions. */

#endif /* MEMORY_MPI_H */
