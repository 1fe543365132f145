/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ROUNDS_H
#define ROUNDS_H

/* rounds.h - items that need no resource twice share a round. */

/* Pairs, triples and the like: the i-th needs the resources resource[i * width], resource[i * width
 * + 1], ... */
struct rounds_request {
    const int *resource;
    int n, width;
    int nresources; /* resources are 0 .. nresources - 1 */
};

/*
 * Put each into a round, 1, 2, ...: into the first one in which those before it have left its
 * resources free. So would sweeping the list again and again for all that have no resource in
 * common.
 *
 * Returns the number of rounds, or -1 without memory.
 */
int hitop_rounds_fill(const struct rounds_request *request, int *round);

#endif /* ROUNDS_H */
