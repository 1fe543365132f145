/* SPDX-License-Identifier: BSD-3-Clause */
/* validate_model.c - compare what a model predicts with what the machine does. */
#include <config.h>

#include "tools/validate/validate.h"

#include "tools/common/tool_mpi.h"

#include <stdlib.h>

int main(int argc, char **argv)
{
    struct tool tool = {
        .name = "validate_model",
        .synopsis = "-i MODEL [options]",
        .summary =
            "Measure what a model has not seen, and tell how far its predictions are from that:\n"
            "random pairs of ranks, patterns of many messages, and collectives.\n"
            "Runs under mpirun on hosts of the model.",
        .options = validate_tool_options,
        .noptions = validate_tool_noptions,
        .values = validate_tool_values,
        .nvalues = validate_tool_nvalues,
        .epilogue =
            "Sizes take k, m, g, KiB, MiB, GiB (powers of 1024), kB, MB, GB (of 1000).\n"
            "Exit status: 0 the report was written, 1 failed, 2 wrong usage, 3 bad model file, or\n"
            "one of another machine; with --strict also 4: the model does not hold.\n"
            "\n"
            "Example:\n"
            "  mpirun -n 8 validate_model -i model.json\n",
    };
    struct validate_options options;
    int exit_status;

    if (tool_help_or_version(&tool, argc, argv)) {
        return tool_finish(&tool);
    }
    tool.quiet = tool_mpi_is_later_rank();
    exit_status = validate_read_options(&tool, argc, argv, &options);
    if (exit_status == TOOL_DONE) {
        (void)tool_mpi_start(&tool, &argc, &argv);
        exit_status = tool_mpi_finish(validate_job(&tool, &options));
    } else {
        exit_status = tool_mpi_leave(&tool, exit_status);
    }
    free(options.request.command);
    return exit_status;
}
