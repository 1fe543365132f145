/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CONCURRENT_PAIRS_H
#define CONCURRENT_PAIRS_H

/**
 * @file concurrent_pairs.h
 * @brief Times of several pairs of ranks that send at the same time.
 *
 * One pair of ranks may not fill the network interface of its hosts, and many pairs share it. So
 * for each link sets of pairs of ranks on its hosts exchange echoes of one size at the same time:
 * the link alone, then 2, 4, ... pairs, then all pairs. capacity.h chooses other sets of pairs.
 */

#include "hitop/measure.h"

/** Sets of pairs; the pairs of one set send at the same time. */
struct hitop_pair_plan {
    struct hitop_link *pairs; /**< [npairs], set by set; node is the index of the set's link */
    int npairs;
    int *begin; /**< [nsets + 1] where the pairs of a set begin */
    int nsets;
    enum hitop_experiment what; /**< HITOP_ECHO or HITOP_REPLY, which each pair repeats */
    int is_probe;               /**< 1: one short pass is enough */
    /**
     * 1: if the budget is too short, the last sets have no points; 0: all sets have points unless
     * the measurement is interrupted.
     */
    int is_optional;
};

/**
 * Choose sets for all links whose hosts have ranks for two pairs or more. Each rank is in one pair
 * of a set. To be cleared, also on failure.
 */
HITOP_MUST_CHECK enum hitop_status hitop_pair_sets_choose(const struct hitop_hierarchy *h,
                                                          const struct hitop_link *links,
                                                          int nlinks, struct hitop_pair_plan *out,
                                                          struct hitop_diag *diag);
void hitop_pair_plan_clear(struct hitop_pair_plan *plan);

/** The measured times of the concurrent pairs of all links, at rank 0. */
struct hitop_pair_sets {
    struct hitop_pair_set *set;       /**< owned; by link, then by number of pairs */
    struct hitop_pair_set_list *list; /**< [nlinks], owned; those of each link */
    struct hitop_point *points;       /**< owned; the curves borrow them */
};

void hitop_pair_sets_clear(struct hitop_pair_sets *pair_sets);

/**
 * Measure all sets at the sizes of @p options, in a few passes in random order within its budget.
 * All processes call it, with the same plan. Passes that options->known contains are not measured
 * again; options->keep gets a batch for each pass of a set at a size, with the index of the set as
 * link and a sample of each pair.
 *
 * @param nlinks  links that the plan was chosen for
 * @param out     receives the result at rank 0, nothing elsewhere; to be cleared also on failure
 */
HITOP_MUST_CHECK enum hitop_status
hitop_pair_sets_measure(const struct hitop_transport *transport, const struct hitop_pair_plan *plan,
                        int nlinks, const struct hitop_measure_options *options,
                        struct hitop_pair_sets *out, struct hitop_diag *diag);

#endif /* CONCURRENT_PAIRS_H */
