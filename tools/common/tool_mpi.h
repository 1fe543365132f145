/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TOOL_MPI_H
#define TOOL_MPI_H

/* tool_mpi.h - start and end of a tool under mpirun: rank 0 writes messages, all exit alike. */

#include "tools/common/tool.h"

/*
 * Set tool->quiet to this before MPI starts, e.g. to parse options: 1 in all processes of a job but
 * the first, 0 in the first one and without a launcher.
 */
int tool_mpi_is_later_rank(void);

/* 1: by its environment, a launcher started this process. */
int tool_mpi_is_launched(void);

/*
 * End with an error that all processes found before MPI started; returns exit_status. Under a
 * launcher wait for rank 0, because the first process that ends with an error ends the job, perhaps
 * before the message of rank 0.
 */
int tool_mpi_leave(struct tool *tool, int exit_status);

/*
 * Start MPI and make the tool quiet on all ranks but 0; returns the rank. A single rank without a
 * launcher causes a warning. Ends the process if the launcher belongs to another MPI, because its
 * processes do not find each other.
 */
int tool_mpi_start(struct tool *tool, int *argc, char ***argv);

/* Broadcast rank 0's exit status, end MPI and return the status. */
int tool_mpi_finish(int exit_status);

/*
 * Report a failure on any rank and abort the job, because other ranks may wait for this one. Later
 * ranks wait first, so that rank 0 can report its own failure.
 */
void tool_mpi_abort(const struct tool *tool, const struct hitop_diag *diag);

#endif /* TOOL_MPI_H */
