/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CORRELATION_H
#define CORRELATION_H

/* correlation.h - what hitop_correlation_time() takes: ranks in the order of time. */

#include <stddef.h>

/* The ranks of samples; equal ones share the mean of their ranks. order holds their places,
 * ascending. */
void hitop_rank_in_time(const double *samples, const size_t *order, int n, double *ranks);

#endif /* CORRELATION_H */
