/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * slow_first.c - to be preloaded: the first broadcast of each length in each communicator takes
 * half a second longer.
 */
#include <config.h>

#include <mpi.h>
#include <stdio.h>
#include <time.h>

enum { MOST = 64 };

__attribute__((visibility("default"))) int MPI_Bcast(void *buffer, int count, MPI_Datatype type,
                                                     int root, MPI_Comm comm)
{
    static struct {
        MPI_Comm comm;
        int count;
    } seen[MOST];
    static int nseen;
    const struct timespec pause = {.tv_nsec = 500000000};
    int i = 0;

    while (i < nseen && (seen[i].comm != comm || seen[i].count != count)) {
        i++;
    }
    if (i == nseen && nseen < MOST) {
        seen[nseen].comm = comm;
        seen[nseen++].count = count;
        fprintf(stderr, "slow: %d\n", count);
        (void)nanosleep(&pause, NULL);
    }
    return PMPI_Bcast(buffer, count, type, root, comm);
}
