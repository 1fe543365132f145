/* SPDX-License-Identifier: BSD-3-Clause */
/* benchmark_collective.c - times collectives and messages of a job, and writes the results. */
#include <config.h>

#include "tools/benchmark/benchmark.h"
#include "tools/common/tool_mpi.h"
#include "tools/report/report.h"

#include <stdlib.h>
#include <string.h>

static void list_kinds(void)
{
    for (const struct benchmark_kind *k = benchmark_kinds; k->name; k++) {
        printf("%-12s  %s\n", k->name, k->summary);
    }
}

/*
 * Write warnings to standard error, unless the results on standard output contain them. Without
 * results the last warning is the reason, and the others are written even with --quiet.
 */
static void put_warnings(const struct tool *tool, const struct benchmark_result *r)
{
    const struct benchmark_request *q = r->request;
    const int shows = q->format != FORMAT_CSV && q->format != FORMAT_JSON;
    const int is_seen = r->ncurves > 0 && shows && strcmp(q->output, "-") == 0;
    const int n = r->ncurves > 0 ? r->nwarnings : r->nwarnings - 1;

    for (int i = 0; i < n && !is_seen && (!q->quiet || r->ncurves == 0); i++) {
        tool_error(tool, "warning: %s", r->warnings[i]);
    }
}

static enum hitop_status write_result(const void *data, FILE *to, struct hitop_diag *diag)
{
    static void (*const writers[])(const struct benchmark_result *,
                                   FILE *) = {[FORMAT_TEXT] = benchmark_write_text,
                                              [FORMAT_CSV] = benchmark_write_csv,
                                              [FORMAT_IMB] = benchmark_write_imb,
                                              [FORMAT_OSU] = benchmark_write_osu};
    const struct benchmark_result *result = data;

    if (result->request->format == FORMAT_JSON) {
        return benchmark_write_json(result, to, diag);
    }
    writers[result->request->format](result, to);
    return ferror(to) ? hitop_fail(diag, HITOP_ERR_IO, "cannot write a table") : HITOP_OK;
}

/* Make the guide from the results in JSON, as benchmark_report does from a file. */
static int write_guide(const struct tool *tool, const char *path,
                       const struct benchmark_result *result)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct results_input input = {.name = "results"};
    FILE *memory = open_memstream(&input.text, &input.length);
    enum hitop_status status = memory ? benchmark_write_json(result, memory, &diag)
                                      : hitop_fail(&diag, HITOP_ERR_NOMEM, "out of memory");

    if (memory && fclose(memory) != 0 && status == HITOP_OK) {
        status = hitop_fail(&diag, HITOP_ERR_NOMEM, "out of memory");
    }
    if (status == HITOP_OK) {
        status =
            report_make(&input, 1, (enum report_format)report_format_of_file(path), 1, path, &diag);
    }
    free(input.text);
    return status == HITOP_OK ? TOOL_DONE : tool_fail(tool, status, &diag);
}

/* TOOL_DONE, or TOOL_FAILED after a report of wrong elements and where they were first. */
static int judge_data(const struct tool *tool, const struct benchmark_result *r)
{
    const struct benchmark_place *first = &r->first_wrong;

    if (r->wrong == 0) {
        return TOOL_DONE;
    }
    tool_error(tool, "%llu %s wrong, first in %s by %s, %zu B, %d rank%s", r->wrong,
               r->wrong == 1 ? "element was" : "elements were", first->kind->name,
               first->implementation, first->bytes, first->ranks, first->ranks == 1 ? "" : "s");
    return TOOL_FAILED;
}

/* At rank 0: write all outputs; the exit status. */
static int report(const struct tool *tool, struct benchmark_result *r)
{
    int status;

    benchmark_result_sort(r);
    benchmark_judge_run(r);
    put_warnings(tool, r);
    if (r->ncurves == 0) {
        (void)judge_data(tool, r);
        tool_error(tool, "there was nothing to measure%s%s", r->nwarnings > 0 ? ": " : "",
                   r->nwarnings > 0 ? r->warnings[r->nwarnings - 1] : "");
        return TOOL_FAILED;
    }
    status = tool_write_file(tool, r->request->output, write_result, r);
    if (status == TOOL_DONE && r->request->report) {
        status = write_guide(tool, r->request->report, r);
    }
    return status == TOOL_DONE ? judge_data(tool, r) : status;
}

static int run(const struct tool *tool, struct benchmark_request *request, int rank)
{
    struct benchmark_result result = {.request = request};
    int status = benchmark_run(tool, request, &result);

    if (status == TOOL_DONE && rank == 0 && !request->dry_run) {
        status = report(tool, &result);
    }
    benchmark_result_fini(&result);
    return status;
}

HITOP_API int main(int argc, char **argv)
{
    struct tool tool = benchmark_tool;
    struct benchmark_request request;
    int status;

    /* Hitop itself is measured, not the faster one of Hitop and MPI */
    (void)setenv("HITOP_TRIAL", "0", 0);
    benchmark_replace_imb_names(argc, argv);
    if (tool_help_or_version(&tool, argc, argv)) {
        return tool_finish(&tool);
    }
    tool.quiet = tool_mpi_is_later_rank();
    status = benchmark_parse_options(&tool, argc, argv, &request);
    if (status == TOOL_DONE && request.list) {
        if (!tool.quiet) {
            list_kinds();
        }
        benchmark_request_fini(&request);
        return tool_finish(&tool);
    }
    if (status == TOOL_DONE) {
        const int rank = tool_mpi_start(&tool, NULL, NULL);
        status = tool_mpi_finish(run(&tool, &request, rank));
    } else {
        status = tool_mpi_leave(&tool, status);
    }
    benchmark_request_fini(&request);
    return status;
}
