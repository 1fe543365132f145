/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef VALIDATE_H
#define VALIDATE_H

/* validate.h - options of validate_model, and what writes and reads its results. */

#include "models/clock/timing.h"
#include "models/validate/report.h"
#include "tools/common/tool.h"

enum validate_format { VALIDATE_TEXT, VALIDATE_CSV, VALIDATE_JSON };

/* Options of validate_model. */
struct validate_options {
    struct validate_request request;   /* request.command is to be freed */
    const struct hitop_timing *timing; /* of patterns and collectives */
    const char *output;                /* -o */
    enum validate_format format;
    const char *earlier[VALIDATE_MOST_LAUNCHES - 1]; /* results of earlier launches */
    int nearlier;
    int ignore_hosts, progress, quiet;
    int strict; /* --strict: the verdict becomes the exit status */
};

/* Write the report. */
void validate_print_text(const struct validate_report *report, FILE *out);
void validate_print_csv(const struct validate_report *report, FILE *out);
HITOP_MUST_CHECK enum hitop_status validate_print_json(const struct validate_report *report,
                                                       FILE *out, struct hitop_diag *diag);

/* Times of earlier launches, from what validate_print_json() has written. */
struct validate_earlier;

/*
 * Read the results of earlier launches. A file of other ranks, hosts or MPI libraries than those of
 * the report is refused, and so is a launch that is given twice.
 *
 * HITOP_ERR_IO, HITOP_ERR_FORMAT: the message names file and place.
 */
HITOP_MUST_CHECK enum hitop_status validate_earlier_read(const struct validate_options *options,
                                                         const struct validate_report *now,
                                                         struct validate_earlier **out,
                                                         struct hitop_diag *diag);
void validate_earlier_free(struct validate_earlier *earlier);

/*
 * Add their times to the samples for the same measurement; HITOP_ERR_FORMAT: a file has no such
 * time.
 */
HITOP_MUST_CHECK enum hitop_status validate_earlier_add(const struct validate_earlier *earlier,
                                                        struct validate_sample *samples, int n,
                                                        struct hitop_diag *diag);

/* Run the comparison in an MPI job. All ranks call it; it returns the exit status. */
int validate_job(struct tool *tool, const struct validate_options *options);

#endif /* VALIDATE_H */
