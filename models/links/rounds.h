/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ROUNDS_H
#define ROUNDS_H

/* rounds.h - assign items to rounds; items of one round have no resource in common. */

/* Items, e.g. pairs or triples: item i needs the resources resource[i * width + k], k < width. */
struct rounds_request {
    const int *resource;
    int n, width;
    int nresources; /* resources are 0 .. nresources - 1 */
};

/*
 * Assign each item the first round, 1, 2, ..., in which earlier items have left its resources free.
 *
 * Returns the number of rounds, or -1 without memory.
 */
int hitop_rounds_fill(const struct rounds_request *request, int *round);

#endif /* ROUNDS_H */
