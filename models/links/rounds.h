/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ROUNDS_H
#define ROUNDS_H

/* rounds.h - what takes a seat from nobody goes at once. */

/* Pairs, triples and the like: the i-th takes the seats seat[i * width], seat[i * width + 1], ... */
struct seating {
    const int *seat;
    int n, width;
    int nseats; /* seats are 0 .. nseats - 1 */
};

/*
 * Put each into a round, 1, 2, ...: into the first one in which those before it have left its seats free. So
 * would sweeping the list again and again for all that have no seat in common.
 *
 * Returns the number of rounds, or -1 without memory.
 */
int hitop_rounds_fill(const struct seating *seating, int *round);

#endif /* ROUNDS_H */
