/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ROUND_ROBIN_H
#define ROUND_ROBIN_H

/*
 * round_robin.h - round-robin pairing: all pairs of n items in as few rounds as possible.
 *
 * Idea:  the last item stays, the others move on by one place each round, and items at opposite
 *        places are a pair. If n is odd, one place is empty, and its pair is left out.
 */

/* Number of rounds for n items, n >= 2. */
static inline int round_robin_rounds(int n)
{
    return n + n % 2 - 1;
}

/* Number of pairs of a round, including that of the empty place. */
static inline int round_robin_pairs(int n)
{
    return (n + n % 2) / 2;
}

/* The k-th pair of a round, low < high. Returns 0 for the pair of the empty place, else 1. */
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
