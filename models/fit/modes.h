/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MODES_H
#define MODES_H

/**
 * @file modes.h
 * @brief Whether samples gather about more than one value.
 *
 * Times of one message have several modes if there are two routes, if a processor sleeps at times,
 * or if a buffer is sometimes in the cache. The median is then the time of the most frequent case,
 * and the report should say so. A few spikes are no mode, nor is a long tail.
 */

#include "hitop/status.h"

#include <stddef.h>

/** Modes that are looked for. */
enum { HITOP_MAX_MODES = 3 };

struct hitop_modes {
    int n;                          /**< 1 to HITOP_MAX_MODES */
    double centre[HITOP_MAX_MODES]; /**< medians, ascending */
    double weight[HITOP_MAX_MODES]; /**< shares of the samples; their sum is 1 */
};

/**
 * Find the modes of samples.
 *
 * A mode has at least a twentieth of the samples and at least ten. It lies at least four median
 * deviations from the next one, and significantly fewer samples are between the two than around
 * either. Fewer than 20 samples have one mode.
 *
 * @param samples     finite, in the order in which they were taken
 * @param n           at least 1
 * @param resolution  differences up to this one mean nothing, e.g. a step of the clock; >= 0
 */
HITOP_MUST_CHECK enum hitop_status hitop_modes_find(const double *samples, int n, double resolution,
                                                    struct hitop_modes *out,
                                                    struct hitop_diag *diag);

enum { MAX_CLUSTERS = 3 };

/*
 * A division of sorted numbers into groups; group k has the numbers begin[k] .. begin[k + 1] - 1.
 */
struct clusters {
    double cost; /* deviations of all numbers from the medians of their groups; INFINITY: none */
    size_t begin[MAX_CLUSTERS + 1];
};

/*
 * The best 1 to MAX_CLUSTERS groups of n ascending numbers, with least numbers in each; out[k] gets
 * k + 1 of them. Returns 0 without memory.
 */
int hitop_clusters_find(const double *sorted, size_t n, size_t least, struct clusters *out);

#endif /* MODES_H */
