/* SPDX-License-Identifier: BSD-3-Clause */
/* hierarchical_model.c - measure the links that differ, and model every pair of ranks. */
#include <config.h>

#include "measure_request.h"

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

    return measure_main(&tool, argc, argv);
}
