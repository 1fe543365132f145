/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_QUALITY_H
#define HITOP_QUALITY_H

/**
 * @file quality.h
 * @brief The quality of a measurement.
 */

/** How many links may be measured at the same time, and how that slows them. */
struct hitop_interference {
    int at_once;     /**< at least 1; 0 when there was no link */
    double slowdown; /**< largest ratio of a time of concurrent links to that of one; 1 for one */
};

/**
 * How far a group is from some of its pairs of ranks that no fit has seen. Deviations are relative.
 */
struct hitop_verified {
    int node;           /**< the group */
    int pairs;          /**< measured; at least 1 */
    double median, q90; /**< of the model, over sizes and pairs */
    double worst;       /**< largest deviation of a pair from the links that represent the group */
    int holds;          /**< 1: that is within the tolerance */
};

/** How the numbers of a model were measured. */
struct hitop_quality {
    double seconds;  /**< all measurements together */
    int passes;      /**< over all links */
    int ended_early; /**< 1: by a signal or a time limit, before all was known as well as wanted */
    struct hitop_interference latency, bandwidth; /**< short messages, and those above 4 KiB */
    double tolerance; /**< up to which a pair may be off its group; unused when none was verified */
    const struct hitop_verified *verified; /**< by node; NULL when nothing was verified */
    int nverified;
};

#endif /* HITOP_QUALITY_H */
