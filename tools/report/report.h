/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef REPORT_H
#define REPORT_H

/* report.h - the guide that benchmark_report writes from results. */

#include "models/results/results.h"

#include <stdio.h>

/* REPORT_TEXT is a few lines; no suffix of a file name means it. */
enum report_format { REPORT_HTML, REPORT_MARKDOWN, REPORT_CSV, REPORT_JSON, REPORT_TEXT };

/* The format "html", "md", "csv" or "json", by name or by the suffix of a file name. -1: none of
 * them. */
int report_format_of(const char *name);
int report_format_of_file(const char *path);

/* Write the guide; HTML has figures if has_figures is 1. */
HITOP_MUST_CHECK enum hitop_status report_write(const struct results *report,
                                                enum report_format format, int has_figures,
                                                FILE *to, struct hitop_diag *diag);

/* Read one launch or several, and write the guide to a file that appears whole or not at all. */
HITOP_MUST_CHECK enum hitop_status report_make(const struct results_input *inputs, int ninputs,
                                               enum report_format format, int has_figures,
                                               const char *path, struct hitop_diag *diag);

/*
 * Write what changed between two days: the times of two inputs side by side. REPORT_TEXT has the
 * largest changes only, unless shows_all is 1. *nchanged: the number of times whose intervals do
 * not overlap.
 *
 * HITOP_ERR_FORMAT: an input is wrong, or they have no time in common.
 */
HITOP_MUST_CHECK enum hitop_status report_compare(const struct results_input inputs[2],
                                                  enum report_format format, int shows_all,
                                                  const char *path, int *nchanged,
                                                  struct hitop_diag *diag);

/* The description of an operation. */
struct report_operation {
    const char *name;  /* in the file */
    const char *title; /* in the guide */
    const char *call;
    const char *does;
    const char *size; /* what a size counts, e.g. "bytes of the vector" */
};

/* Returns a general description if the name is unknown. */
struct report_operation report_operation_of(const char *name);

#endif /* REPORT_H */
