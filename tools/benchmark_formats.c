/* SPDX-License-Identifier: BSD-3-Clause */
/* benchmark_formats.c - the outputs of a run. */
#include <config.h>

#include "benchmark.h"
#include "hitop/output.h"
#include "report.h"

#include <stdlib.h>

const struct benchmark_format benchmark_formats[] = {
    {"text", "tables to read", benchmark_write_text},
    {"csv", "a line for each size", benchmark_write_csv},
    {"json", "all there is; doc/benchmark.schema.json", benchmark_write_json},
    {"imb", "as the Intel MPI Benchmarks print it", benchmark_write_imb},
    {"osu", "as the OSU benchmarks print it", benchmark_write_osu},
    {0},
};

static int write_file(const struct tool *tool, const char *path,
                      const struct benchmark_format *format, const struct benchmark_result *result)
{
    struct hitop_output *output = NULL;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    enum hitop_status status = hitop_output_open(path, &output, &diag);

    if (status == HITOP_OK) {
        status = format->write(result, hitop_output_stream(output), &diag);
        if (status != HITOP_OK) { /* the writer does not know the name of its stream */
            hitop_output_discard(output);
            tool_error(tool, "%s: %s", path, diag.message);
            return TOOL_FAILED;
        }
        status = hitop_output_commit(output, &diag);
    }
    return status == HITOP_OK ? TOOL_DONE : tool_fail(tool, status, &diag);
}

/* The guide is made of what --format json writes, so that benchmark_report makes the same of a file. */
static int write_guide(const struct tool *tool, const char *path,
                       const struct benchmark_result *result)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    char *text = NULL;
    size_t length = 0;
    FILE *memory = open_memstream(&text, &length);
    enum hitop_status status = memory ? benchmark_write_json(result, memory, &diag)
                                      : hitop_fail(&diag, HITOP_ERR_NOMEM, "out of memory");
    int drawn = 1;

    if (memory && fclose(memory) != 0 && status == HITOP_OK) {
        status = hitop_fail(&diag, HITOP_ERR_NOMEM, "out of memory");
    }
    if (status == HITOP_OK) {
        status = report_make("results", text, length,
                             (enum report_format)report_format_of_file(path), path, &drawn, &diag);
    }
    free(text);
    if (status == HITOP_OK && !drawn) {
        tool_error(tool, "%s: %s is written without figures", diag.message, path);
    }
    return status == HITOP_OK ? TOOL_DONE : tool_fail(tool, status, &diag);
}

int benchmark_write(const struct tool *tool, const struct benchmark_result *result)
{
    const struct benchmark_request *r = result->request;

    const int status = write_file(tool, r->output, r->format, result);

    return status == TOOL_DONE && r->report ? write_guide(tool, r->report, result) : status;
}
