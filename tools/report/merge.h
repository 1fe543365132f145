/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MERGE_H
#define MERGE_H

/* merge.h - the steps of merging launches. */

#include "tools/report/report.h"

/* The curve of the same operation and settings, the point of a size; NULL: there is none. */
const struct report_curve *merge_find_curve(const struct report *report,
                                            const struct report_curve *like);
const struct report_point *merge_find_point(const struct report_curve *curve, size_t bytes);

/* NULL: it is not told. */
const char *facts_find(const struct report *report, const char *key);

/* HITOP_ERR_FORMAT: a fact that makes the set-up differs. */
enum hitop_status facts_compare(const struct report *report, const char *name,
                                const struct report *other, const char *other_name,
                                struct hitop_diag *diag);

/*
 * Add the facts of all launches to those of the report: what they share, else the values that
 * differ.
 */
enum hitop_status facts_merge(struct report *report, const struct report_input *inputs,
                              struct hitop_diag *diag);

/* Warn where processors were not as far apart in all launches. */
enum hitop_status hops_compare(struct report *report, const struct report_input *inputs,
                               struct hitop_diag *diag);

/*
 * Warnings of all launches behind those of the report: what they say alike, but for numbers, once.
 */
enum hitop_status warnings_merge(struct report *report, const struct report_input *inputs,
                                 struct hitop_diag *diag);

#endif /* MERGE_H */
