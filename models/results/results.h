/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef RESULTS_H
#define RESULTS_H

/*
 * results.h - the results of benchmark_collective, of one launch or of several.
 *
 * Results come as text in the format hitop-benchmark, from files or from the tool that has just
 * measured them. The results of several launches of one set-up are merged: the time of a size is
 * then the median of the medians of the launches.
 */

#include "models/curves/curves.h"

/* Seconds; lo and hi are the interval of report.level. NaN: not reported. */
struct results_times {
    double median, lo, hi, min, q25, q75, q90, q99, max, mean;
};

struct results_point {
    size_t bytes;
    int repetitions, rejected;
    const char *state; /* "converged", ... */
    struct results_times time;
    double own_mean;  /* over ranks: mean time of a call; NaN: not reported */
    double wrong;     /* elements; NaN: not reported */
    double spread;    /* median, from the first start to the last; NaN: unknown */
    int slowest_rank; /* -1: not reported */
    double slowest_share;
    double one_way, both_ways; /* bytes per second; NaN: none */
    int checked;               /* -1: not reported */
    double apart;  /* largest over smallest median of the launches; 1 for a single one */
    double noise;  /* median |ln| of the ratio of the medians of two launches; NaN: there is one */
    double excess; /* how much launches differ, relative to their intervals; NaN: unknown */
};

struct results_curve {
    const char *operation, *implementation, *root, *arrival, *cache, *timing, *type;
    int ranks, hosts;
    int root_rank; /* of a fixed root; -1: not reported */
    /* number of equal curves before it; above 0 if an implementation was compared with itself */
    int again;
    double noise;                 /* of its points, the median; NaN: there is one launch */
    double hop_least, hop_most;   /* ns of a cache line, before and after it; NaN: not reported */
    double interval;              /* seconds over which ranks arrive */
    struct results_point *points; /* owned; by size */
    int npoints;
    int has_fit;
    struct hitop_curve_fit fit; /* of the points with a time above 0 */
    char why_not[256];          /* where there is none */
};

struct results_comparison {
    const char *operation, *a, *b, *verdict;
    int ranks;
    size_t bytes;
    double ratio, lo, hi;
};

/* Curves that differ by their number of ranks only. */
struct results_series {
    int first, n; /* in report.curves */
    int has_fit;
    struct hitop_curve_fit fit;          /* of all numbers of ranks */
    const struct hitop_fit_basis *basis; /* NULL: none is known */
};

struct results_fact {
    char *key, *value; /* owned */
};

struct results {
    struct results_fact *facts; /* provenance, in the order of the file */
    int nfacts;
    char **warnings; /* owned */
    int nwarnings;
    double noise_floor; /* NaN: unknown */
    double level;       /* of the intervals of times: at least so many hold the true median */
    struct results **launches; /* owned: what was merged; NULL: nothing */
    int nlaunches;             /* 1 where nothing was */
    struct results_curve
        *curves; /* by operation as in the file, then what differs but for ranks, then ranks */
    int ncurves;
    struct results_comparison *comparisons;
    int ncomparisons;
    struct results_series *series; /* filled by hitop_results_fit() */
    int nseries;
    void *document; /* owns the strings; NULL: the launches do */
};

enum { RESULTS_MAX_LAUNCHES = 64, RESULTS_WARNING = 1024 /* bytes, at most, of one */ };

/* An input of results. */
struct results_input {
    const char *name; /* for messages */
    char *text;
    size_t length;
};

/*
 * Read results. name stands in messages.
 * HITOP_ERR_FORMAT: the message has the JSON path; *out is NULL.
 */
HITOP_MUST_CHECK enum hitop_status hitop_results_parse(const char *name, const char *text,
                                                       size_t length, struct results **out,
                                                       struct hitop_diag *diag);
void hitop_results_free(struct results *report);

/*
 * Read one input, or n launches of one set-up as one result. Sizes that some launches lack are left
 * out.
 *
 * HITOP_ERR_FORMAT: an input is wrong, set-ups differ, or two launches are the same one; the
 * message has the place or the difference. *out is NULL.
 */
HITOP_MUST_CHECK enum hitop_status hitop_results_read(const struct results_input *inputs, int n,
                                                      struct results **out,
                                                      struct hitop_diag *diag);

/* Add a warning. HITOP_ERR_NOMEM. */
HITOP_MUST_CHECK enum hitop_status hitop_results_warn(struct results *report,
                                                      struct hitop_diag *diag, const char *fmt, ...)
    HITOP_PRINTF(3, 4);

/* Whether two texts are equal; NULL equals "". */
int hitop_results_is_same_text(const char *a, const char *b);

/* Whether two curves have the same operation and settings, except the timing. */
int hitop_results_is_same_curve(const struct results_curve *x, const struct results_curve *y);

/* The curve of the same operation and settings, the point of a size; NULL: there is none. */
const struct results_curve *hitop_results_find_curve(const struct results *report,
                                                     const struct results_curve *like);
const struct results_point *hitop_results_find_point(const struct results_curve *curve,
                                                     size_t bytes);

/* A fact of the provenance; NULL: there is none. */
const char *hitop_results_fact(const struct results *report, const char *key);

/* HITOP_ERR_FORMAT: a fact that makes the set-up differs. */
enum hitop_status hitop_results_compare_facts(const struct results *report, const char *name,
                                              const struct results *other, const char *other_name,
                                              struct hitop_diag *diag);

/* Group curves and fit them. */
HITOP_MUST_CHECK enum hitop_status hitop_results_fit(struct results *report,
                                                     struct hitop_diag *diag);

#endif /* RESULTS_H */
