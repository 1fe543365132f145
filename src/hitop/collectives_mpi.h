/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_COLLECTIVES_MPI_H
#define HITOP_COLLECTIVES_MPI_H

/**
 * @file collectives_mpi.h
 * @brief The collectives of MPI by plans, with MPI's arguments.
 *
 * Each call does what MPI's of the same name does, for every datatype, with MPI_IN_PLACE where MPI allows it, and
 * with MPI's errors through the error handler of the communicator. The broadcast stands in hitop/bcast_mpi.h.
 *
 * The first call on a communicator, whichever, is a collective that makes a private communicator. Rank 0 chooses
 * an algorithm once for each operation, root and grade of lengths, from prices of the machine, and tells the other
 * ranks; choices and plans are kept. What cannot be planned goes to MPI: calls on inter-communicators, on
 * communicators of one rank, and operations without an algorithm that applies.
 *
 * Prices come from the model file that HITOP_MODEL names on rank 0, or are guessed from the names of hosts.
 * HITOP_ALGORITHM on rank 0, e.g. "reduce=chain,scatter=flat", names algorithms.
 */

#include "hitop/status.h"

#include <mpi.h>

HITOP_BEGIN_DECLS

HITOP_API int hitop_allgather(const void *sendbuf, int sendcount, MPI_Datatype sendtype,
                              void *recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm);

HITOP_API int hitop_allgatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype,
                               void *recvbuf, const int recvcounts[], const int displs[],
                               MPI_Datatype recvtype, MPI_Comm comm);

HITOP_API int hitop_allreduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype type,
                              MPI_Op op, MPI_Comm comm);

HITOP_API int hitop_alltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype,
                             void *recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm);

HITOP_API int hitop_alltoallv(const void *sendbuf, const int sendcounts[], const int sdispls[],
                              MPI_Datatype sendtype, void *recvbuf, const int recvcounts[],
                              const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm);

HITOP_API int hitop_barrier(MPI_Comm comm);

HITOP_API int hitop_exscan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype type,
                           MPI_Op op, MPI_Comm comm);

HITOP_API int hitop_gather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                           int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm);

HITOP_API int hitop_gatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype,
                            void *recvbuf, const int recvcounts[], const int displs[],
                            MPI_Datatype recvtype, int root, MPI_Comm comm);

HITOP_API int hitop_reduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype type,
                           MPI_Op op, int root, MPI_Comm comm);

HITOP_API int hitop_reduce_scatter(const void *sendbuf, void *recvbuf, const int recvcounts[],
                                   MPI_Datatype type, MPI_Op op, MPI_Comm comm);

HITOP_API int hitop_reduce_scatter_block(const void *sendbuf, void *recvbuf, int recvcount,
                                         MPI_Datatype type, MPI_Op op, MPI_Comm comm);

HITOP_API int hitop_scan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype type,
                         MPI_Op op, MPI_Comm comm);

HITOP_API int hitop_scatter(const void *sendbuf, int sendcount, MPI_Datatype sendtype,
                            void *recvbuf, int recvcount, MPI_Datatype recvtype, int root,
                            MPI_Comm comm);

HITOP_API int hitop_scatterv(const void *sendbuf, const int sendcounts[], const int displs[],
                             MPI_Datatype sendtype, void *recvbuf, int recvcount,
                             MPI_Datatype recvtype, int root, MPI_Comm comm);

/**
 * The algorithm of the last call on @p comm that was served by a plan on this rank; "" where none was, or
 * the last call went to MPI. Lent for ever.
 */
HITOP_API const char *hitop_coll_last(MPI_Comm comm);

HITOP_END_DECLS

#endif /* HITOP_COLLECTIVES_MPI_H */
