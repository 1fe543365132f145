/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCHMARK_JOB_MPI_H
#define BENCHMARK_JOB_MPI_H

/* benchmark_job_mpi.h - where results come from: library, hosts, binding, date. */

#include "benchmark.h"

/* Into rank 0's result, with what is odd about the job as warnings. Collective. */
enum hitop_status benchmark_job_describe(const struct benchmark_request *request,
                                         struct benchmark_result *result, struct hitop_diag *diag);

#endif /* BENCHMARK_JOB_MPI_H */
