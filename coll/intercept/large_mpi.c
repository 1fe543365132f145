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

#include "coll/intercept/next_mpi.h"

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

/*
 * Define MPI_<Name>_c(), which calls MPI_<Name>() with the arguments `small` if the counts `own`
 * and `all` fit an int; pass 0 for a count that is not significant.
 */
#define LARGE(Name, parameters, arguments, own, all, small)                                        \
    HITOP_API int MPI_##Name##_c parameters;                                                       \
                                                                                                   \
    int MPI_##Name##_c parameters                                                                  \
    {                                                                                              \
        int(*next) parameters = PMPI_##Name##_c;                                                   \
                                                                                                   \
        if (fits(own, all)) {                                                                      \
            return MPI_##Name small;                                                               \
        }                                                                                          \
        hitop_intercept_find_next("MPI_" #Name "_c", &next);                                       \
        return next arguments;                                                                     \
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

#define BLOCKS(Name)                                                                               \
    LARGE(Name, BLOCKS_C, (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm),      \
          sendbuf == MPI_IN_PLACE ? 0 : sendcount, recvcount, SMALL_BLOCKS)
#define ROOTED(Name, own, all)                                                                     \
    LARGE(Name, ROOTED_C, (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm),\
          own, is_root(root, comm) ? all : 0, SMALL_ROOTED)
#define SUMS(Name)                                                                                 \
    LARGE(Name, SUMS_C, (sendbuf, recvbuf, count, type, op, comm), count, 0,                       \
          (sendbuf, recvbuf, (int)count, type, op, comm))

BLOCKS(Allgather)
BLOCKS(Alltoall)
ROOTED(Gather, sendbuf == MPI_IN_PLACE ? 0 : sendcount, recvcount)
ROOTED(Scatter, recvbuf == MPI_IN_PLACE ? 0 : recvcount, sendcount)
SUMS(Allreduce)
SUMS(Exscan)
SUMS(Reduce_scatter_block)
SUMS(Scan)
LARGE(Reduce,
      (const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype type, MPI_Op op, int root,
       MPI_Comm comm),
      (sendbuf, recvbuf, count, type, op, root, comm), count, 0,
      (sendbuf, recvbuf, (int)count, type, op, root, comm))

/* clang-format on */

#endif /* HITOP_MPI_LARGE_COUNTS */
