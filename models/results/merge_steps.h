/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MERGE_STEPS_H
#define MERGE_STEPS_H

/* merge_steps.h - the steps of merging launches. */

#include "models/results/results.h"

/*
 * Add the facts of all launches to those of the report: what they share, else the values that
 * differ.
 */
enum hitop_status hitop_results_merge_facts(struct results *report,
                                            const struct results_input *inputs,
                                            struct hitop_diag *diag);

/* Warn where processors were not as far apart in all launches. */
enum hitop_status hitop_results_compare_hops(struct results *report,
                                             const struct results_input *inputs,
                                             struct hitop_diag *diag);

/*
 * Warnings of all launches behind those of the report: what they say alike, but for numbers, once.
 */
enum hitop_status hitop_results_merge_warnings(struct results *report,
                                               const struct results_input *inputs,
                                               struct hitop_diag *diag);

#endif /* MERGE_STEPS_H */
