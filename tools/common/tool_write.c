/* SPDX-License-Identifier: BSD-3-Clause */
/* tool_write.c - write results to a file that appears complete or not at all. */
#include <config.h>

#include "hitop/output.h"
#include "tools/common/tool.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int tool_write_file(const struct tool *tool, const char *path,
                    enum hitop_status (*write)(const void *data, FILE *to, struct hitop_diag *diag),
                    const void *data)
{
    struct hitop_output *output = NULL;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    enum hitop_status status = hitop_output_open(path, &output, &diag);

    if (status == HITOP_OK) {
        status = write(data, hitop_output_stream(output), &diag);
        if (status != HITOP_OK && !ferror(hitop_output_stream(output))) {
            hitop_output_discard(output); /* the writer does not know the name of its stream */
            tool_error(tool, "%s: %s", path, diag.message);
            return TOOL_FAILED;
        }
        status = hitop_output_end(output, status, &diag);
    }
    return status == HITOP_OK ? TOOL_DONE : tool_fail(tool, status, &diag);
}

static int stat_input(const char *path, struct stat *st)
{
    return path && (strcmp(path, "-") == 0 ? fstat(STDIN_FILENO, st) : stat(path, st)) == 0;
}

int tool_keep_inputs(const struct tool *tool, const struct tool_file *output, size_t noutputs,
                     const struct tool_file *input, size_t ninputs)
{
    struct stat out, in;

    for (size_t o = 0; o < noutputs; o++) {
        if (!output[o].path || strcmp(output[o].path, "-") == 0 ||
            stat(output[o].path, &out) != 0 || !S_ISREG(out.st_mode)) {
            continue;
        }
        for (size_t i = 0; i < ninputs; i++) {
            if (stat_input(input[i].path, &in) && in.st_dev == out.st_dev &&
                in.st_ino == out.st_ino) {
                tool_error(tool, "%s: '%s' would replace what %s reads", output[o].option,
                           output[o].path, input[i].option);
                return TOOL_USAGE;
            }
        }
    }
    return TOOL_DONE;
}
