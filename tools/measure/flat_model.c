/* SPDX-License-Identifier: BSD-3-Clause */
/* flat_model.c - measure every pair of ranks, or a few pairs that represent all. */
#include <config.h>

#include "tools/measure/measure.h"

int main(int argc, char **argv)
{
    struct tool tool = {
        .name = "flat_model",
        .synopsis = "-o FILE [options]",
        .summary = "Measure every pair of ranks and write the model of all.\n"
                   "Runs under mpirun; pairs on different hosts are measured at once.",
        .epilogue =
            "Sizes take k, m, g, KiB, MiB, GiB (powers of 1024), kB, MB, GB (of 1000).\n"
            "Exit status: 0 the model was written, 1 failed, 2 wrong usage, 3 bad input file; "
            "with\n"
            "--strict also 4: written, but a link did not settle, or the measurement ended early.\n"
            "\n"
            "Example:\n"
            "  mpirun -n 8 flat_model -o flat.json\n",
    };

    return measure_main(&tool, 1, argc, argv);
}
