/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CALL_MPI_H
#define CALL_MPI_H

/*
 * call_mpi.h - one call of a collective, whichever: what its arguments say, and the way that all
 * calls go.
 */

#include "hitop/operation.h"

#include <mpi.h>

/*
 * For all that every call goes through, which has a hundred nanoseconds for everything.
 *
 * PER_THREAD: a variable of each thread. In a shared library each access usually calls the dynamic
 * linker; the few small ones here have room where the thread begins, at a distance that is known
 * once the library is loaded, also when that is late. Where ranks are simulated the program is
 * loaded once for each rank, for which there is no room.
 *
 * RARELY: a function that few calls come to, for which the others make no detour.
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
 * What the call says about one buffer. A message or a block is `count` elements; blocks are `count`
 * elements each, or counts[i] elements at displs[i] (one after another where displs is NULL).
 * Without padding before the two: compilers clear it together with them, in stores that a processor
 * cannot hand on to the loads that follow at once.
 */
struct call_side {
    void *buffer; /* may be MPI_IN_PLACE; what is brought is only read */
    const int *counts, *displs;
    MPI_Datatype type;
    int count;
};

struct call {
    enum hitop_operation_id operation;
    struct call_side send, recv; /* of a broadcast only recv */
    MPI_Op op;
    int root;
    MPI_Comm comm;
};

struct compare_log;

/*
 * By a plan if possible, by MPI otherwise; MPI_SUCCESS or a code that the error handler has seen.
 * Where the program names no algorithm plans are compared with MPI by up to `trial` calls each way
 * (compare_mpi.h); what comes out is added to `log`, which lives as long as the communicator.
 */
int hitop_call_run(const struct call *call, int trial, struct compare_log *log);

/* A broadcast by hitop_call_run(), not compared. */
int hitop_call_bcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm);

/* 0: the arguments of rank `rank` of `size` are wrong, and the MPI library shall say how. */
int hitop_call_is_valid(const struct call *call, int rank, int size);

/* The same call of the MPI library. */
int hitop_call_fallback(const struct call *call);

/* 1 when this rank has a meaning for the side: it is significant. */
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
