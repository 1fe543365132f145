/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef COMPARE_INTS_H
#define COMPARE_INTS_H

/* compare_ints.h - compare two integers, for qsort() in ascending order. */

static inline int compare_ints(const void *a, const void *b)
{
    const int x = *(const int *)a, y = *(const int *)b;

    return (x > y) - (x < y);
}

#endif /* COMPARE_INTS_H */
