/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * validate_job_mpi.c - a comparison as a part of an MPI job.
 *
 * All ranks have the model and choose the same measurements. Only rank 0 reads the file, has all
 * samples and writes. Each half of the run measures everything, so that the difference of the
 * halves shows the noise.
 */
#include <config.h>

#include "tools/common/signals.h"
#include "tools/validate/validate_run.h"

#include "hierarchy/job/origin_mpi.h"
#include "tools/common/tool_mpi.h"

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

static enum hitop_status write_report(const struct validate_options *options,
                                      const struct validate_report *report, struct hitop_diag *diag)
{
    struct hitop_output *output = NULL;
    enum hitop_status status = hitop_output_open(options->output, &output, diag);

    if (status != HITOP_OK) {
        return status;
    }
    if (options->format == VALIDATE_JSON) {
        status = validate_print_json(report, hitop_output_stream(output), diag);
    } else if (options->format == VALIDATE_CSV) {
        validate_print_csv(report, hitop_output_stream(output));
    } else {
        validate_print_text(report, hitop_output_stream(output));
    }
    return hitop_output_end(output, status, diag);
}

/* Fill in what is known before the measurement. */
static void begin_report(struct validate_run *run, char *library, char *date, size_t length)
{
    struct validate_report *r = &run->report;

    hitop_mpi_library(library);
    hitop_mpi_date(date, length);
    r->model = run->place.origin;
    r->h = hitop_model_hierarchy(hitop_validate_place_model(&run->place));
    r->nhosts = count_hosts(r->h);
    r->nlaunches = 1 + run->options->nearlier;
    r->mpi_library = library;
    r->date = date;
    r->hosts = run->hosts ? run->hosts : "";
}

/* Report how many times are missing after a signal. */
static void report_loss(const struct tool *tool, const struct validate_report *r)
{
    int nmissing = 0, nonce = 0;

    for (int i = 0; i < r->nsamples; i++) {
        const struct validate_sample *s = &r->samples[i];
        nmissing += !(s->seconds > 0);
        nonce += s->seconds > 0 && !(s->again[0] > 0 && s->again[1] > 0);
    }
    tool_error(tool, "%s came: %d of %d times were not measured, %d were once instead of twice",
               r->signal, nmissing, r->nsamples, nonce);
}

/* Judge and write the report at rank 0. Returns the exit status. */
static int report(const struct tool *tool, struct validate_run *run,
                  const struct validate_earlier *earlier)
{
    struct validate_report *r = &run->report;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    enum hitop_status status = validate_earlier_add(earlier, run->sample, r->nsamples, &diag);
    int exit_status = TOOL_DONE;

    r->samples = run->sample;
    r->skipped = run->cases.skipped;
    r->signal = r->ended_early ? signals_caught() : NULL;
    if (status == HITOP_OK) {
        status = hitop_validate_report_make(r, &diag);
    }
    if (status == HITOP_OK && r->nmeasured == 0) {
        tool_error(tool, "%s", r->verdict);
        exit_status = TOOL_FAILED;
    } else if (status == HITOP_OK) {
        status = write_report(run->options, r, &diag);
        if (r->signal) {
            report_loss(tool, r);
        }
    }
    if (status != HITOP_OK) {
        exit_status = tool_fail(tool, status, &diag);
    } else if (exit_status == TOOL_DONE && !hitop_validate_holds(r)) {
        if (run->options->format != VALIDATE_TEXT || strcmp(run->options->output, "-") != 0) {
            tool_error(tool, "%s", r->verdict);
        }
        exit_status = run->options->strict ? TOOL_UNTRUSTED : TOOL_DONE;
    }
    if (exit_status == TOOL_DONE && r->signal && run->options->strict) {
        exit_status = TOOL_UNTRUSTED;
    }
    hitop_validate_report_clear(r);
    return exit_status;
}

static int keep_inputs(const struct tool *tool, const struct validate_options *r)
{
    const struct tool_file output = {"-o", r->output}, model = {"-i", r->request.input};
    int status = tool_keep_inputs(tool, &output, 1, &model, 1);

    for (int i = 0; i < r->nearlier && status == TOOL_DONE; i++) {
        const struct tool_file earlier = {"--earlier", r->earlier[i]};
        status = tool_keep_inputs(tool, &output, 1, &earlier, 1);
    }
    return status;
}

/* Check files before the measurement, so that no time is lost. */
static int prepare(const struct tool *tool, const struct validate_options *options,
                   const struct validate_report *r, struct validate_earlier **earlier)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    enum hitop_status status;

    if (keep_inputs(tool, options) != TOOL_DONE) {
        return TOOL_USAGE;
    }
    status = hitop_output_check(options->output, &diag);
    if (status == HITOP_OK) {
        status = validate_earlier_read(options, r, earlier, &diag);
        status = status == HITOP_ERR_IO ? HITOP_ERR_FORMAT : status;
    }
    return status == HITOP_OK ? TOOL_DONE : tool_fail(tool, status, &diag);
}

int validate_job(struct tool *tool, const struct validate_options *options)
{
    struct validate_run run = {
        .tool = tool,
        .options = options,
        .request = &options->request,
        .report = {.request = &options->request, .timing = options->timing->name}};
    struct validate_earlier *earlier = NULL;
    char library[MPI_MAX_LIBRARY_VERSION_STRING], date[32];
    int rank = 0, exit_status;

    (void)MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    (void)MPI_Comm_size(MPI_COMM_WORLD, &run.report.nranks);
    run.rank = rank;
    if (run.report.nranks == 1) {
        tool_error(tool,
                   "one rank has no other to exchange messages with; run with mpirun -n 2 or more");
        return TOOL_USAGE;
    }
    exit_status = validate_read(&run);
    if (exit_status == TOOL_DONE) {
        begin_report(&run, library, date, sizeof(date));
        exit_status =
            validate_agree(rank == 0 ? prepare(tool, options, &run.report, &earlier) : TOOL_DONE);
    }
    if (exit_status == TOOL_DONE) {
        exit_status = validate_run(&run);
    }
    if (exit_status == TOOL_DONE && rank == 0) {
        exit_status = report(tool, &run, earlier);
    }
    validate_earlier_free(earlier);
    validate_run_clear(&run);
    return exit_status;
}
