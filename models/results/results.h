/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef RESULTS_H
#define RESULTS_H

/*
 * results.h - the results of benchmark_collective, of one launch or of several.
 *
 * The input is text in the format hitop-benchmark, from files or from the tool that has just
 * measured it. The results of several launches of one set-up are merged: the time of a size is then
 * the median of the medians of the launches.
 */

#include "models/curves/curves.h"

/* Seconds; lo and hi bound the confidence interval at results.level. NaN: not reported. */
struct results_times {
    double median, lo, hi, min, q25, q75, q90, q99, max, mean;
};

struct results_point {
    size_t bytes;
    int repetitions, rejected;
    const char *state; /* "converged", ... */
    struct results_times time;
    double own_mean;  /* over ranks: mean time of a call; NaN: not reported */
    double wrong;     /* number of elements with a wrong value; NaN: not reported */
    double spread;    /* median time from the first start of a rank to the last; NaN: unknown */
    int slowest_rank; /* rank that is last most often; -1: not reported */
    double slowest_share;
    double one_way, both_ways; /* bandwidth in bytes per second; NaN: none */
    int checked;               /* -1: not reported */
    double apart;  /* largest over smallest median of the launches; 1 for a single one */
    double noise;  /* median |ln| of the ratio of two launches' medians; NaN: only one launch */
    double excess; /* deviation of launches over that implied by their intervals; NaN: unknown */
};

struct results_curve {
    const char *operation, *implementation, *root, *arrival, *cache, *timing, *type;
    int ranks, hosts;
    int root_rank; /* of a fixed root; -1: not reported */
    /* number of equal curves before it; above 0 if an implementation is compared with itself */
    int again;
    double noise;                 /* median of its points; NaN: only one launch */
    double hop_least, hop_most;   /* ns of a cache line before and after the curve; NaN: unknown */
    double interval;              /* seconds over which ranks arrive */
    struct results_point *points; /* owned; sorted by size */
    int npoints;
    int has_fit;
    struct hitop_curve_fit fit; /* of the points with a time above 0 */
    char why_not[256];          /* why the curve has no fit */
};

struct results_comparison {
    const char *operation, *a, *b, *verdict;
    int ranks;
    size_t bytes;
    double ratio, lo, hi;
};

/* Curves that differ only in their number of ranks. */
struct results_series {
    int first, n; /* range in results.curves */
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
    double noise_floor;        /* NaN: unknown */
    double level;              /* confidence level of the intervals of times */
    struct results **launches; /* owned: the merged results; NULL: none were merged */
    int nlaunches;             /* 1 if none were merged */
    /*
     * as in the file; after hitop_results_fit() sorted by operation, in the order of the file, then
     * by settings, then by ranks
     */
    struct results_curve *curves;
    int ncurves;
    struct results_comparison *comparisons;
    int ncomparisons;
    struct results_series *series; /* filled by hitop_results_fit() */
    int nseries;
    void *document; /* JSON that owns the strings; NULL: the launches own them */
};

enum { RESULTS_MAX_LAUNCHES = 64, RESULTS_WARNING = 1024 /* largest size of one in bytes */ };

/* An input of results. */
struct results_input {
    const char *name; /* for messages */
    char *text;
    size_t length;
};

/*
 * Read the results of one launch; name is for messages.
 * HITOP_ERR_FORMAT: the message has the JSON path. *out is NULL after a failure.
 */
HITOP_MUST_CHECK enum hitop_status hitop_results_parse(const char *name, const char *text,
                                                       size_t length, struct results **out,
                                                       struct hitop_diag *diag);
void hitop_results_free(struct results *report);

/*
 * Read n inputs; several are launches of one set-up and are merged. Sizes that some launches lack
 * are left out.
 *
 * HITOP_ERR_FORMAT: an input is malformed, set-ups differ, or two inputs are the same launch; the
 * message has the place or the difference. *out is NULL after a failure.
 */
HITOP_MUST_CHECK enum hitop_status hitop_results_read(const struct results_input *inputs, int n,
                                                      struct results **out,
                                                      struct hitop_diag *diag);

/* Add a warning, which is cut to RESULTS_WARNING bytes. */
HITOP_MUST_CHECK enum hitop_status hitop_results_warn(struct results *report,
                                                      struct hitop_diag *diag, const char *fmt, ...)
    HITOP_PRINTF(3, 4);

/* Whether two texts are equal; NULL equals "". */
int hitop_results_is_same_text(const char *a, const char *b);

/* Whether two curves have the same operation and settings; timing may differ. */
int hitop_results_is_same_curve(const struct results_curve *x, const struct results_curve *y);

/* Find the curve of the same operation and settings, or the point of a size; or NULL. */
const struct results_curve *hitop_results_find_curve(const struct results *report,
                                                     const struct results_curve *like);
const struct results_point *hitop_results_find_point(const struct results_curve *curve,
                                                     size_t bytes);

/* The value of a fact of the provenance; NULL: there is none. */
const char *hitop_results_fact(const struct results *report, const char *key);

/* The normalised time in seconds, median over launches, see models/clock/pace.h; NaN: unknown. */
double hitop_results_normalised(const struct results *results);

/* Compare the set-ups of two launches. HITOP_ERR_FORMAT: a fact of the set-up differs. */
enum hitop_status hitop_results_compare_facts(const struct results *report, const char *name,
                                              const struct results *other, const char *other_name,
                                              struct hitop_diag *diag);

/* Sort curves, group them into series, and fit curves and series. */
HITOP_MUST_CHECK enum hitop_status hitop_results_fit(struct results *report,
                                                     struct hitop_diag *diag);

#endif /* RESULTS_H */
