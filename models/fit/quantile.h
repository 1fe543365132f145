/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef QUANTILE_H
#define QUANTILE_H

/* quantile.h - one of n values, by its place among them; 0.5: the median. */

#include <stdlib.h>

static inline int quantile_by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static inline double quantile_of_sorted(const double *sorted, int n, double q)
{
    return sorted[(int)(q * (n - 1) + 0.5)];
}

/* A quantile of any values; sorts them. */
static inline double quantile(double *values, int n, double q)
{
    qsort(values, (size_t)n, sizeof(*values), quantile_by_value);
    return quantile_of_sorted(values, n, q);
}

#endif /* QUANTILE_H */
