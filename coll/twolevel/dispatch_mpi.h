/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DISPATCH_MPI_H
#define DISPATCH_MPI_H

/*
 * dispatch_mpi.h - who serves a call: two levels, plans, or MPI.
 *
 * A plan where somebody names its algorithm; two levels where the communicator is ready for them
 * and the operation can be made so; all else goes where the caller says.
 */

#include "coll/runtime/call_mpi.h"

enum dispatch_otherwise {
    DISPATCH_MPI,   /* a program that knows nothing of us: what it would have had */
    DISPATCH_PLANS, /* a program that calls us: the fastest plan */
};

/* MPI_SUCCESS or a code that the error handler has seen. */
int hitop_dispatch_run(const struct call *call, enum dispatch_otherwise otherwise);

#endif /* DISPATCH_MPI_H */
