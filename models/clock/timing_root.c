/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * timing_root.c - the operation and a confirming barrier, at the root.
 *
 * Idea:   after a barrier the root times the operation and a second barrier, which ends when all
 *         ranks are done, by its own clock. The time of a barrier alone, measured before, is
 *         subtracted. Rank 0 is the root of operations without one.
 * Use:    clocks that cannot be compared, and long operations.
 * Bias:   the barrier overlaps the operation where ranks finish at different times; then too much
 *         is subtracted. A result below 0 becomes 0.
 * Source: method "root" of MPIBlib; A. Lastovetsky, V. Rychkov, M. O'Flynn, EuroPVM/MPI 2008.
 */
#include <config.h>

#include "models/clock/timing.h"

#include <math.h>

static double seconds(const struct hitop_timing_facts *largest)
{
    return fmax(largest->root_took, 0);
}

const struct hitop_timing hitop_timing_root = {
    .name = "root",
    .summary = "operation and a barrier by the root's clock, less a barrier; after a barrier",
    .barriers = 1,
    .confirms = 1,
    .seconds = seconds,
};
