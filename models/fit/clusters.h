/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CLUSTERS_H
#define CLUSTERS_H

/* clusters.h - numbers on a line in groups. */

#include <stddef.h>

enum { MAX_CLUSTERS = 3 };

/* The groups of one number of them, the k-th being begin[k] .. begin[k + 1] - 1 of the sorted numbers. */
struct clusters {
    double
        cost; /* sum of the deviations of all numbers from the medians of their groups; INFINITY: none */
    size_t begin[MAX_CLUSTERS + 1];
};

/*
 * The best 1 to MAX_CLUSTERS groups of n ascending numbers, with least numbers in each; out[k] gets k + 1 of them.
 * Returns 0 without memory.
 */
int hitop_clusters_find(const double *sorted, size_t n, size_t least, struct clusters *out);

#endif /* CLUSTERS_H */
