/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * timing_window.c - from a common start time to the end of the last rank.
 *
 * Idea:   rank 0 broadcasts a start time, and all ranks wait for it on synchronised clocks. The
 *         time begins with the first rank's call, at the start time, and ends when the last rank
 *         returns, both in common time. A repetition that a rank begins late does not count.
 * Use:    the default.
 * Bias:   the error of the clocks.
 * Source: windows: SKaMPI; T. Worsch, R. Reussner, W. Augustin, On Benchmarking Collective MPI
 *         Operations, EuroPVM/MPI 2002. Start times from rank 0, the round-time scheme: S. Hunold,
 *         A. Carpen-Amarie, Hierarchical clock synchronization in MPI, IEEE Cluster 2018.
 */
#include <config.h>

#include "models/clock/timing.h"

static double seconds(const struct hitop_timing_facts *largest)
{
    return largest->ended + largest->minus_began;
}

const struct hitop_timing hitop_timing_window = {
    .name = "window",
    .summary = "from a common start time to the end of the last rank",
    .allows_delays = 1,
    .seconds = seconds,
};
