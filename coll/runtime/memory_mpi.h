/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MEMORY_MPI_H
#define MEMORY_MPI_H

/*
 * memory_mpi.h - the buffers of a call as a plan needs them: the user's memory where it has that
 * form, copies elsewhere.
 *
 * Messages are bytes, because ranks may describe the same data by different datatypes. Reductions
 * work on elements of the one datatype that all ranks pass.
 */

#include "coll/runtime/call_mpi.h"
#include "coll/runtime/exec_mpi.h"

#include "hitop/sys/coll.h"

struct memory {
    struct exec_memory exec[HITOP_NBUFFERS]; /* for hitop_exec_mpi_run() */
    void *copies[HITOP_NBUFFERS];            /* allocated; NULL: the user's memory, or none */
    /* received data must be unpacked to the user's buffer */
    int unpacks;
    /* another rank expects another length than this one has */
    int truncated;
};

/*
 * `in_place`: the plan may run on one memory for both sides. `work`: bytes of working memory that
 * it needs. MPI_SUCCESS or an MPI error code; call hitop_memory_close() in any case.
 */
int hitop_memory_open(struct memory *memory, const struct call *call,
                      const struct hitop_coll_args *args, int in_place, size_t work, MPI_Comm wire);

/* Unpack the received data to the user's buffer. MPI_SUCCESS or an MPI error code. */
int hitop_memory_deliver(struct memory *memory, const struct call *call,
                         const struct hitop_coll_args *args, MPI_Comm wire);

void hitop_memory_close(struct memory *memory);

#endif /* MEMORY_MPI_H */
