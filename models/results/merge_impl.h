/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MERGE_IMPL_H
#define MERGE_IMPL_H

/* merge_impl.h - the steps of merging n >= 2 launches of one set-up. */

#include "models/results/results.h"

/* Merge the points of one size; level is the confidence level of their intervals. */
void hitop_results_pool(const struct results_point *const *launch, int n, double level,
                        struct results_point *out);

/*
 * Rank k of the order statistics that bound an interval of the median: of the sorted medians of n
 * launches, the k-th smallest and the k-th largest one. It is valid for any distribution. 0: n is
 * too small for this level.
 */
int hitop_results_pool_rank(int n, double level);

/* The level of the merged intervals. */
double hitop_results_pool_level(int n, double level);

/* Set the facts of the report: the value of all launches, or a list of the different values. */
enum hitop_status hitop_results_merge_facts(struct results *report,
                                            const struct results_input *inputs,
                                            struct hitop_diag *diag);

/* Warn if times of cache lines, i.e. distances between processors, differ too much. */
enum hitop_status hitop_results_compare_hops(struct results *report,
                                             const struct results_input *inputs,
                                             struct hitop_diag *diag);

/* Add the warnings of all launches to the report; those that differ only in numbers become one. */
enum hitop_status hitop_results_merge_warnings(struct results *report,
                                               const struct results_input *inputs,
                                               struct hitop_diag *diag);

#endif /* MERGE_IMPL_H */
