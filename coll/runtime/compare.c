/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * compare.c - see compare.h.
 *
 * Source: the order of turns is the Thue-Morse sequence. The test of whether one of the two is
 *         faster is that of Mann and Whitney: it counts the pairs of times, one of each, in which
 *         that one has the smaller time.
 */
#include <config.h>

#include "coll/runtime/compare.h"

#include <stdlib.h>

enum {
    FIRST_LOOK = 2, /* calls of each */
    SECOND_LOOK = 5
};

enum compare_by hitop_compare_turn(int i)
{
    int ones = 0;

    for (unsigned u = (unsigned)i; u > 0; u /= 2) {
        ones += (int)(u % 2);
    }
    return ones % 2 ? COMPARE_MPI : COMPARE_HITOP;
}

int hitop_compare_next_look(int n, int most)
{
    const int next = n < FIRST_LOOK ? FIRST_LOOK : n < SECOND_LOOK ? SECOND_LOOK : most;

    return next < most ? next : most;
}

static int compare_times(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

/* Sort the n times of the calls that `by` served in ascending order. */
static void sort_times(const int64_t *ns, int n, enum compare_by by, int64_t sorted[COMPARE_MOST])
{
    int count = 0;

    for (int i = 0; i < 2 * n && count < COMPARE_MOST; i++) {
        if (hitop_compare_turn(i) == by) {
            sorted[count++] = ns[i];
        }
    }
    qsort(sorted, (size_t)count, sizeof(*sorted), compare_times);
}

static int64_t middle(const int64_t *sorted, int n)
{
    return (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
}

int64_t hitop_compare_median(const int64_t *ns, int n, enum compare_by by)
{
    int64_t sorted[COMPARE_MOST];

    sort_times(ns, n, by, sorted);
    return middle(sorted, n);
}

/* Twice the number of pairs in which x is less than y; equal ones count half. */
static int count_less(const int64_t *x, const int64_t *y, int n)
{
    int twice = 0;

    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            twice += x[i] < y[j] ? 2 : x[i] == y[j];
        }
    }
    return twice;
}

/*
 * 1: x is less than y with an error probability of about 1 in 20: 1.645 standard deviations, whose
 * square is 2.706. After fewer than SECOND_LOOK calls, 1.5 times the largest x must be less than
 * the smallest y, so that a single interruption does not decide. Integers, see compare.h.
 */
static int is_clearly_less(const int64_t *x, const int64_t *y, int n)
{
    const int64_t mean = (int64_t)n * n;           /* of twice the number of pairs */
    const int64_t variance_3 = mean * (2 * n + 1); /* three times its variance */
    const int64_t above = count_less(x, y, n) - mean;

    if (n < SECOND_LOOK) {
        return x[n - 1] + x[n - 1] / 2 < y[0];
    }
    return above > 0 && 3000 * above * above > 2706 * variance_3;
}

/* Only MPI must be proved faster: the slower one serves half of the calls of a proof. */
static int seems_no_slower(const int64_t *hitop, const int64_t *mpi, int n)
{
    return n >= SECOND_LOOK && middle(hitop, n) <= middle(mpi, n);
}

enum compare_verdict hitop_compare_judge(const int64_t *ns, int n, int is_last)
{
    int64_t hitop[COMPARE_MOST], mpi[COMPARE_MOST];

    sort_times(ns, n, COMPARE_HITOP, hitop);
    sort_times(ns, n, COMPARE_MPI, mpi);
    if (is_clearly_less(mpi, hitop, n)) {
        const int64_t ours = middle(hitop, n);
        return middle(mpi, n) < ours - ours / 32 ? COMPARE_LEAVE : COMPARE_KEEP;
    }
    return is_last || is_clearly_less(hitop, mpi, n) || seems_no_slower(hitop, mpi, n)
               ? COMPARE_KEEP
               : COMPARE_GO_ON;
}

int hitop_compare_size_class(size_t bytes)
{
    int class = 0;

    for (; bytes > 0; bytes /= 2) {
        class ++;
    }
    return class;
}
