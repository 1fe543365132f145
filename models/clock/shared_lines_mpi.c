/* SPDX-License-Identifier: BSD-3-Clause */
/* shared_lines_mpi.c - see shared_lines_mpi.h. */
#include <config.h>

#include "models/clock/shared_lines_mpi.h"

#include <stdint.h>
#include <string.h>

void *hitop_shared_lines_open(MPI_Comm comm, size_t bytes, MPI_Win *window)
{
    MPI_Aint size;
    void *base = NULL;
    char *lines;
    int rank, unit, is_there;

    *window = MPI_WIN_NULL;
    (void)PMPI_Comm_rank(comm, &rank);
    (void)PMPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    is_there = PMPI_Win_allocate_shared(rank == 0 ? (MPI_Aint)(bytes + SHARED_LINE) : 0, 1,
                                        MPI_INFO_NULL, comm, &base, window) == MPI_SUCCESS &&
               PMPI_Win_shared_query(*window, 0, &size, &unit, &base) == MPI_SUCCESS;
    (void)PMPI_Allreduce(MPI_IN_PLACE, &is_there, 1, MPI_INT, MPI_MIN, comm);
    if (!is_there) {
        return NULL;
    }
    lines = (char *)base + (SHARED_LINE - (uintptr_t)base % SHARED_LINE) % SHARED_LINE;
    if (rank == 0) {
        memset(lines, 0, bytes);
    }
    (void)PMPI_Barrier(comm);
    return lines;
}

void hitop_shared_lines_close(MPI_Win *window)
{
    if (*window != MPI_WIN_NULL) {
        (void)PMPI_Win_free(window);
    }
}
