/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_BATCH_H
#define HITOP_BATCH_H

/**
 * @file batch.h
 * @brief Samples that were taken one after the other.
 */

#include "hitop/experiment.h"

HITOP_BEGIN_DECLS

/** Samples that a batch may have. */
#define HITOP_BATCH_MAX_SAMPLES (1 << 20)

/** Samples of one experiment at one size on one link. */
struct hitop_batch {
    const char *part;           /**< of the measurement, such as "links"; ASCII, not empty; lent */
    int link;                   /**< index in its part */
    enum hitop_experiment what; /**< of struct hitop_series, as are the next and batch */
    size_t bytes;               /**< below 2^63 */
    int take;  /**< 0; 1 and up when it is measured again: earlier takes no longer count */
    int block; /**< pass over all links in which they were taken */
    int batch; /**< repetitions in a sample, or messages of a train; at least 1 */
    int n;     /**< samples, 1 to HITOP_BATCH_MAX_SAMPLES */
    const double *samples; /**< [n] seconds, finite; lent */
};

HITOP_END_DECLS

#endif /* HITOP_BATCH_H */
