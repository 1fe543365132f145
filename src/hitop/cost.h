/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_COST_H
#define HITOP_COST_H

/**
 * @file cost.h
 * @brief What trees and predictions need to know of a machine: two functions.
 *
 * A model object offers itself as a cost (hitop_model_cost()), tests and the runtime supply their
 * own. Costs are pure: the same arguments give the same time on every rank.
 */

#include "hitop/status.h"

HITOP_BEGIN_DECLS

/** Borrowed by every call it is given to; @p self belongs to whoever made it. */
struct hitop_cost {
    const void *self;

    /** Ranks 0..nranks-1 have a price. */
    int nranks;

    /** Seconds from the start of a send of @p bytes by @p from until @p to has all of them. */
    double (*p2p)(const void *self, int from, int to, size_t bytes);

    /** Seconds during which that send keeps @p from from starting the next one; at most p2p(). */
    double (*occupancy)(const void *self, int from, int to, size_t bytes);

    /** Optional (NULL: no time). Seconds in which @p rank copies or combines @p bytes. */
    double (*local)(const void *self, int rank, size_t bytes);

    /**
     * Optional (NULL: every rank is a group of its own). A number for the group of @p rank, whose
     * members are interchangeable: swapping two of them changes no price. Builders then ask for one
     * price per group instead of one per rank.
     */
    int (*group)(const void *self, int rank);
};

HITOP_END_DECLS

#endif /* HITOP_COST_H */
