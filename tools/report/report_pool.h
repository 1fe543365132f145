/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef REPORT_POOL_H
#define REPORT_POOL_H

/* report_pool.h - the times of one size in several launches as one. */

#include "tools/report/report.h"

/* Of n >= 2 launches; their intervals are of that level. */
void report_pool(const struct report_point *const *launch, int n, double level,
                 struct report_point *out);

/*
 * Which median of n launches, counted from 1 from either end, bounds an interval of their population's median of that
 * level, for any distribution. 0: with so few there is none.
 */
int report_pool_rank(int n, double level);

/* The level of the intervals that come out. */
double report_pool_level(int n, double level);

#endif /* REPORT_POOL_H */
