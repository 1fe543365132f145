/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TOOL_MPI_H
#define TOOL_MPI_H

/* tool_mpi.h - the frame of a tool that runs under mpirun: rank 0 speaks, all exit alike. */

#include "tool.h"

/* Is this another process than the first of a job that mpirun started? Works before MPI starts. */
int tool_mpi_is_later_rank(void);

/* Start MPI and make the tool quiet on all ranks but 0; returns the rank. */
int tool_mpi_start(struct tool *tool, int *argc, char ***argv);

/* Take rank 0's exit status everywhere, end MPI and return the status. */
int tool_mpi_finish(int exit_status);

#endif /* TOOL_MPI_H */
