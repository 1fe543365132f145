/* SPDX-License-Identifier: BSD-3-Clause */
/* benchmark_formats.c - the outputs of a run. */
#include <config.h>

#include "benchmark.h"
#include "hitop/output.h"

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

int benchmark_write(const struct tool *tool, const struct benchmark_result *result)
{
    const struct benchmark_request *r = result->request;

    return write_file(tool, r->output, r->format, result);
}
