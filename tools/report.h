/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef REPORT_H
#define REPORT_H

/*
 * report.h - a benchmark's results and the guide made of them.
 *
 * Results come as text in the format hitop-benchmark, from a file or from the tool that has just measured them.
 */

#include "hitop/curve_fit.h"

#include <stdio.h>

/* Seconds. NaN: not told. */
struct report_times {
    double median, lo, hi, min, q25, q75, q90, q99, max, mean;
};

struct report_point {
    size_t bytes;
    int repetitions, rejected;
    const char *state; /* "converged", ... */
    struct report_times time;
    double own_mean; /* over ranks: mean of what a call takes there; NaN: not told */
    double wrong;    /* elements; NaN: not told */
    double
        spread; /* in the median, from the first rank's beginning to the last one's; NaN: not told */
    int slowest_rank; /* -1: not told */
    double slowest_share;
    double one_way, both_ways; /* bytes per second; NaN: none */
    int checked;               /* -1: not told */
};

struct report_curve {
    const char *operation, *implementation, *root, *arrival, *cache, *timing, *type;
    int ranks, hosts;
    double interval;             /* seconds over which ranks arrive */
    struct report_point *points; /* owned; by size */
    int npoints;
    int has_fit;
    struct hitop_curve_fit fit; /* of those points whose time is above 0 */
    char why_not[256];          /* where there is none */
};

struct report_comparison {
    const char *operation, *a, *b, *verdict;
    int ranks;
    size_t bytes;
    double ratio, lo, hi;
};

/* Curves that differ by their number of ranks only. */
struct report_series {
    int first, n; /* in report.curves */
    int has_fit;
    struct hitop_curve_fit fit;          /* of all numbers of ranks */
    const struct hitop_fit_basis *basis; /* NULL: none is known */
};

struct report_fact {
    char *key, *value; /* owned */
};

struct report {
    struct report_fact *facts; /* provenance, in the order of the file */
    int nfacts;
    const char **warnings;
    int nwarnings;
    double noise_floor; /* NaN: unknown */
    struct report_curve
        *curves; /* by operation as in the file, then what differs but for ranks, then ranks */
    int ncurves;
    struct report_comparison *comparisons;
    int ncomparisons;
    struct report_series *series; /* filled by report_fit() */
    int nseries;
    void *document; /* owns the strings */
};

/*
 * Read results. name stands in messages.
 * HITOP_ERR_FORMAT: the message has the JSON path; *out is NULL.
 */
HITOP_MUST_CHECK enum hitop_status report_parse(const char *name, const char *text, size_t length,
                                                struct report **out, struct hitop_diag *diag);
void report_free(struct report *report);

/* Group curves and fit them. */
HITOP_MUST_CHECK enum hitop_status report_fit(struct report *report, struct hitop_diag *diag);

enum report_format { REPORT_HTML, REPORT_MARKDOWN, REPORT_CSV, REPORT_NFORMATS };

/* "html", "md" or "csv"; or what a file name ends with. -1: none of them. */
int report_format_of(const char *name);
int report_format_of_file(const char *path);

/*
 * Write the guide. figures: 0 leaves them out of HTML. *drawn: 0 where gnuplot was missing or failed, and
 * diag says why; the guide is whole without them.
 */
HITOP_MUST_CHECK enum hitop_status report_write(const struct report *report,
                                                enum report_format format, int *drawn, FILE *to,
                                                struct hitop_diag *diag);

/* All of this in one go: a guide of results in memory, into a file that appears whole or not at all. */
HITOP_MUST_CHECK enum hitop_status report_make(const char *name, const char *text, size_t length,
                                               enum report_format format, const char *path,
                                               int *drawn, struct hitop_diag *diag);

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
