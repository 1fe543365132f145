/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_COLLECTIVES_MPI_H
#define HITOP_COLLECTIVES_MPI_H

/**
 * @file collectives_mpi.h
 * @brief Replacements of the collectives of MPI, with the same arguments.
 *
 * Each function does the same as that of MPI, for all datatypes, with MPI_IN_PLACE where MPI
 * allows it, and with errors through the error handler of the communicator. hitop_bcast() is
 * in hitop/bcast_mpi.h. Operations run in two levels (hitop(7)) if they can, unless an algorithm is
 * named for the operation; "auto" is the fastest one by the model.
 *
 * The first call on a communicator is collective and makes a private communicator. Rank 0 chooses
 * an algorithm once for each operation, root and class of lengths, from the model of the machine,
 * and sends it to the other ranks; choices and plans are kept. Calls without a plan go to MPI:
 * calls on inter-communicators, on communicators of one rank, operations without an algorithm
 * that applies, and the first calls if the choice takes longer than a millisecond ("choice" below).
 *
 * Over several hosts the faster one of Hitop and the MPI library serves an operation: the first
 * calls of each operation, root and range of sizes are compared, unless their algorithm is named or
 * HITOP_TRIAL is 0 (hitop(7)).
 *
 * Costs come from the model file that HITOP_MODEL names on rank 0; without one they are assumed by
 * host names. The algorithm of an operation may be named instead: by HITOP_ALGORITHM on rank 0,
 * e.g. "reduce=chain,scatter=flat", by MPI_Info of the communicator, e.g. "hitop_reduce" = "chain"
 * (if the MPI library keeps unknown keys), or by hitop_coll_set(); the last of
 * these counts. Parameters may follow: "reduce=chain:segment=8192". If the algorithm does not apply
 * to a call, the fastest one that does is used.
 *
 * "counts" is set likewise: how ranks get the lengths of blocks in scatterv and gatherv, which MPI
 * passes to the root only. "propagated", the default: along the tree; "broadcast": all lengths are
 * first sent to all ranks; "known": the program passes counts on all ranks, as at the root.
 *
 * "choice" is set likewise. "later", the default: where rank 0 cannot choose within a millisecond,
 * MPI serves the calls, and rank 0 goes on for 0.2 ms in each of them until it has chosen. "now":
 * the first call waits. With "later" another thread of rank 0 calls the functions of a cost and of
 * the program's own algorithms, while the caller waits for it.
 */

#include "hitop/bcast_mpi.h"
#include "hitop/cost.h"

HITOP_BEGIN_DECLS

struct hitop_model; /* hitop/model.h */

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
 * Set the algorithm of an operation. Collective over @p comm: all ranks pass the same.
 *
 * @param operation  e.g. "bcast", or "counts" or "choice", see above
 * @param algorithm  e.g. "ecef", or "auto": the fastest; broadcasts then use plans until
 *        "twolevel" is set
 * @retval HITOP_ERR_NOTFOUND  no such name; the message lists the valid ones, and nothing changes
 * @retval HITOP_ERR_INVALID   a parameter is out of range
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status hitop_coll_set(MPI_Comm comm, const char *operation,
                                                            const char *algorithm,
                                                            struct hitop_diag *diag);

/** The same for all keys of @p info that begin with "hitop_". */
HITOP_API HITOP_MUST_CHECK enum hitop_status hitop_coll_set_info(MPI_Comm comm, MPI_Info info,
                                                                 struct hitop_diag *diag);

/**
 * Choose by this cost of the ranks of @p comm, instead of HITOP_MODEL and host names. Collective
 * over @p comm; that of rank 0 is used.
 *
 * @param cost  borrowed until the next call or the end of @p comm; NULL on other ranks
 * @retval HITOP_ERR_INVALID  it is of fewer ranks; only on rank 0, and nothing changes
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status
hitop_coll_set_cost(MPI_Comm comm, const struct hitop_cost *cost, struct hitop_diag *diag);

/**
 * As hitop_coll_set_cost(), with the costs of a model and the sizes at which its linear scatters
 * and gathers change (hitop/irregular.h), which decide where they are split.
 *
 * @param model  borrowed until the next call or the end of @p comm; NULL on other ranks
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status
hitop_coll_set_model(MPI_Comm comm, const struct hitop_model *model, struct hitop_diag *diag);

/**
 * The algorithm of the last call on @p comm on this rank: that of its plan, "twolevel" for two
 * levels (on one host, its shared memory), "" if the call went to MPI or there was none. Valid as
 * long as the program.
 */
HITOP_API const char *hitop_coll_last(MPI_Comm comm);

HITOP_END_DECLS

#endif /* HITOP_COLLECTIVES_MPI_H */
