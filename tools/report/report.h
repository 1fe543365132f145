/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef REPORT_H
#define REPORT_H

/* report.h - the guide that benchmark_report writes from results. */

#include "models/results/results.h"

#include <stdio.h>

enum report_format { REPORT_HTML, REPORT_MARKDOWN, REPORT_CSV, REPORT_NFORMATS };

/* A few lines for people. */
enum { REPORT_TEXT = REPORT_NFORMATS };

/* "html", "md" or "csv"; or what a file name ends with. -1: none of them. */
int report_format_of(const char *name);
int report_format_of_file(const char *path);

/*
 * Write the guide. figures: 0 leaves them out of HTML. *drawn: 0 where gnuplot was missing or failed, and
 * diag says why; the guide is whole without them.
 */
HITOP_MUST_CHECK enum hitop_status report_write(const struct results *report,
                                                enum report_format format, int *drawn, FILE *to,
                                                struct hitop_diag *diag);

/* All of this in one go: a guide of one launch or several, into a file that appears whole or not at all. */
HITOP_MUST_CHECK enum hitop_status report_make(const struct results_input *inputs, int ninputs,
                                               enum report_format format, const char *path,
                                               int *drawn, struct hitop_diag *diag);

/*
 * What changed between two days: the times of two inputs side by side, in a format or as REPORT_TEXT, which has the largest changes
 * unless shows_all. *nchanged: times whose intervals do not overlap.
 *
 * HITOP_ERR_FORMAT: an input is wrong, or they have no time in common.
 */
HITOP_MUST_CHECK enum hitop_status report_compare(const struct results_input inputs[2], int format,
                                                  int shows_all, const char *path, int *nchanged,
                                                  struct hitop_diag *diag);

/* What is known of an operation. */
struct report_operation {
    const char *name;  /* in the file */
    const char *title; /* in the guide */
    const char *call;
    const char *does;
    const char *size; /* what the size of a message is */
};

/* One without words of its own where the name is unknown. */
struct report_operation report_operation_of(const char *name);

#endif /* REPORT_H */
