/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCHMARK_JOB_MPI_H
#define BENCHMARK_JOB_MPI_H

/* benchmark_job_mpi.h - what the job is: library, hosts, binding, date; what can be asked of it. */

#include "tools/benchmark/benchmark.h"

/* Into rank 0's result, with what is odd about the job as warnings. Collective. */
enum hitop_status benchmark_job_describe(const struct benchmark_request *request,
                                         struct benchmark_result *result, struct hitop_diag *diag);

/*
 * The arrivals of a file, which rank 0 reads, and which is for a number of ranks. TOOL_DONE on all
 * ranks, or not after rank 0 has said why. Collective.
 */
int benchmark_job_read_trace(const struct tool *tool, const struct benchmark_request *request,
                             int nranks, struct replay *trace);

/*
 * The sizes of a file, which rank 0 reads: others need not have it, or may have another one.
 * TOOL_DONE on all ranks, or not after rank 0 has said why. Collective.
 */
int benchmark_job_read_sizes(const struct tool *tool, struct benchmark_request *request);

/* TOOL_DONE when results can be written where they are wanted, which is known before hours are
 * spent on them. Collective. */
int benchmark_job_check_outputs(const struct tool *tool, const struct benchmark_request *request);

/* TOOL_DONE when any operation has the type that is asked for, or TOOL_USAGE after saying which
 * there are. */
int benchmark_job_check_type(const struct tool *tool, const struct benchmark_request *request);

#endif /* BENCHMARK_JOB_MPI_H */
