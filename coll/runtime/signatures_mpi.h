/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIGNATURES_MPI_H
#define SIGNATURES_MPI_H

/*
 * signatures_mpi.h - MPI's collectives as a table: their names, argument lists and calls.
 *
 * COLLECTIVES(ROW) is
 *
 *     ROW(Name, name, OPERATION, (parameters), (arguments), send, recv, op, root)
 *
 * for each of them: MPI_<Name> and hitop_<name> with these parameters are the call
 * {HITOP_<OPERATION>, send, recv, op, root, comm} of call_mpi.h, where the arguments have the names
 * of the parameters.
 */

#include "coll/runtime/call_mpi.h"
#include "coll/runtime/facts_mpi.h"

#include <stdint.h>

/* Send buffers are only read, even if their type here is not const. */
static inline void *signature_brought(const void *buffer)
{
    return (void *)(uintptr_t)buffer;
}

static inline struct call_side even(const void *buffer, int count, MPI_Datatype type)
{
    return (struct call_side){.buffer = signature_brought(buffer), .count = count, .type = type};
}

static inline struct call_side uneven(const void *buffer, const int *counts, const int *displs,
                                      MPI_Datatype type)
{
    return (struct call_side){
        .buffer = signature_brought(buffer), .counts = counts, .displs = displs, .type = type};
}

/* clang-format off */

#define COLLECTIVES(ROW)                                                                           \
    ROW(Bcast, bcast, BCAST,                                                                       \
        (void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm),                     \
        (buffer, count, type, root, comm),                                                         \
        even(buffer, count, type), even(buffer, count, type), MPI_OP_NULL, root)                   \
    OTHER_COLLECTIVES(ROW)

#define OTHER_COLLECTIVES(ROW)                                                                     \
    ROW(Allgather, allgather, ALLGATHER,                                                           \
        (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,  \
         MPI_Datatype recvtype, MPI_Comm comm),                                                    \
        (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm),                        \
        even(sendbuf, sendcount, sendtype), even(recvbuf, recvcount, recvtype), MPI_OP_NULL, 0)    \
    ROW(Allgatherv, allgatherv, ALLGATHERV,                                                        \
        (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,                 \
         const int recvcounts[], const int displs[], MPI_Datatype recvtype, MPI_Comm comm),        \
        (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm),               \
        even(sendbuf, sendcount, sendtype), uneven(recvbuf, recvcounts, displs, recvtype),         \
        MPI_OP_NULL, 0)                                                                            \
    ROW(Allreduce, allreduce, ALLREDUCE,                                                           \
        (const void *sendbuf, void *recvbuf, int count, MPI_Datatype type, MPI_Op op,              \
         MPI_Comm comm),                                                                           \
        (sendbuf, recvbuf, count, type, op, comm),                                                 \
        even(sendbuf, count, type), even(recvbuf, count, type), op, 0)                             \
    ROW(Alltoall, alltoall, ALLTOALL,                                                              \
        (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,  \
         MPI_Datatype recvtype, MPI_Comm comm),                                                    \
        (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm),                        \
        even(sendbuf, sendcount, sendtype), even(recvbuf, recvcount, recvtype), MPI_OP_NULL, 0)    \
    ROW(Alltoallv, alltoallv, ALLTOALLV,                                                           \
        (const void *sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype,  \
         void *recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype,        \
         MPI_Comm comm),                                                                           \
        (sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm),    \
        uneven(sendbuf, sendcounts, sdispls, sendtype),                                            \
        uneven(recvbuf, recvcounts, rdispls, recvtype), MPI_OP_NULL, 0)                            \
    ROW(Barrier, barrier, BARRIER, (MPI_Comm comm), (comm),                                        \
        even(NULL, 0, MPI_BYTE), even(NULL, 0, MPI_BYTE), MPI_OP_NULL, 0)                          \
    ROW(Exscan, exscan, EXSCAN,                                                                    \
        (const void *sendbuf, void *recvbuf, int count, MPI_Datatype type, MPI_Op op,              \
         MPI_Comm comm),                                                                           \
        (sendbuf, recvbuf, count, type, op, comm),                                                 \
        even(sendbuf, count, type), even(recvbuf, count, type), op, 0)                             \
    ROW(Gather, gather, GATHER,                                                                    \
        (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,  \
         MPI_Datatype recvtype, int root, MPI_Comm comm),                                          \
        (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm),                  \
        even(sendbuf, sendcount, sendtype), even(recvbuf, recvcount, recvtype), MPI_OP_NULL, root) \
    ROW(Gatherv, gatherv, GATHERV,                                                                 \
        (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,                 \
         const int recvcounts[], const int displs[], MPI_Datatype recvtype, int root,              \
         MPI_Comm comm),                                                                           \
        (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm),         \
        even(sendbuf, sendcount, sendtype), uneven(recvbuf, recvcounts, displs, recvtype),         \
        MPI_OP_NULL, root)                                                                         \
    ROW(Reduce, reduce, REDUCE,                                                                    \
        (const void *sendbuf, void *recvbuf, int count, MPI_Datatype type, MPI_Op op, int root,    \
         MPI_Comm comm),                                                                           \
        (sendbuf, recvbuf, count, type, op, root, comm),                                           \
        even(sendbuf, count, type), even(recvbuf, count, type), op, root)                          \
    ROW(Reduce_scatter, reduce_scatter, REDUCE_SCATTER,                                            \
        (const void *sendbuf, void *recvbuf, const int recvcounts[], MPI_Datatype type,            \
         MPI_Op op, MPI_Comm comm),                                                                \
        (sendbuf, recvbuf, recvcounts, type, op, comm),                                            \
        uneven(sendbuf, recvcounts, NULL, type), uneven(recvbuf, recvcounts, NULL, type), op, 0)   \
    ROW(Reduce_scatter_block, reduce_scatter_block, REDUCE_SCATTER_BLOCK,                          \
        (const void *sendbuf, void *recvbuf, int recvcount, MPI_Datatype type, MPI_Op op,          \
         MPI_Comm comm),                                                                           \
        (sendbuf, recvbuf, recvcount, type, op, comm),                                             \
        even(sendbuf, recvcount, type), even(recvbuf, recvcount, type), op, 0)                     \
    ROW(Scan, scan, SCAN,                                                                          \
        (const void *sendbuf, void *recvbuf, int count, MPI_Datatype type, MPI_Op op,              \
         MPI_Comm comm),                                                                           \
        (sendbuf, recvbuf, count, type, op, comm),                                                 \
        even(sendbuf, count, type), even(recvbuf, count, type), op, 0)                             \
    ROW(Scatter, scatter, SCATTER,                                                                 \
        (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,  \
         MPI_Datatype recvtype, int root, MPI_Comm comm),                                          \
        (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm),                  \
        even(sendbuf, sendcount, sendtype), even(recvbuf, recvcount, recvtype), MPI_OP_NULL, root) \
    ROW(Scatterv, scatterv, SCATTERV,                                                              \
        (const void *sendbuf, const int sendcounts[], const int displs[], MPI_Datatype sendtype,   \
         void *recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm),            \
        (sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm),         \
        uneven(sendbuf, sendcounts, displs, sendtype), even(recvbuf, recvcount, recvtype),         \
        MPI_OP_NULL, root)

/* clang-format on */

/*
 * The functions for calls that are not served: those of the MPI library, or of the next tool after
 * a preloaded library.
 */

#define FALLBACK_MEMBER(Name, name, OPERATION, parameters, ...) int(*name) parameters;

struct fallback {
    COLLECTIVES(FALLBACK_MEMBER)
#if HITOP_MPI_LARGE_COUNTS
    int (*bcast_c)(void *buffer, MPI_Count count, MPI_Datatype type, int root, MPI_Comm comm);
#endif
};

#undef FALLBACK_MEMBER

/*
 * Initially PMPI_*, so that a program's own calls of hitop_*() never reach a library that
 * intercepts MPI. Hitop's preloaded library replaces them by the next MPI_* before main() runs.
 */
extern struct fallback hitop_fallback;

#endif /* SIGNATURES_MPI_H */
