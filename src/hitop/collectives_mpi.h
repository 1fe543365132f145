/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_COLLECTIVES_MPI_H
#define HITOP_COLLECTIVES_MPI_H

/**
 * @file collectives_mpi.h
 * @brief The collectives of MPI by plans, with MPI's arguments.
 *
 * Each call does what MPI's of the same name does, for every datatype, with MPI_IN_PLACE where MPI
 * allows it, and with MPI's errors through the error handler of the communicator. hitop_bcast() is
 * in hitop/bcast_mpi.h. Operations run in two levels (hitop(7)) if they can, unless an algorithm is
 * named for the operation; "auto" is the fastest one by the model.
 *
 * The first call on a communicator is collective and makes a private communicator. Rank 0 chooses
 * an algorithm once for each operation, root and class of lengths, from the model of the machine,
 * and sends it to the other ranks; choices and plans are kept. What cannot be planned goes to MPI:
 * calls on inter-communicators, on communicators of one rank, and operations without an algorithm
 * that applies.
 *
 * Over several hosts the MPI library serves what it does faster: the first calls of each operation,
 * root and range of sizes are compared, unless their algorithm is named or HITOP_TRIAL is 0
 * (hitop(7)).
 *
 * Prices come from the model file that HITOP_MODEL names on rank 0, or are guessed from the names
 * of hosts. The algorithm of an operation may be named instead: by HITOP_ALGORITHM on rank 0, e.g.
 * "reduce=chain,scatter=flat", by MPI_Info of the communicator, e.g. "hitop_reduce" = "chain"
 * (where the MPI library keeps keys that it does not know), or by hitop_coll_set(); the last of
 * these counts. Parameters may follow: "reduce=chain:segment=8192". If the algorithm does not apply
 * to a call, the fastest one that does is used.
 *
 * "counts" is set in the same way: how ranks learn the lengths of blocks in scatterv and gatherv,
 * which MPI passes to the root only. "propagated", the default: along the tree; "broadcast": all of
 * them to all ranks, first; "known": the program passes counts on all ranks, as at the root.
 */

#include "hitop/bcast_mpi.h"
#include "hitop/cost.h"

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
 * Name the algorithm of an operation. Collective over @p comm: all ranks name the same.
 *
 * @param operation  e.g. "bcast", or "counts", see above
 * @param algorithm  e.g. "ecef", or "auto": the fastest; a broadcast is planned from then on, until
 *        "twolevel"
 * @retval HITOP_ERR_NOTFOUND  there is no such name; the message lists the valid ones, and nothing has changed
 * @retval HITOP_ERR_INVALID   a parameter is out of range
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status hitop_coll_set(MPI_Comm comm, const char *operation,
                                                            const char *algorithm,
                                                            struct hitop_diag *diag);

/** The same for all keys of @p info that begin with "hitop_". */
HITOP_API HITOP_MUST_CHECK enum hitop_status hitop_coll_set_info(MPI_Comm comm, MPI_Info info,
                                                                 struct hitop_diag *diag);

/**
 * Choose by these prices of the ranks of @p comm, instead of those of HITOP_MODEL and host names.
 * Collective over
 * @p comm; those of rank 0 are taken.
 *
 * @param cost  borrowed until the next call or the end of @p comm; NULL on other ranks
 * @retval HITOP_ERR_INVALID  it prices fewer ranks; on rank 0, where nothing has changed
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status
hitop_coll_set_cost(MPI_Comm comm, const struct hitop_cost *cost, struct hitop_diag *diag);

/**
 * What served the last call on @p comm on this rank: the algorithm of its plan, "twolevel" where it
 * went in two levels (on one host, through its shared memory), "" where it went to MPI or there was
 * none. Lent for ever.
 */
HITOP_API const char *hitop_coll_last(MPI_Comm comm);

HITOP_END_DECLS

#endif /* HITOP_COLLECTIVES_MPI_H */
