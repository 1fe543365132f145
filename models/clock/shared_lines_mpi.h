/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHARED_LINES_MPI_H
#define SHARED_LINES_MPI_H

/* shared_lines_mpi.h - memory that ranks of a host share. */

#include <mpi.h>

#include <stddef.h>

/* Two ranks that write to different lines of so many bytes do not disturb each other. */
enum { SHARED_LINE = 128 };

/*
 * Allocate shared memory of this many bytes, all 0, aligned to a cache line. Returns NULL on all
 * ranks alike if there is none; a rank that has a window must free it then, too. Collective over
 * ranks of one host; from now on comm returns its errors.
 */
void *hitop_shared_lines_open(MPI_Comm comm, size_t bytes, MPI_Win *window);

/* Free the window, unless there is none. Collective. */
void hitop_shared_lines_close(MPI_Win *window);

#endif /* SHARED_LINES_MPI_H */
