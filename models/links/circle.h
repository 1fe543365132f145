/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CIRCLE_H
#define CIRCLE_H

/*
 * circle.h - each two of n in as few rounds as possible.
 *
 * Idea:  the last one stays, the others move on by one seat each round, and who sits opposite makes a pair.
 *        With an odd number a pair with nobody is left out.
 */

/* Rounds for n of them, 2 or more. */
static inline int circle_rounds(int n)
{
    return n + n % 2 - 1;
}

/* Pairs of a round, that with nobody included. */
static inline int circle_pairs(int n)
{
    return (n + n % 2) / 2;
}

/* The k-th pair of a round: 1 and low < high, or 0 for that with nobody. */
static inline int circle_pair(int n, int round, int k, int *low, int *high)
{
    const int circle = circle_rounds(n);
    const int a = k == 0 ? circle : (round + k) % circle;
    const int b = (round + circle - k) % circle;

    *low = a < b ? a : b;
    *high = a < b ? b : a;
    return *high < n;
}

#endif /* CIRCLE_H */
