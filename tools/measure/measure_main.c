/* SPDX-License-Identifier: BSD-3-Clause */
/* measure_main.c - what the measuring tools do from their command line to their exit. */
#include <config.h>

#include "tools/common/tool_mpi.h"
#include "tools/measure/measure.h"

int measure_main(struct tool *tool, int argc, char **argv)
{
    struct measure_request request;
    int exit_status;

    if (tool_help_or_version(tool, argc, argv)) {
        return tool_finish(tool);
    }
    tool->quiet = tool_mpi_is_later_rank();
    exit_status = measure_request_read(tool, argc, argv, &request);
    if (exit_status == TOOL_DONE && request.run.dry_run &&
        (request.simulate || !tool_mpi_is_launched())) {
        exit_status = tool->quiet ? TOOL_DONE : measure_plan(tool, &request);
    } else if (exit_status == TOOL_DONE && request.simulate) {
        exit_status = tool->quiet ? TOOL_DONE : measure_simulated(tool, &request);
    } else if (exit_status == TOOL_DONE) {
        (void)tool_mpi_start(tool, &argc, &argv);
        exit_status = tool_mpi_finish(measure_job(tool, &request));
    } else {
        exit_status = tool_mpi_leave(tool, exit_status);
    }
    measure_request_release(&request);
    return exit_status;
}
