/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_BATCH_H
#define HITOP_BATCH_H

/**
 * @file batch.h
 * @brief Consecutive samples of one experiment.
 */

#include "hitop/experiment.h"

HITOP_BEGIN_DECLS

/** Largest number of samples of a batch. */
#define HITOP_BATCH_MAX_SAMPLES (1 << 20)

/** Samples of one experiment at one size on one link. */
struct hitop_batch {
    const char *part;           /**< of the measurement, e.g. "links"; ASCII, not empty; borrowed */
    int link;                   /**< index in its part */
    enum hitop_experiment what; /**< as in struct hitop_series, like bytes and batch */
    size_t bytes;               /**< below 2^63 */
    int take;              /**< 0; larger for a repeated measurement: only the last take counts */
    int block;             /**< number of the pass over all links */
    int batch;             /**< repetitions in a sample, or messages of a train; at least 1 */
    int n;                 /**< samples, 1 to HITOP_BATCH_MAX_SAMPLES */
    const double *samples; /**< [n] seconds, finite; borrowed */
};

HITOP_END_DECLS

#endif /* HITOP_BATCH_H */
