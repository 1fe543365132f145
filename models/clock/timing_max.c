/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * timing_max.c - the longest call of a rank.
 *
 * Idea:   two barriers; each rank times its call by its own clock; the longest time counts. Ranks
 *         enter the second barrier almost together, so that they leave it close to each other.
 * Use:    clocks that cannot be compared.
 * Bias:   a rank that leaves the barrier first waits in the operation for the others, and this
 *         counts; the time of a rank that begins late and ends last is too short.
 * Source: method "max" of MPIBlib; A. Lastovetsky, V. Rychkov, M. O'Flynn, MPIBlib: Benchmarking
 *         MPI Communications for Parallel Computing on Homogeneous and Heterogeneous Clusters,
 *         EuroPVM/MPI 2008.
 */
#include <config.h>

#include "models/clock/timing.h"

static double seconds(const struct hitop_timing_facts *largest)
{
    return largest->took;
}

const struct hitop_timing hitop_timing_max = {
    .name = "max",
    .summary = "longest call of a rank by its own clock, after two barriers",
    .barriers = 2,
    .seconds = seconds,
};
