/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PACE_H
#define PACE_H

/*
 * pace.h - the speed of the processor that this process runs on.
 *
 * Two hardware threads of a core share its units, so each is slower while the other one computes;
 * in a virtual machine the other thread may belong to another machine. Neither the processor's
 * clock nor a chain of dependent instructions shows this.
 */

#include "models/clock/clock.h"

enum { BENCHMARK_PACE_MOST = 64 };

/*
 * Seconds of a fixed piece of work that needs many units at once, about 3 us. Returns the 90 %
 * quantile of the pieces, because the other thread is often busy for a part of the time only.
 * `pieces`: 1 to BENCHMARK_PACE_MOST.
 */
double hitop_benchmark_pace(const struct hitop_clock *clock, int pieces);

/*
 * Seconds of the scalar product of two vectors of 1000 numbers of type double, in L1 cache: the
 * normalised time of the guide to MPI cost, by which guides of two machines can be compared. It is
 * the median of many products, so that interruptions do not count.
 */
double hitop_benchmark_normalised_time(const struct hitop_clock *clock);

#endif /* PACE_H */
