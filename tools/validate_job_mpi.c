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

#include "hitop/output.h"

#include <mpi.h>
#include <stdlib.h>
#include <string.h>

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
                                .after_barrier = run->after_barrier,
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
    int rank = 0, exit_status;

    (void)MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    (void)MPI_Comm_size(MPI_COMM_WORLD, &run.nranks);
    run.rank = rank;
    if (run.nranks == 1) {
        tool_error(tool,
                   "one rank has nobody to exchange messages with; run with mpirun -n 2 or more");
        return TOOL_USAGE;
    }
    exit_status = validate_read(&run);
    if (exit_status == TOOL_DONE) {
        exit_status = validate_agree(rank == 0 ? check_output(tool, request->output) : TOOL_DONE);
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
