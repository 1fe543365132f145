/* SPDX-License-Identifier: BSD-3-Clause */
/* benchmark_job_mpi.c - see benchmark_job_mpi.h. */
#include <config.h>

#include "tools/benchmark/benchmark_data_mpi.h"
#include "tools/benchmark/benchmark_job_mpi.h"

#include "tools/common/tool_mpi.h"

#include "hierarchy/job/binding.h"
#include "hierarchy/job/job_mpi.h"
#include "hierarchy/job/oversubscription_mpi.h"

#include "hitop/output.h"

#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum hitop_status benchmark_job_describe(const struct benchmark_request *request,
                                         struct benchmark_result *result, struct hitop_diag *diag)
{
    const struct job_request questions = {.bind = hitop_binding_find, .no_facts = 1};
    char library[MPI_MAX_LIBRARY_VERSION_STRING];
    struct job *job = NULL;
    const enum hitop_status status = hitop_job_gather(MPI_COMM_WORLD, &questions, &job, diag);
    struct oversubscription oversubscription = {.nranks = 0};
    int excess;

    result->request = request;
    if (status != HITOP_OK) {
        return status;
    }
    (void)hitop_oversubscription_find_worst(MPI_COMM_WORLD, &oversubscription);
    excess = oversubscription.nranks - oversubscription.nprocessors;
    if (!job) {
        return HITOP_OK;
    }
    (void)snprintf(result->tool, sizeof(result->tool), "benchmark_collective %s", PACKAGE_VERSION);
    tool_mpi_date(result->date, sizeof(result->date));
    tool_mpi_library(library);
    result->library = strdup(library);
    result->hosts = hitop_job_list_hosts(job);
    result->binding = excess > 0 ? "oversubscribed" : job->nfree > 0 ? "none" : "bound";
    if (excess > 0) {
        benchmark_result_warn(
            result,
            "oversubscribed: %d more ranks than processors on a machine; times are "
            "those of the scheduler as much as of MPI",
            excess);
    } else if (job->nfree > 0) {
        benchmark_result_warn(result,
                              "%d ranks are not bound to processors; bind them by mpirun --bind-to "
                              "core or srun --cpu-bind=cores",
                              job->nfree);
    }
    if (job->warning.message[0]) {
        benchmark_result_warn(result, "%s", job->warning.message);
    }
    hitop_job_free(job);
    return HITOP_OK;
}

/* The word of rank 0. */
static int follow(int status)
{
    (void)PMPI_Bcast(&status, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return status;
}

/* Rank 0 has one that it has read; the others get it in parts that an int can count. */
static int share_trace(const struct tool *tool, struct replay *trace)
{
    int shape[2] = {trace->calls, trace->ranks}, rank, all_have;
    size_t n, most = 1 << 20;

    (void)PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    (void)PMPI_Bcast(shape, 2, MPI_INT, 0, MPI_COMM_WORLD);
    n = (size_t)shape[0] * (size_t)shape[1];
    if (rank != 0) {
        *trace = (struct replay){calloc(n, sizeof(*trace->seconds)), shape[0], shape[1]};
    }
    all_have = trace->seconds != NULL;
    (void)PMPI_Allreduce(MPI_IN_PLACE, &all_have, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (!all_have) {
        tool_error(tool, "--trace: no memory for %zu times on some ranks", n);
        hitop_replay_free(trace);
        return TOOL_FAILED;
    }
    for (size_t i = 0; i < n; i += most) {
        const int part = (int)(n - i < most ? n - i : most);
        (void)PMPI_Bcast(trace->seconds + i, part, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    }
    return TOOL_DONE;
}

int benchmark_job_read_trace(const struct tool *tool, const struct benchmark_request *r, int nranks,
                             struct replay *trace)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    int status = TOOL_DONE, rank;

    if (!r->trace) {
        return TOOL_DONE;
    }
    (void)PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0 && hitop_replay_read(r->trace, nranks, trace, &diag) != HITOP_OK) {
        tool_error(tool, "%s", diag.message);
        status = TOOL_BAD_INPUT;
    }
    status = follow(status);
    return status == TOOL_DONE ? share_trace(tool, trace) : status;
}

int benchmark_job_check_outputs(const struct tool *tool, const struct benchmark_request *r)
{
    const struct tool_file output[] = {{"-o", r->output}, {"--report", r->report}};
    const struct tool_file input[] = {{"--trace", r->trace}, {"--sizes-file", r->sizes_file}};
    struct hitop_diag diag = HITOP_DIAG_INIT;
    int rank, exit_status = TOOL_DONE;

    (void)PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        exit_status = tool_keep_inputs(tool, output, 2, input, 2);
    }
    for (int i = 0; i < 2 && rank == 0 && exit_status == TOOL_DONE; i++) {
        const enum hitop_status status =
            output[i].path ? hitop_output_check(output[i].path, &diag) : HITOP_OK;
        exit_status = status == HITOP_OK ? TOOL_DONE : tool_fail(tool, status, &diag);
    }
    return follow(exit_status);
}

int benchmark_job_check_type(const struct tool *tool, const struct benchmark_request *r)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    const struct benchmark_type *type;

    for (int k = 0; k < r->nkinds; k++) {
        if (benchmark_type_find(r->type, r->kinds[k], &type, &diag) == HITOP_OK) {
            return TOOL_DONE;
        }
    }
    return tool_bad_option(tool, "--type", &diag);
}
