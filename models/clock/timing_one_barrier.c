/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * timing_one_barrier.c - from the first call to the end of the last rank, after a barrier.
 *
 * Idea:   after one barrier the time begins when the first rank calls the operation and ends when
 *         the last rank returns, both in common time.
 * Use:    ranks that miss start times, because they share processors; replaces "window" there.
 * Bias:   ranks leave the barrier one after the other, and this counts. The error of the clocks
 *         counts.
 * Source: S. Hunold, A. Carpen-Amarie, Reproducible MPI Benchmarking is Still Not as Easy as You
 *         Think, IEEE TPDS 27(12), 2016.
 */
#include <config.h>

#include "models/clock/timing.h"

static double seconds(const struct hitop_timing_facts *largest)
{
    return largest->ended + largest->minus_began;
}

const struct hitop_timing hitop_timing_one_barrier = {
    .name = "one-barrier",
    .summary = "from the first rank's call to the end of the last rank, after a barrier",
    .barriers = 1,
    .allows_delays = 1,
    .seconds = seconds,
};
