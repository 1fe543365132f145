/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ROUND_ROBIN_H
#define ROUND_ROBIN_H

/*
 * round_robin.h - each two of n in as few rounds as possible.
 *
 * Idea:  the last one stays, the others move on by one place each round, and opposite places make
 *        a pair. With an odd number one place is empty, and its pair is left out.
 */

/* Rounds for n of them, 2 or more. */
static inline int round_robin_rounds(int n)
{
    return n + n % 2 - 1;
}

/* Pairs of a round, with that of the empty place. */
static inline int round_robin_pairs(int n)
{
    return (n + n % 2) / 2;
}

/* The k-th pair of a round: 1 and low < high, or 0 for that of the empty place. */
static inline int round_robin_pair(int n, int round, int k, int *low, int *high)
{
    const int places = round_robin_rounds(n);
    const int a = k == 0 ? places : (round + k) % places;
    const int b = (round + places - k) % places;

    *low = a < b ? a : b;
    *high = a < b ? b : a;
    return *high < n;
}

#endif /* ROUND_ROBIN_H */
