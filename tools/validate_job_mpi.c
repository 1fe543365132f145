/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * validate_job_mpi.c - a comparison as a part of an MPI job.
 *
 * All ranks hold the model and decide alike what to measure; rank 0 alone reads the file, keeps the samples and writes.
 * Everything is measured twice, in two halves of the run, so that it is known how near measurements are to each other.
 */
#include <config.h>

#include "validate_run.h"

#include "tool_mpi.h"

#include "hierarchy/job_mpi.h"
#include "hitop/input.h"
#include "hitop/output.h"

#include <limits.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

/* The worst status of all ranks, everywhere. */
static int agree(int exit_status)
{
    int worst = exit_status;

    (void)MPI_Allreduce(&exit_status, &worst, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    return worst;
}

/* All ranks get bytes of rank 0; *text is theirs to free. */
static int share_text(const struct tool *tool, int rank, char **text, size_t *length)
{
    unsigned long long n = *length;
    int is_good, all_good = 0;

    (void)MPI_Bcast(&n, 1, MPI_UNSIGNED_LONG_LONG, 0, MPI_COMM_WORLD);
    *length = (size_t)n;
    if (rank != 0) {
        *text = malloc(*length + 1);
    }
    is_good = *text && *length < INT_MAX;
    (void)MPI_Allreduce(&is_good, &all_good, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (!all_good) {
        return tool_fail(tool, HITOP_ERR_NOMEM, NULL);
    }
    (void)MPI_Bcast(*text, (int)*length, MPI_BYTE, 0, MPI_COMM_WORLD);
    return TOOL_DONE;
}

static int read_model(const struct tool *tool, const struct validate_request *request, int rank,
                      struct hitop_model **out)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    char *text = NULL;
    size_t length = 0;
    int exit_status = TOOL_DONE;

    if (rank == 0 && hitop_input_read(request->input, &text, &length, &diag) != HITOP_OK) {
        tool_error(tool, "%s", diag.message);
        exit_status = TOOL_BAD_INPUT;
    }
    exit_status = agree(exit_status);
    if (exit_status == TOOL_DONE) {
        exit_status = share_text(tool, rank, &text, &length);
    }
    if (exit_status == TOOL_DONE) {
        const enum hitop_status status =
            hitop_model_parse(hitop_input_name(request->input), text, length, out, &diag);
        exit_status = agree(status == HITOP_OK ? TOOL_DONE : tool_fail(tool, status, &diag));
    }
    free(text);
    return exit_status;
}

/* Names of the hosts of all ranks, one after another, at rank 0. */
static char *pack_hosts(const struct job *job, size_t *length)
{
    char *text, *end;

    *length = 0;
    for (int r = 0; r < job->nranks; r++) {
        *length += strlen(job->place[r].host) + 1;
    }
    end = text = malloc(*length + 1);
    for (int r = 0; text && r < job->nranks; r++) {
        end = stpcpy(end, job->place[r].host) + 1;
    }
    return text;
}

/* The host of each rank, on all ranks; both are the caller's to free. */
static int find_hosts(const struct tool *tool, int rank, int nranks, char **text,
                      const char ***hosts)
{
    static const struct job_questions only_names = {.no_facts = 1};
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct job *job = NULL;
    size_t length = 0;
    int exit_status;

    if (job_gather(MPI_COMM_WORLD, &only_names, &job, &diag) != HITOP_OK) {
        return tool_fail(tool, HITOP_ERR_MPI, &diag);
    }
    if (job) {
        *text = pack_hosts(job, &length);
    }
    job_free(job);
    exit_status = share_text(tool, rank, text, &length);
    *hosts = calloc((size_t)nranks, sizeof(**hosts));
    if (exit_status == TOOL_DONE && *hosts) {
        const char *name = *text;
        for (int r = 0; r < nranks; r++) {
            (*hosts)[r] = name;
            name += strlen(name) + 1;
        }
    }
    return agree(*hosts ? exit_status : TOOL_FAILED);
}

static int place(const struct tool *tool, const struct validate_request *request, int rank,
                 struct hitop_model *model, struct validate_run *run)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    char *text = NULL;
    const char **hosts = NULL;
    int exit_status =
        request->ignore_hosts ? TOOL_DONE : find_hosts(tool, rank, run->nranks, &text, &hosts);

    if (exit_status == TOOL_DONE) {
        const enum hitop_status status =
            validate_place(model, hosts, run->nranks, &run->place, &diag);
        if (status == HITOP_ERR_NOTFOUND) {
            tool_error(tool, "%s: %s", hitop_input_name(request->input), diag.message);
            exit_status = TOOL_BAD_INPUT;
        } else if (status != HITOP_OK) {
            exit_status = tool_fail(tool, status, &diag);
        }
        exit_status = agree(exit_status);
    } else {
        hitop_model_free(model);
    }
    free(hosts);
    free(text);
    return exit_status;
}

static int count_hosts(const struct hitop_hierarchy *h)
{
    int n = 0;

    for (int r = 0; r < hitop_hierarchy_nranks(h); r++) {
        n += hitop_hierarchy_rank_on_host(h, hitop_hierarchy_host(h, r)) == r;
    }
    return n;
}

static enum hitop_status write_report(const struct validate_report *report, struct hitop_diag *diag)
{
    struct hitop_output *output = NULL;
    enum hitop_status status = hitop_output_open(report->request->output, &output, diag);

    if (status != HITOP_OK) {
        return status;
    }
    if (report->request->format == VALIDATE_JSON) {
        status = validate_print_json(report, hitop_output_stream(output), diag);
    } else if (report->request->format == VALIDATE_CSV) {
        validate_print_csv(report, hitop_output_stream(output));
    } else {
        validate_print_text(report, hitop_output_stream(output));
    }
    if (status != HITOP_OK) {
        hitop_output_discard(output);
        return status;
    }
    return hitop_output_commit(output, diag);
}

/* Rank 0 judges, writes and tells. */
static int report(const struct tool *tool, const struct validate_run *run)
{
    const struct hitop_model *model = validate_place_model(&run->place);
    struct validate_report r = {.request = run->request,
                                .model = run->place.origin,
                                .h = hitop_model_hierarchy(model),
                                .nranks = run->nranks,
                                .nhosts = count_hosts(hitop_model_hierarchy(model)),
                                .crowd = {run->crowd[0], run->crowd[1]},
                                .samples = run->sample,
                                .nsamples = run->nsamples,
                                .skipped = run->cases.skipped,
                                .seconds = run->seconds,
                                .ended_early = run->ended_early};
    struct hitop_diag diag = HITOP_DIAG_INIT;
    enum hitop_status status = validate_report_make(&r, &diag);
    int exit_status = TOOL_DONE;

    if (status == HITOP_OK && r.nmeasured == 0) {
        tool_error(tool, "%s", r.verdict);
        exit_status = TOOL_FAILED;
    } else if (status == HITOP_OK) {
        status = write_report(&r, &diag);
    }
    if (status != HITOP_OK) {
        exit_status = tool_fail(tool, status, &diag);
    } else if (exit_status == TOOL_DONE && r.nfailed > 0) {
        if (r.request->format != VALIDATE_TEXT || strcmp(r.request->output, "-") != 0) {
            tool_error(tool, "%s", r.verdict);
        }
        exit_status = TOOL_UNTRUSTED;
    }
    validate_report_clear(&r);
    return exit_status;
}

/* Find out before the measurement, not after it, that the file cannot be written. */
static int check_output(const struct tool *tool, const char *path)
{
    struct hitop_output *output = NULL;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    const enum hitop_status status =
        strcmp(path, "-") == 0 ? HITOP_OK : hitop_output_open(path, &output, &diag);

    hitop_output_discard(output);
    return status == HITOP_OK ? TOOL_DONE : tool_fail(tool, status, &diag);
}

int validate_job(struct tool *tool, const struct validate_request *request)
{
    struct validate_run run = {.tool = tool, .request = request};
    struct hitop_model *model = NULL;
    int rank = 0, exit_status;

    (void)MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    (void)MPI_Comm_size(MPI_COMM_WORLD, &run.nranks);
    run.rank = rank;
    if (run.nranks == 1) {
        tool_error(tool,
                   "one rank has nobody to exchange messages with; run with mpirun -n 2 or more");
        return TOOL_USAGE;
    }
    exit_status = read_model(tool, request, rank, &model);
    if (exit_status == TOOL_DONE) {
        exit_status = place(tool, request, rank, model, &run);
    }
    if (exit_status == TOOL_DONE) {
        exit_status = agree(rank == 0 ? check_output(tool, request->output) : TOOL_DONE);
    }
    if (exit_status == TOOL_DONE) {
        exit_status = validate_run(&run);
    }
    if (exit_status == TOOL_DONE && rank == 0) {
        exit_status = report(tool, &run);
    }
    validate_run_clear(&run);
    return exit_status;
}
