/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PACE_H
#define PACE_H

/*
 * pace.h - how fast the processor that we are on computes now.
 *
 * Where two threads of a core share its units, each computes more slowly while the other one does, and in a virtual machine that
 * other one may be somebody else's. The clock of the processor goes on as before, and so does work that waits for itself.
 */

#include "models/clock/clock.h"

enum { BENCHMARK_PACE_MOST = 64 };

/*
 * Seconds of a fixed piece of work that wants many units at once, some 3 us: what nine of ten pieces do not exceed, since the
 * other thread is often used for part of the time only. `pieces`: 1 to BENCHMARK_PACE_MOST.
 */
double hitop_benchmark_pace(const struct hitop_clock *clock, int pieces);

#endif /* PACE_H */
