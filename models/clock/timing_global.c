/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * timing_global.c - from the root's call to the end of the last rank.
 *
 * Idea:   after a barrier the time begins when the root calls the operation and ends when the last
 *         rank returns, both in common time. Rank 0 is the root of operations without one.
 * Use:    operations in which all data come from the root.
 * Bias:   ranks that leave the barrier after the root make it longer. The error of the clocks
 *         counts.
 * Source: method "global" of MPIBlib; A. Lastovetsky, V. Rychkov, M. O'Flynn, EuroPVM/MPI 2008.
 */
#include <config.h>

#include "models/clock/timing.h"

static double seconds(const struct hitop_timing_facts *largest)
{
    return largest->ended - largest->root_began;
}

const struct hitop_timing hitop_timing_global = {
    .name = "global",
    .summary = "from the root's call to the end of the last rank, after a barrier",
    .barriers = 1,
    .seconds = seconds,
};
