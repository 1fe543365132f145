/* SPDX-License-Identifier: BSD-3-Clause */
/* hierarchical_model.c - measure the links that differ, and model every pair of ranks. */
#include <config.h>

#include "tools/measure/measure.h"

int main(int argc, char **argv)
{
    struct tool tool = {
        .name = "hierarchical_model",
        .synopsis = "-i HIERARCHY -o FILE [options]",
        .summary = "Measure one link per group of a hierarchy and write the model of every pair of "
                   "ranks.\n"
                   "Runs under mpirun with one process per rank of the hierarchy.",
        .epilogue =
            "Sizes take k, m, g, KiB, MiB, GiB (powers of 1024), kB, MB, GB (of 1000).\n"
            "Exit status: 0 the model was written, 1 failed, 2 wrong usage, 3 bad input file; "
            "with\n"
            "--strict also 4: written, but a link did not settle, or the measurement ended early.\n"
            "\n"
            "Example:\n"
            "  mpirun -n 8 generate_hierarchy -o cluster.dot\n"
            "  mpirun -n 8 hierarchical_model -i cluster.dot -o model.json\n",
    };

    return measure_main(&tool, 0, argc, argv);
}
