/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TOOL_MPI_H
#define TOOL_MPI_H

/* tool_mpi.h - the frame of a tool that runs under mpirun: rank 0 speaks, all exit alike. */

#include "tools/common/tool.h"

/*
 * For what comes before MPI is started, e.g. reading options: 1 in all processes of a job but the
 * first, 0 in that one and without a launcher. Set tool->quiet to it.
 */
int tool_mpi_is_later_rank(void);

/* 1 when a launcher started this process, as far as its environment shows. */
int tool_mpi_is_launched(void);

/*
 * Leave with an error that all processes found before MPI was started; returns exit_status. Under a
 * launcher this waits for rank 0, because the first process to leave with an error ends the job,
 * with rank 0's message perhaps unsaid.
 */
int tool_mpi_leave(struct tool *tool, int exit_status);

/*
 * Start MPI and make the tool quiet on all ranks but 0; returns the rank. A single rank without a
 * launcher causes a warning. Ends the process if the launcher belongs to another MPI, because its
 * processes do not find each other.
 */
int tool_mpi_start(struct tool *tool, int *argc, char ***argv);

/* Take rank 0's exit status everywhere, end MPI and return the status. */
int tool_mpi_finish(int exit_status);

/*
 * Report a failure on any rank and abort the job, because other ranks may wait for this one. Later
 * ranks wait first, so that rank 0 can report its own failure.
 */
void tool_mpi_abort(const struct tool *tool, const struct hitop_diag *diag);

/* The first line of what the library says about itself; room for MPI_MAX_LIBRARY_VERSION_STRING. */
void tool_mpi_library(char *out);

/* The date, or SOURCE_DATE_EPOCH; none in a simulation, which gives the same file every time. */
void tool_mpi_date(char *out, size_t length);

#endif /* TOOL_MPI_H */
