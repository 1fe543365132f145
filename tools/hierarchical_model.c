/* SPDX-License-Identifier: BSD-3-Clause */
/* hierarchical_model.c - measure the links that differ, and model every pair of ranks. */
#include <config.h>

#include "measure_request.h"
#include "tool_mpi.h"

int main(int argc, char **argv)
{
    struct tool tool = {
        .name = "hierarchical_model",
        .synopsis = "-C MODEL -i HIERARCHY -o FILE [options]",
        .summary = "Measure one link per group of a hierarchy and write the model of every pair of "
                   "ranks.\n"
                   "Runs under mpirun with one process per rank of the hierarchy.",
        .options = measure_tool_options,
        .noptions = measure_tool_noptions,
        .epilogue =
            "Sizes take k, m, g, KiB, MiB, GiB (powers of 1024), kB, MB, GB (of 1000).\n"
            "Exit status: 0 done, 1 failed, 2 wrong usage, 3 bad input file, 4 not\n"
            "trustworthy: a link did not reach the wanted precision, or the measurement was\n"
            "ended early.\n"
            "\n"
            "Example:\n"
            "  mpirun -n 8 generate_hierarchy -o cluster.dot\n"
            "  mpirun -n 8 hierarchical_model -C hockney -i cluster.dot -o model.json\n",
    };
    struct measure_request request;
    int exit_status;

    if (tool_help_or_version(&tool, argc, argv)) {
        return tool_finish(&tool);
    }
    tool.quiet = tool_mpi_is_later_rank();
    exit_status = measure_request_read(&tool, argc, argv, &request);
    if (exit_status == TOOL_DONE && request.run.dry_run) {
        exit_status = tool.quiet ? TOOL_DONE : measure_plan(&tool, &request);
    } else if (exit_status == TOOL_DONE && request.simulate) {
        exit_status = tool.quiet ? TOOL_DONE : measure_simulated(&tool, &request);
    } else if (exit_status == TOOL_DONE) {
        (void)tool_mpi_start(&tool, &argc, &argv);
        exit_status = tool_mpi_finish(measure_job(&tool, &request));
    } else {
        exit_status = tool_mpi_leave(&tool, exit_status);
    }
    measure_request_release(&request);
    return exit_status;
}
