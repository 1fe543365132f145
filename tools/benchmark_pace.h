/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCHMARK_PACE_H
#define BENCHMARK_PACE_H

/*
 * benchmark_pace.h - how fast the processor that we are on computes now.
 *
 * Where two threads of a core share its units, each computes more slowly while the other one does, and in a virtual machine that
 * other one may be somebody else's. The clock of the processor goes on as before, and so does work that waits for itself.
 */

/* Seconds of a fixed piece of work that wants many units at once: the shortest of a few, some 3 us each. */
double benchmark_pace(void);

#endif /* BENCHMARK_PACE_H */
