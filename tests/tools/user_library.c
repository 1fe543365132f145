/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * user_library.c - libraries of collectives as users write them, one for each USER_...: RIGHT has
 * some collectives, WRONG forgets an element, FLIPPED changes one byte inside messages, SEVERAL has
 * two forms of names, EMPTY has no collective, FORTRAN has functions with other arguments only,
 * SMALL has a name in small letters alone.
 */
#include <config.h>

#include "hitop/status.h"

#include <mpi.h>
#include <stdlib.h>

/* Functions of a user have no declarations. */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#pragma GCC diagnostic ignored "-Wmissing-declarations"

#if defined(USER_RIGHT) || defined(USER_SEVERAL)
/* The root sends to one rank after the other. */
HITOP_API int my_Bcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
    int rank, size, status = MPI_SUCCESS;

    (void)MPI_Comm_rank(comm, &rank);
    (void)MPI_Comm_size(comm, &size);
    if (rank != root) {
        return MPI_Recv(buffer, count, type, root, 7, comm, MPI_STATUS_IGNORE);
    }
    for (int i = 0; i < size && status == MPI_SUCCESS; i++) {
        status = i == root ? status : MPI_Send(buffer, count, type, i, 7, comm);
    }
    return status;
}
#endif

#ifdef USER_RIGHT
HITOP_API int my_allreduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype type,
                           MPI_Op op, MPI_Comm comm)
{
    int rank, status;

    (void)MPI_Comm_rank(comm, &rank);
    status = MPI_Reduce(sendbuf == MPI_IN_PLACE && rank != 0 ? recvbuf : sendbuf, recvbuf, count,
                        type, op, 0, comm);
    return status == MPI_SUCCESS ? my_Bcast(recvbuf, count, type, 0, comm) : status;
}

HITOP_API int my_Gatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                         const int recvcounts[], const int displs[], MPI_Datatype recvtype,
                         int root, MPI_Comm comm)
{
    return MPI_Gatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root,
                       comm);
}

/* Functions of MPI that are no blocking collectives. */
HITOP_API int my_Reduce_local(void)
{
    return 0;
}

HITOP_API int my_Ireduce_scatter(void)
{
    return 0;
}
#endif

#if defined(USER_RIGHT) || defined(USER_FORTRAN)
/* A function of Fortran, and one with large counts: other arguments. */
HITOP_API int my_bcast_(void)
{
    abort();
}

HITOP_API int my_Bcast_c(void)
{
    abort();
}
#endif

#if defined(USER_WRONG) || defined(USER_SEVERAL)
/* The last element does not arrive. */
HITOP_API int MPI_Bcast_fast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
    return MPI_Bcast(buffer, count > 0 ? count - 1 : 0, type, root, comm);
}

HITOP_API int MPI_Barrier_fast(MPI_Comm comm)
{
    return MPI_Barrier(comm);
}
#endif

#ifdef USER_FLIPPED
/* One bit of the byte behind the middle of long messages is wrong on all ranks but the root. */
HITOP_API int my_Bcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
    int status = MPI_Bcast(buffer, count, type, root, comm), rank, bytes;

    (void)MPI_Comm_rank(comm, &rank);
    (void)MPI_Type_size(type, &bytes);
    bytes *= count;
    if (rank != root && bytes >= 64) {
        ((unsigned char *)buffer)[bytes / 2 + 1] ^= 1;
    }
    return status;
}
#endif

#ifdef USER_SMALL
HITOP_API int my_bcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
    return MPI_Bcast(buffer, count, type, root, comm);
}
#endif

#ifdef USER_EMPTY
HITOP_API int twice(int n);

HITOP_API int twice(int n)
{
    return 2 * n;
}
#endif
