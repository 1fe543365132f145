/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * slow_collectives.c - to preload behind the library: an MPI whose broadcasts and allreduces take
 * TEST_SLOW_MS longer. Its reductions always compute a sum, so that a slow operation of the program
 * slows only Hitop down.
 */
#include <mpi.h>
#include <stdlib.h>
#include <unistd.h>

#pragma GCC visibility push(default) /* the headers of MPICH leave it hidden */

static void be_slow(void)
{
    if (getenv("TEST_SLOW_MS")) {
        usleep(1000 * (useconds_t)atoi(getenv("TEST_SLOW_MS")));
    }
}

int MPI_Allreduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype type, MPI_Op op,
                  MPI_Comm comm)
{
    be_slow();
    return PMPI_Allreduce(sendbuf, recvbuf, count, type, op, comm);
}

int MPI_Bcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
    be_slow();
    return PMPI_Bcast(buffer, count, type, root, comm);
}

int MPI_Reduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype type, MPI_Op op,
               int root, MPI_Comm comm)
{
    (void)op;
    return PMPI_Reduce(sendbuf, recvbuf, count, type, MPI_SUM, root, comm);
}

#pragma GCC visibility pop
