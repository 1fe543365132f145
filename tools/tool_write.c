/* SPDX-License-Identifier: BSD-3-Clause */
/* tool_write.c - results to a file that is whole or not there. */
#include <config.h>

#include "hitop/output.h"
#include "tool.h"

int tool_write_file(const struct tool *tool, const char *path,
                    enum hitop_status (*write)(const void *data, FILE *to, struct hitop_diag *diag),
                    const void *data)
{
    struct hitop_output *output = NULL;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    enum hitop_status status = hitop_output_open(path, &output, &diag);

    if (status == HITOP_OK) {
        status = write(data, hitop_output_stream(output), &diag);
        if (status != HITOP_OK) { /* the writer does not know the name of its stream */
            hitop_output_discard(output);
            tool_error(tool, "%s: %s", path, diag.message);
            return TOOL_FAILED;
        }
        status = hitop_output_commit(output, &diag);
    }
    return status == HITOP_OK ? TOOL_DONE : tool_fail(tool, status, &diag);
}
