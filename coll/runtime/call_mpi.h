/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CALL_MPI_H
#define CALL_MPI_H

/* call_mpi.h - one call of any collective: its arguments, and the functions that serve it. */

#include "hitop/operation.h"

#include <mpi.h>

/*
 * For code that every call runs; a call has about 100 ns in all.
 *
 * PER_THREAD: a thread-local variable. In a shared library each access usually calls the dynamic
 * linker. The few small variables here fit into the static TLS block, at an offset that is known
 * once the library is loaded, even with dlopen(). Where ranks are simulated the program is loaded
 * once for each rank, and there is no room for that.
 *
 * RARELY: a function that few calls reach, placed away from the code of the others.
 */
#if defined(__GNUC__) && !defined(HITOP_SMPI)
#define PER_THREAD _Thread_local __attribute__((tls_model("initial-exec")))
#else
#define PER_THREAD _Thread_local
#endif

#if defined(__GNUC__)
#define RARELY __attribute__((cold))
#else
#define RARELY
#endif

/*
 * The arguments for one buffer. A message or a block is `count` elements. Blocks are `count`
 * elements each, or counts[i] elements at displs[i] (one after another where displs is NULL). The
 * order of the members leaves no padding between them: compilers would clear padding and a member
 * in one store, which a processor cannot forward to the load of the member that follows at once.
 */
struct call_side {
    void *buffer; /* may be MPI_IN_PLACE; send buffers are only read */
    const int *counts, *displs;
    MPI_Datatype type;
    int count;
};

struct call {
    enum hitop_operation_id operation;
    struct call_side send, recv; /* a broadcast has only recv */
    MPI_Op op;
    int root;
    MPI_Comm comm;
};

struct compare_log;

/*
 * Serve the call by a plan if possible, otherwise by MPI. MPI_SUCCESS, or an error code with which
 * the error handler has been called. Where the program names no algorithm, plans are compared with
 * MPI by up to `trial` calls of each (compare_mpi.h); the results are added to `log`, which lives
 * as long as the communicator.
 */
int hitop_call_run(const struct call *call, int trial, struct compare_log *log);

/* 0: the arguments of rank `rank` of `size` are wrong; the MPI library reports the error. */
int hitop_call_is_valid(const struct call *call, int rank, int size);

/* The same call of the MPI library. */
int hitop_call_fallback(const struct call *call);

/* 1: the side is significant on this rank. */
static inline int call_sends(const struct call *call, int rank)
{
    const struct hitop_operation *o = &hitop_operations()[call->operation];

    return o->brings != HITOP_NOTHING && call->operation != HITOP_BCAST &&
           (!(o->flags & HITOP_ROOT_BRINGS) || rank == call->root);
}

static inline int call_receives(const struct call *call, int rank)
{
    const struct hitop_operation *o = &hitop_operations()[call->operation];

    return o->takes != HITOP_NOTHING && (!(o->flags & HITOP_ROOT_TAKES) || rank == call->root);
}

#endif /* CALL_MPI_H */
