/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * large_mpi.c - the collectives of MPI 4 whose counts are MPI_Count.
 *
 * In one operation a rank may call MPI_<Name>_c() and another rank MPI_<Name>(), so both must be
 * served alike: if the counts fit an int, MPI_<Name>_c() calls MPI_<Name>(). Otherwise it calls the
 * next library or MPI. (If another rank describes the same data by fewer elements of a larger type,
 * the ranks wait for each other for ever; hitop(7) describes this.)
 */
#include <config.h>

#include "coll/runtime/facts_mpi.h"

#include <mpi.h>

#if HITOP_MPI_LARGE_COUNTS

#include "coll/intercept/disabled_mpi.h"
#include "coll/intercept/next_mpi.h"
#include "coll/twolevel/serve_mpi.h"

#include "hitop/status.h"

#include <limits.h>

static int fits(MPI_Count a, MPI_Count b)
{
    return a >= 0 && a <= INT_MAX && b >= 0 && b <= INT_MAX;
}

/* The count that describes all blocks is significant at the root only. */
static int is_root(int root, MPI_Comm comm)
{
    int rank = 0;

    return comm == MPI_COMM_NULL || root == MPI_ROOT ||
           (PMPI_Comm_rank(comm, &rank) == MPI_SUCCESS && rank == root);
}

/* Call MPI_<Name>_c() of the next library, and record that. */
#define PASS(Name, OPERATION, parameters, arguments, root)                                         \
    int(*next) parameters = PMPI_##Name##_c;                                                       \
    struct hitop_comm *passed = NULL;                                                              \
    int code;                                                                                      \
                                                                                                   \
    hitop_intercept_find_next("MPI_" #Name "_c", &next);                                           \
    if (!(hitop_intercept_disabled & 1u << HITOP_##OPERATION)) {                                   \
        passed = hitop_dispatch_pass_begin(HITOP_##OPERATION, root, comm);                         \
    }                                                                                              \
    code = next arguments;                                                                         \
    hitop_dispatch_pass_end(passed);                                                               \
    return code;

/*
 * Define MPI_<Name>_c(), which calls MPI_<Name>() with the arguments `small` if the counts `own`
 * and `all` fit an int; pass 0 for a count that is not significant.
 */
#define LARGE(Name, OPERATION, parameters, arguments, root, own, all, small)                       \
    HITOP_API int MPI_##Name##_c parameters;                                                       \
                                                                                                   \
    int MPI_##Name##_c parameters                                                                  \
    {                                                                                              \
        if (fits(own, all)) {                                                                      \
            return MPI_##Name small;                                                               \
        }                                                                                          \
        PASS(Name, OPERATION, parameters, arguments, root)                                         \
    }

/*
 * Define MPI_<Name>_c() with a list of counts, which always goes to MPI: ranks that do not have the
 * list cannot know whether it fits.
 */
#define LIST(Name, OPERATION, parameters, arguments, root)                                         \
    HITOP_API int MPI_##Name##_c parameters;                                                       \
                                                                                                   \
    int MPI_##Name##_c parameters                                                                  \
    {                                                                                              \
        PASS(Name, OPERATION, parameters, arguments, root)                                         \
    }

/* clang-format off */

#define BLOCKS_C                                                                                   \
    (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,               \
     MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm)
#define ROOTED_C                                                                                   \
    (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,               \
     MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm)
#define SUMS_C                                                                                     \
    (const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype type, MPI_Op op,            \
     MPI_Comm comm)

#define SMALL_BLOCKS (sendbuf, (int)sendcount, sendtype, recvbuf, (int)recvcount, recvtype, comm)
#define SMALL_ROOTED                                                                               \
    (sendbuf, (int)sendcount, sendtype, recvbuf, (int)recvcount, recvtype, root, comm)

#define BLOCKS(Name, OPERATION)                                                                    \
    LARGE(Name, OPERATION, BLOCKS_C,                                                               \
          (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm), 0,                   \
          sendbuf == MPI_IN_PLACE ? 0 : sendcount, recvcount, SMALL_BLOCKS)
#define ROOTED(Name, OPERATION, own, all)                                                          \
    LARGE(Name, OPERATION, ROOTED_C,                                                               \
          (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm), root,          \
          own, is_root(root, comm) ? all : 0, SMALL_ROOTED)
#define SUMS(Name, OPERATION)                                                                      \
    LARGE(Name, OPERATION, SUMS_C, (sendbuf, recvbuf, count, type, op, comm), 0, count, 0,         \
          (sendbuf, recvbuf, (int)count, type, op, comm))

BLOCKS(Allgather, ALLGATHER)
BLOCKS(Alltoall, ALLTOALL)
ROOTED(Gather, GATHER, sendbuf == MPI_IN_PLACE ? 0 : sendcount, recvcount)
ROOTED(Scatter, SCATTER, recvbuf == MPI_IN_PLACE ? 0 : recvcount, sendcount)
SUMS(Allreduce, ALLREDUCE)
SUMS(Exscan, EXSCAN)
SUMS(Reduce_scatter_block, REDUCE_SCATTER_BLOCK)
SUMS(Scan, SCAN)
LARGE(Reduce, REDUCE,
      (const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype type, MPI_Op op, int root,
       MPI_Comm comm),
      (sendbuf, recvbuf, count, type, op, root, comm), root, count, 0,
      (sendbuf, recvbuf, (int)count, type, op, root, comm))
LIST(Allgatherv, ALLGATHERV,
     (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
      const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype, MPI_Comm comm),
     (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm), 0)
LIST(Gatherv, GATHERV,
     (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
      const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype, int root,
      MPI_Comm comm),
     (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm), root)
LIST(Scatterv, SCATTERV,
     (const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint displs[],
      MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int root,
      MPI_Comm comm),
     (sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm), root)

/* clang-format on */

#endif /* HITOP_MPI_LARGE_COUNTS */
