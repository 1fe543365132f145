/* SPDX-License-Identifier: BSD-3-Clause */
/* preload_mpi.c - the MPI entry points that libhitop_coll.so takes over. */
#include <config.h>

#include "hitop/bcast_mpi.h"

HITOP_API int MPI_Bcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm);

int MPI_Bcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
    return hitop_bcast(buffer, count, type, root, comm);
}

#if MPI_VERSION >= 4
HITOP_API int MPI_Bcast_c(void *buffer, MPI_Count count, MPI_Datatype type, int root,
                          MPI_Comm comm);

int MPI_Bcast_c(void *buffer, MPI_Count count, MPI_Datatype type, int root, MPI_Comm comm)
{
    return hitop_bcast_c(buffer, count, type, root, comm);
}
#endif
