/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef POOL_LAUNCHES_H
#define POOL_LAUNCHES_H

/* pool_launches.h - the times of one size in several launches as one. */

#include "models/results/results.h"

/* Of n >= 2 launches; their intervals are of that level. */
void hitop_results_pool(const struct results_point *const *launch, int n, double level,
                        struct results_point *out);

/*
 * The median of n launches, counted from 1 from either end, that bounds an interval of the median
 * of all launches at that level, for any distribution. 0: n is too small.
 */
int hitop_results_pool_rank(int n, double level);

/* The level of the intervals that come out. */
double hitop_results_pool_level(int n, double level);

#endif /* POOL_LAUNCHES_H */
