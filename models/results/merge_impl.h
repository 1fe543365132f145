/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MERGE_IMPL_H
#define MERGE_IMPL_H

/* merge_impl.h - the steps of merging n >= 2 launches of one set-up. */

#include "models/results/results.h"

/* Merge the points of one size; level is that of their intervals. */
void hitop_results_pool(const struct results_point *const *launch, int n, double level,
                        struct results_point *out);

/* The index, from 1 and from either end, of the sorted medians of n launches that bound an interval
 * of the median of all launches at that level, for any distribution. 0: n is too small. */
int hitop_results_pool_rank(int n, double level);

/* The level of the merged intervals. */
double hitop_results_pool_level(int n, double level);

/* Add the facts of all launches to those of the report: a common value, or the different ones. */
enum hitop_status hitop_results_merge_facts(struct results *report,
                                            const struct results_input *inputs,
                                            struct hitop_diag *diag);

/* Warn if the distance between processors differed. */
enum hitop_status hitop_results_compare_hops(struct results *report,
                                             const struct results_input *inputs,
                                             struct hitop_diag *diag);

/* Add the warnings of all launches to those of the report; warnings that differ in numbers only
 * become one. */
enum hitop_status hitop_results_merge_warnings(struct results *report,
                                               const struct results_input *inputs,
                                               struct hitop_diag *diag);

#endif /* MERGE_IMPL_H */
