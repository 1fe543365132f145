/* SPDX-License-Identifier: BSD-3-Clause */
/* bcast_alone_mpi.c - hitop_bcast() where there are no two levels: always by a plan. */
#include <config.h>

#include "hitop/bcast_mpi.h"

#include "call_mpi.h"

int hitop_bcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
    return call_bcast(buffer, count, type, root, comm);
}
