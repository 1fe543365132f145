/* SPDX-License-Identifier: BSD-3-Clause */
/* benchmark_job_mpi.c - check a request against the job, and describe the job in the results. */
#include <config.h>

#include "tools/benchmark/benchmark_run.h"
#include "tools/common/tool_mpi.h"

#include "hierarchy/job/binding.h"
#include "hierarchy/job/job_mpi.h"
#include "hierarchy/job/origin_mpi.h"
#include "hierarchy/job/oversubscription_mpi.h"

#include "hitop/input.h"
#include "hitop/output.h"
#include "hitop/text.h"

#include <limits.h>
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
    benchmark_time_hosts(job, result);
    if (!job) {
        return HITOP_OK;
    }
    (void)snprintf(result->tool, sizeof(result->tool), "benchmark_collective %s", PACKAGE_VERSION);
    hitop_mpi_date(result->date, sizeof(result->date));
    hitop_mpi_library(library);
    result->library = strdup(library);
    result->hosts = hitop_job_list_hosts(job);
    result->binding = excess > 0 ? "oversubscribed" : job->nfree > 0 ? "none" : "bound";
    if (excess > 0) {
        benchmark_result_warn(
            result,
            "oversubscribed: %d more rank%s than processors on a machine; times are "
            "those of the scheduler as much as of MPI",
            excess, excess == 1 ? "" : "s");
    } else if (job->nfree > 0) {
        benchmark_result_warn(result,
                              "%d rank%s not bound to processors; bind ranks by mpirun --bind-to "
                              "core or srun --cpu-bind=cores",
                              job->nfree, job->nfree == 1 ? " is" : "s are");
    }
    if (job->warning.message[0]) {
        benchmark_result_warn(result, "%s", job->warning.message);
    }
    hitop_job_free(job);
    return HITOP_OK;
}

/* Broadcast the status of rank 0 to all ranks. */
static int follow(int status)
{
    (void)PMPI_Bcast(&status, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return status;
}

/*
 * Broadcast what rank 0 has read: `bytes` bytes at *data. Other ranks allocate them, with a zero
 * behind. Several messages carry them, because their length is an int. Returns TOOL_DONE, or
 * TOOL_FAILED on all ranks. Collective.
 */
static int share(const struct tool *tool, const char *option, void **data, size_t bytes)
{
    const size_t most = (size_t)1 << 23;
    int rank, all_have;

    (void)PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank != 0) {
        *data = calloc(1, bytes + 1);
    }
    all_have = *data != NULL;
    (void)PMPI_Allreduce(MPI_IN_PLACE, &all_have, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (!all_have) {
        tool_error(tool, "%s: no memory for %zu bytes on some ranks", option, bytes);
        return TOOL_FAILED;
    }
    for (size_t at = 0; at < bytes; at += most) {
        const int part = (int)(bytes - at < most ? bytes - at : most);
        (void)PMPI_Bcast((char *)*data + at, part, MPI_BYTE, 0, MPI_COMM_WORLD);
    }
    return TOOL_DONE;
}

/* Read the arrivals of --trace at rank 0 for all ranks. */
static int read_trace(const struct tool *tool, const struct benchmark_request *r, int nranks,
                      int rank, struct replay *trace)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    int shape[2], status = TOOL_DONE;
    void *seconds;

    if (!r->trace) {
        return TOOL_DONE;
    }
    if (rank == 0 && hitop_replay_read(r->trace, nranks, trace, &diag) != HITOP_OK) {
        tool_error(tool, "%s", diag.message);
        status = TOOL_BAD_INPUT;
    }
    status = follow(status);
    if (status != TOOL_DONE) {
        return status;
    }
    shape[0] = trace->calls;
    shape[1] = trace->ranks;
    seconds = trace->seconds;
    (void)PMPI_Bcast(shape, 2, MPI_INT, 0, MPI_COMM_WORLD);
    status = share(tool, "--trace", &seconds,
                   (size_t)shape[0] * (size_t)shape[1] * sizeof(*trace->seconds));
    *trace = (struct replay){seconds, shape[0], shape[1]};
    return status;
}

/* The words of a text with commas between them, without comments after #. NULL: no memory. */
static char *with_commas(char *text, size_t length)
{
    char *out = calloc(1, length + 2), *to = out, *save = NULL;

    for (char *hash = text; (hash = strchr(hash, '#')) != NULL;) {
        memset(hash, ' ', strcspn(hash, "\n"));
    }
    for (char *word = out ? strtok_r(text, " \t\r\n,", &save) : NULL; word;
         word = strtok_r(NULL, " \t\r\n,", &save)) {
        to = stpcpy(to == out ? to : stpcpy(to, ","), word);
    }
    return out;
}

static enum hitop_status read_list(const char *path, char **list, struct hitop_diag *diag)
{
    const char *name = hitop_input_name(path);
    struct sizes sizes = {0};
    struct hitop_diag reason = HITOP_DIAG_INIT;
    char *text = NULL;
    size_t length;
    enum hitop_status status = hitop_input_read_text(path, &text, &length, diag);

    if (status != HITOP_OK) {
        return status;
    }
    *list = with_commas(text, length);
    free(text);
    if (!*list || strlen(*list) >= INT_MAX) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "%s: out of memory", name);
    }
    if (!**list) {
        return hitop_fail(diag, HITOP_ERR_FORMAT, "%s: no sizes", name);
    }
    status = sizes_set_list(&sizes, *list, &reason);
    return status == HITOP_OK ? HITOP_OK
                              : hitop_fail(diag, HITOP_ERR_FORMAT, "%s: %s", name, reason.message);
}

/* Read --sizes-file at rank 0 for all ranks; their hosts need not have that file. */
static int read_sizes(const struct tool *tool, struct benchmark_request *r, int rank)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    int length = -1, status; /* -1: rank 0 has none */
    void *text;

    if (!r->sizes_file) {
        return TOOL_DONE;
    }
    if (rank == 0 && read_list(r->sizes_file, &r->sizes_text, &diag) == HITOP_OK) {
        length = (int)strlen(r->sizes_text);
    } else if (rank == 0) {
        tool_error(tool, "%s", diag.message);
    }
    length = follow(length);
    if (length < 0) {
        return TOOL_BAD_INPUT;
    }
    text = r->sizes_text;
    status = share(tool, "--sizes-file", &text, (size_t)length);
    r->sizes.list = r->sizes_text = text;
    return status;
}

/* TOOL_DONE if the outputs can be written; checked first, since a measurement may take hours. */
static int check_outputs(const struct tool *tool, const struct benchmark_request *r, int rank)
{
    const struct tool_file output[] = {{"-o", r->output}, {"--report", r->report}};
    const struct tool_file input[] = {{"--trace", r->trace}, {"--sizes-file", r->sizes_file}};
    struct hitop_diag diag = HITOP_DIAG_INIT;
    int exit_status = TOOL_DONE;

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

/* TOOL_DONE if any operation has the type of the request. */
static int check_type(const struct tool *tool, const struct benchmark_request *r)
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

/* TOOL_DONE if a team has the root of the request. */
static int check_root(const struct tool *tool, const struct benchmark_request *r, int ranks)
{
    if (r->root >= ranks) {
        tool_error(tool, "--root: rank %d is not in 0..%d", r->root, ranks - 1);
        return TOOL_USAGE;
    }
    return TOOL_DONE;
}

/* Report the operations to which --throughput 2^20 adds nothing. */
static void note_throughput(const struct tool *tool, const struct benchmark_request *r)
{
    char without[256] = "", with[128] = "";

    for (int k = 0; k < r->nkinds; k++) {
        if (!r->kinds[k]->one_way) {
            hitop_text_list_name(without, sizeof(without), r->kinds[k]->name);
        }
    }
    for (const struct benchmark_kind *k = benchmark_kinds; k->name; k++) {
        if (k->one_way) {
            hitop_text_list_name(with, sizeof(with), k->name);
        }
    }
    if (r->throughput == THROUGHPUT_MIB && !r->quiet && without[0]) {
        tool_error(tool, "note: --throughput: only %s have bandwidths, as with IMB, not %s", with,
                   without);
    }
}

int benchmark_job_open(const struct tool *tool, struct benchmark_request *r, int nranks, int rank,
                       int counts[BENCHMARK_COUNTS], int *ncounts, struct replay *trace)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    int status = read_sizes(tool, r, rank);

    if (status == TOOL_DONE &&
        benchmark_plan_counts(r, nranks, counts, ncounts, &diag) != HITOP_OK) {
        status = tool_bad_option(tool, "--ranks", &diag);
    }
    if (status == TOOL_DONE) {
        status = check_root(tool, r, counts[*ncounts - 1]);
    }
    if (status == TOOL_DONE) {
        status = check_type(tool, r);
    }
    if (status == TOOL_DONE) {
        status = check_outputs(tool, r, rank);
    }
    if (status == TOOL_DONE) {
        status = read_trace(tool, r, counts[*ncounts - 1], rank, trace);
    }
    if (status == TOOL_DONE) {
        note_throughput(tool, r);
    }
    return status;
}
