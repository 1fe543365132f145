/* SPDX-License-Identifier: BSD-3-Clause */
/* api_mpi.c - MPI's argument lists as calls. */
#include <config.h>

#include "hitop/collectives_mpi.h"

#include "dispatch_mpi.h"

#include <stdint.h>

/* What is brought is only read, whatever its type here. */
static void *brought(const void *buffer)
{
    return (void *)(uintptr_t)buffer;
}

static struct call_side even(const void *buffer, int count, MPI_Datatype type)
{
    return (struct call_side){.buffer = brought(buffer), .count = count, .type = type};
}

static struct call_side uneven(const void *buffer, const int *counts, const int *displs,
                               MPI_Datatype type)
{
    return (struct call_side){
        .buffer = brought(buffer), .counts = counts, .displs = displs, .type = type};
}

static int run(enum hitop_operation_id operation, struct call_side send, struct call_side recv,
               MPI_Op op, int root, MPI_Comm comm)
{
    const struct call call = {operation, send, recv, op, root, comm};

    return dispatch_run(&call, DISPATCH_PLANS);
}

int hitop_scatter(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                  int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm)
{
    return run(HITOP_SCATTER, even(sendbuf, sendcount, sendtype),
               even(recvbuf, recvcount, recvtype), MPI_OP_NULL, root, comm);
}

int hitop_scatterv(const void *sendbuf, const int sendcounts[], const int displs[],
                   MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype,
                   int root, MPI_Comm comm)
{
    return run(HITOP_SCATTERV, uneven(sendbuf, sendcounts, displs, sendtype),
               even(recvbuf, recvcount, recvtype), MPI_OP_NULL, root, comm);
}

int hitop_gather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                 int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm)
{
    return run(HITOP_GATHER, even(sendbuf, sendcount, sendtype), even(recvbuf, recvcount, recvtype),
               MPI_OP_NULL, root, comm);
}

int hitop_gatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                  const int recvcounts[], const int displs[], MPI_Datatype recvtype, int root,
                  MPI_Comm comm)
{
    return run(HITOP_GATHERV, even(sendbuf, sendcount, sendtype),
               uneven(recvbuf, recvcounts, displs, recvtype), MPI_OP_NULL, root, comm);
}

int hitop_allgather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                    int recvcount, MPI_Datatype recvtype, MPI_Comm comm)
{
    return run(HITOP_ALLGATHER, even(sendbuf, sendcount, sendtype),
               even(recvbuf, recvcount, recvtype), MPI_OP_NULL, 0, comm);
}

int hitop_allgatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                     const int recvcounts[], const int displs[], MPI_Datatype recvtype,
                     MPI_Comm comm)
{
    return run(HITOP_ALLGATHERV, even(sendbuf, sendcount, sendtype),
               uneven(recvbuf, recvcounts, displs, recvtype), MPI_OP_NULL, 0, comm);
}

int hitop_alltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                   int recvcount, MPI_Datatype recvtype, MPI_Comm comm)
{
    return run(HITOP_ALLTOALL, even(sendbuf, sendcount, sendtype),
               even(recvbuf, recvcount, recvtype), MPI_OP_NULL, 0, comm);
}

int hitop_alltoallv(const void *sendbuf, const int sendcounts[], const int sdispls[],
                    MPI_Datatype sendtype, void *recvbuf, const int recvcounts[],
                    const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm)
{
    return run(HITOP_ALLTOALLV, uneven(sendbuf, sendcounts, sdispls, sendtype),
               uneven(recvbuf, recvcounts, rdispls, recvtype), MPI_OP_NULL, 0, comm);
}

int hitop_reduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype type, MPI_Op op,
                 int root, MPI_Comm comm)
{
    return run(HITOP_REDUCE, even(sendbuf, count, type), even(recvbuf, count, type), op, root,
               comm);
}

int hitop_allreduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype type, MPI_Op op,
                    MPI_Comm comm)
{
    return run(HITOP_ALLREDUCE, even(sendbuf, count, type), even(recvbuf, count, type), op, 0,
               comm);
}

int hitop_reduce_scatter(const void *sendbuf, void *recvbuf, const int recvcounts[],
                         MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    return run(HITOP_REDUCE_SCATTER, uneven(sendbuf, recvcounts, NULL, type),
               uneven(recvbuf, recvcounts, NULL, type), op, 0, comm);
}

int hitop_reduce_scatter_block(const void *sendbuf, void *recvbuf, int recvcount, MPI_Datatype type,
                               MPI_Op op, MPI_Comm comm)
{
    return run(HITOP_REDUCE_SCATTER_BLOCK, even(sendbuf, recvcount, type),
               even(recvbuf, recvcount, type), op, 0, comm);
}

int hitop_scan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype type, MPI_Op op,
               MPI_Comm comm)
{
    return run(HITOP_SCAN, even(sendbuf, count, type), even(recvbuf, count, type), op, 0, comm);
}

int hitop_exscan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype type, MPI_Op op,
                 MPI_Comm comm)
{
    return run(HITOP_EXSCAN, even(sendbuf, count, type), even(recvbuf, count, type), op, 0, comm);
}

int hitop_barrier(MPI_Comm comm)
{
    return run(HITOP_BARRIER, even(NULL, 0, MPI_BYTE), even(NULL, 0, MPI_BYTE), MPI_OP_NULL, 0,
               comm);
}

int call_bcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
    const struct call_side message = even(buffer, count, type);
    const struct call call = {HITOP_BCAST, message, message, MPI_OP_NULL, root, comm};

    return call_run(&call);
}
