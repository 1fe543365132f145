/* SPDX-License-Identifier: BSD-3-Clause */
/* dispatch_alone_mpi.c - calls where there are no two levels: always by a plan. */
#include <config.h>

#include "hitop/bcast_mpi.h"

#include "../twolevel/dispatch_mpi.h"

int dispatch_run(const struct call *call, enum dispatch_otherwise otherwise)
{
    (void)otherwise;
    return call_run(call);
}

int hitop_bcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
    return call_bcast(buffer, count, type, root, comm);
}
