/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef REPORT_H
#define REPORT_H

/*
 * report.h - a benchmark's results and the guide made of them.
 *
 * Results come as text in the format hitop-benchmark, from files or from the tool that has just measured them. Those of
 * several launches of one set-up are merged: the time of a size is the median of the launches' medians then.
 */

#include "models/curves/curves.h"

#include <stdio.h>

/* Seconds; lo and hi are the interval of report.level. NaN: not told. */
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
    double apart;  /* largest over smallest median of the launches; 1 for a single one */
    double noise;  /* median |ln| of the ratio of the medians of two launches; NaN: there is one */
    double excess; /* how launches differ, over how their intervals let them; NaN: not known */
};

struct report_curve {
    const char *operation, *implementation, *root, *arrival, *cache, *timing, *type;
    int ranks, hosts;
    int root_rank; /* of a fixed root; -1: not told */
    int again; /* how many before it are alike: above 0 where something was compared with itself */
    double noise;                /* of its points, the median; NaN: there is one launch */
    double hop_least, hop_most;  /* ns of a cache line, before and after it; NaN: not told */
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
    char **warnings; /* owned */
    int nwarnings;
    double noise_floor;       /* NaN: unknown */
    double level;             /* of the intervals of times: at least so many hold the true median */
    struct report **launches; /* owned: what was merged; NULL: nothing */
    int nlaunches;            /* 1 where nothing was */
    struct report_curve
        *curves; /* by operation as in the file, then what differs but for ranks, then ranks */
    int ncurves;
    struct report_comparison *comparisons;
    int ncomparisons;
    struct report_series *series; /* filled by report_fit() */
    int nseries;
    void *document; /* owns the strings; NULL: the launches do */
};

enum { REPORT_MAX_LAUNCHES = 64, REPORT_WARNING = 1024 /* bytes, at most, of one */ };

/* Results as they come. */
struct report_input {
    const char *name; /* stands in messages */
    char *text;
    size_t length;
};

/*
 * Read results. name stands in messages.
 * HITOP_ERR_FORMAT: the message has the JSON path; *out is NULL.
 */
HITOP_MUST_CHECK enum hitop_status report_parse(const char *name, const char *text, size_t length,
                                                struct report **out, struct hitop_diag *diag);
void report_free(struct report *report);

/*
 * Several launches of one set-up as one report, n >= 2; they belong to it then, also on failure. Sizes that some launches lack are
 * left out.
 *
 * HITOP_ERR_FORMAT: set-ups differ, or two launches are one; the message names what differs.
 */
HITOP_MUST_CHECK enum hitop_status report_merge(struct report **launches,
                                                const struct report_input *inputs, int n,
                                                struct report **out, struct hitop_diag *diag);

/* Add a warning. HITOP_ERR_NOMEM. */
HITOP_MUST_CHECK enum hitop_status report_warn(struct report *report, struct hitop_diag *diag,
                                               const char *fmt, ...) HITOP_PRINTF(3, 4);

/* Whether two texts are alike; NULL is as "". */
int report_is_same_text(const char *a, const char *b);

/* Whether two curves are of one operation in one set-up; how calls are timed is found out in each launch. */
int report_is_same_curve(const struct report_curve *x, const struct report_curve *y);

/* Group curves and fit them. */
HITOP_MUST_CHECK enum hitop_status report_fit(struct report *report, struct hitop_diag *diag);

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
HITOP_MUST_CHECK enum hitop_status report_write(const struct report *report,
                                                enum report_format format, int *drawn, FILE *to,
                                                struct hitop_diag *diag);

/* All of this in one go: a guide of one launch or several, into a file that appears whole or not at all. */
HITOP_MUST_CHECK enum hitop_status report_make(const struct report_input *inputs, int ninputs,
                                               enum report_format format, const char *path,
                                               int *drawn, struct hitop_diag *diag);

/*
 * What changed between two days: the times of two inputs side by side, in a format or as REPORT_TEXT, which has the largest changes
 * unless shows_all. *nchanged: times whose intervals do not overlap.
 *
 * HITOP_ERR_FORMAT: an input is wrong, or they have no time in common.
 */
HITOP_MUST_CHECK enum hitop_status report_compare(const struct report_input inputs[2], int format,
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
