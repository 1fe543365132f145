/* SPDX-License-Identifier: BSD-3-Clause */
/* benchmark_formats.c - the outputs of a run. */
#include <config.h>

#include "tools/benchmark/benchmark.h"
#include "tools/report/report.h"

#include <stdlib.h>

const struct benchmark_format benchmark_formats[] = {
    {"text", "tables to read", benchmark_write_text, 1},
    {"csv", "a line for each size", benchmark_write_csv, 0},
    {"json", "all there is; doc/benchmark.schema.json", benchmark_write_json, 0},
    {"imb", "as the Intel MPI Benchmarks print it", benchmark_write_imb, 1},
    {"osu", "as the OSU benchmarks print it", benchmark_write_osu, 1},
    {0},
};

static enum hitop_status write_result(const void *data, FILE *to, struct hitop_diag *diag)
{
    const struct benchmark_result *result = data;

    return result->request->format->write(result, to, diag);
}

/* The guide is made of what --format json writes, so that benchmark_report makes the same of a
 * file. */
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

int benchmark_write(const struct tool *tool, const struct benchmark_result *result)
{
    const struct benchmark_request *r = result->request;
    const int status = tool_write_file(tool, r->output, write_result, result);

    return status == TOOL_DONE && r->report ? write_guide(tool, r->report, result) : status;
}
