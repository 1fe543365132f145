/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHARED_LINES_MPI_H
#define SHARED_LINES_MPI_H

/* shared_lines_mpi.h - memory that ranks of a host share. */

#include <mpi.h>

#include <stddef.h>

/* Two ranks that write to different lines of so many bytes do not disturb each other. */
enum { SHARED_LINE = 128 };

/*
 * So many bytes, all 0, at the beginning of a line. NULL, alike on all ranks, where there are none; then the window is to
 * be freed, too, by those who have one. Collective over ranks of one host; errors of comm return from now on.
 */
void *hitop_shared_lines_open(MPI_Comm comm, size_t bytes, MPI_Win *window);

/* Collective; what there is not is left alone. */
void hitop_shared_lines_close(MPI_Win *window);

#endif /* SHARED_LINES_MPI_H */
