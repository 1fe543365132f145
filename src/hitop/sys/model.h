/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_SYS_MODEL_H
#define HITOP_SYS_MODEL_H

/**
 * @file sys/model.h
 * @brief What a new point-to-point model implements. Stable within a minor release only.
 */

#include "hitop/experiment.h"
#include "hitop/model.h"
#include "hitop/param.h"

HITOP_BEGIN_DECLS

/** One measured point: the median time at a message size. */
struct hitop_point {
    size_t bytes;
    double seconds; /**< median of the samples */
    double se;      /**< its standard error, > 0 */
    double lo, hi;  /**< distribution-free confidence interval of the median */
    int nsamples;   /**< samples behind the median */
    int converged;  /**< 1 when the stop rule was satisfied, 0 when it ran out of samples or time */
    int nmodes;     /**< values that the samples gather about; 0: not computed */
};

/** The points of one experiment by ascending size; none where it was not made. */
struct hitop_curve {
    const struct hitop_point *points;
    size_t npoints;
};

/** Echoes of concurrent pairs of ranks of two hosts; each rank is in one pair. */
struct hitop_pair_set {
    int pairs; /**< at least 1 */
    struct hitop_curve curve;
};

/** Pair sets of one link, by ascending number of pairs. */
struct hitop_pair_set_list {
    const struct hitop_pair_set *set;
    size_t n;
};

/** All that is known of one link. */
struct hitop_evidence {
    struct hitop_curve curve[HITOP_NEXPERIMENTS];
    const struct hitop_pair_set *pair_sets; /**< by ascending number of pairs, or NULL */
    size_t nsets;
    double confidence; /**< wanted level of intervals, in (0, 1) */
    const double *from,
        *to; /**< parameters of the processors at its ends; NULL on one host, and where
                                unknown */
};

/** What one processor measured with two others, at some sizes. */
struct hitop_triple_evidence {
    struct hitop_curve fan;      /**< HITOP_FAN to both */
    struct hitop_curve reply[2]; /**< HITOP_REPLY of either */
};

/** A fitted straight line y = a + b x, with a >= 0 and b >= 0. */
struct hitop_line {
    double a, b;
    double a_se, b_se;
    double a_lo, a_hi, b_lo, b_hi; /**< confidence intervals */
};

/** A stretch of points that are on one line. */
struct hitop_segment {
    size_t first, last; /**< indices of points, both included */
    struct hitop_line line;
};

enum { HITOP_MAX_SEGMENTS = 6 };

/** What one pair of ranks of two hosts reaches, and what all their pairs reach together. */
struct hitop_max_rate {
    double latency;   /**< seconds */
    double core_rate; /**< bytes per second of one pair */
    double node_rate; /**< bytes per second of all pairs together */
    double pairs;     /**< that reach it: node_rate / core_rate */

    /**
     * Standard errors. NaN of a rate that is at least what is said, because it limits nowhere, and
     * then also of pairs.
     */
    double latency_se, core_se, node_se, pairs_se;
};

/** A time and its standard error. */
struct hitop_lmo_time {
    double seconds, se;
};

/** What one triple measured at one size, for the model "lmo". */
struct hitop_lmo_times {
    int from;    /**< index of the processor that led, and has the clock */
    int to[2];   /**< those of the two others */
    int link[2]; /**< indices of the groups of links to them */
    size_t bytes;
    struct hitop_lmo_time fan;      /**< HITOP_FAN to both */
    struct hitop_lmo_time reply[2]; /**< HITOP_REPLY of either */
};

/** What a processor takes: seconds, and seconds per byte, with standard errors. */
struct hitop_lmo_numbers {
    double fixed, per_byte;
    double fixed_se, per_byte_se;
};

/**
 * The numerical tools a fit may use, handed down so that a formula file needs no numerical library.
 */
struct hitop_estimators {
    /**
     * The line through all points of a link, in the way that the user wants; needs two different
     * sizes.
     */
    enum hitop_status (*line)(const struct hitop_point *points, size_t npoints, double confidence,
                              struct hitop_line *out, struct hitop_diag *diag);

    /** Weighted Theil-Sen line through the points; needs two different sizes. */
    enum hitop_status (*robust_line)(const struct hitop_point *points, size_t npoints,
                                     double confidence, struct hitop_line *out,
                                     struct hitop_diag *diag);

    /** Median of @p n numbers, at least one; reorders them. */
    double (*median)(double *values, int n);

    /** Half the width of an interval of a normal law, in standard errors; 1.96 for 0.95. */
    double (*normal_width)(double confidence);

    /** Lines through stretches of points, as many as the points ask for. @p out has room for
     * HITOP_MAX_SEGMENTS; *nsegments is at least 1. */
    enum hitop_status (*segments)(const struct hitop_point *points, size_t npoints,
                                  double confidence, struct hitop_segment *out, size_t *nsegments,
                                  struct hitop_diag *diag);

    /** Rates of one pair of ranks and of their hosts; needs two numbers of pairs. */
    enum hitop_status (*max_rate)(const struct hitop_pair_set *pair_sets, size_t nsets,
                                  struct hitop_max_rate *out, struct hitop_diag *diag);

    /**
     * Median of the later one of two times of which the medians are known, and its standard error.
     */
    double (*later)(const struct hitop_point *a, const struct hitop_point *b, double *error);

    /** Numbers of processors from all times of all triples. */
    enum hitop_status (*refine_lmo)(const struct hitop_lmo_times *times, size_t ntimes,
                                    struct hitop_lmo_numbers *processors, size_t nprocessors,
                                    size_t nlinks, double *unlike, struct hitop_diag *diag);
};

/** Where a fit puts its results; memory of the caller. */
struct hitop_fit {
    double *params, *se, *lo, *hi; /**< nparams numbers each */
    double *table;                 /**< room for max_rows rows of ncolumns numbers */
    size_t max_rows;               /**< at least the number of points of all curves together */
    size_t nrows;                  /**< rows written */
};

/** What prices a message from one rank to another. Lent by the model; what a type lacks is NULL. */
struct hitop_terms {
    const double *link;  /**< params of the class of links */
    const double *table; /**< nrows x ncolumns numbers, by row; first column ascending */
    size_t nrows;        /**< at least one where the type has columns */
    const double *from,
        *to; /**< processor_params of the sender and of the receiver; NULL on one host */
};

/**
 * A model is a table of functions over plain arrays of doubles. It has no state of its own, so it
 * needs no constructor, no destructor and no lock.
 *
 * Up to four kinds of numbers make a model: some for each class of links; a table of any length for
 * each class of links; some for each class of processors, whatever the link; some for collectives.
 */
struct hitop_model_type {
    const char *name;    /**< unique; equals the file name without "model_" */
    const char *summary; /**< one line for help texts: the formula */
    const struct hitop_param *params;
    size_t nparams;

    /** Columns of the table; the first one is a size in bytes and ascends from row to row. */
    const struct hitop_param *columns;
    size_t ncolumns; /**< 0: no table */

    const struct hitop_param *processor_params;
    size_t nprocessor_params; /**< 0: all processors are alike */

    /**
     * Of the machine as a whole, for collectives that do not behave as their messages would alone;
     * in a model each may be unknown.
     */
    const struct hitop_param *collective_params;
    size_t ncollective_params;

    /** Required. One-way time of a message; finite, >= 0. */
    double (*p2p)(const struct hitop_terms *terms, size_t bytes);

    /**
     * 1: whatever the numbers, a larger message never takes less. What was measured size by size
     * may.
     */
    int grows;

    /** Optional (NULL: equal to p2p). Time for which the sender is occupied; at most p2p. */
    double (*occupancy)(const struct hitop_terms *terms, size_t bytes);

    /**
     * Optional (NULL: equal to occupancy). Time at the end of p2p for which the receiver can
     * receive nothing else; at most p2p.
     */
    double (*reception)(const struct hitop_terms *terms, size_t bytes);

    /**
     * Optional (NULL: none that grows with the size). What of occupancy and of reception the
     * processors take, where the rest belongs to a network card that the ranks of a host share.
     */
    double (*send_overhead)(const struct hitop_terms *terms, size_t bytes);
    double (*receive_overhead)(const struct hitop_terms *terms, size_t bytes);

    /**
     * Optional (NULL: the numbers do not say). Largest size that is sent eagerly: longer messages
     * take at least a latency more, since a handshake goes before them. HITOP_ALL_SIZES: none does.
     */
    size_t (*eager)(const struct hitop_terms *terms);

    /** Experiments that fit needs: a sum of 1u << HITOP_ECHO and the like. */
    unsigned int needs;

    /** 1: pair sets are needed as well, where hosts have ranks for them. */
    int needs_pair_sets;

    /**
     * Optional (NULL: cannot be fitted). Estimate the numbers of a link from what was measured
     * there. Reports HITOP_ERR_INVALID when the points do not determine them.
     */
    enum hitop_status (*fit)(const struct hitop_evidence *evidence,
                             const struct hitop_estimators *tools, struct hitop_fit *out,
                             struct hitop_diag *diag);

    /**
     * Required for a fit where there are processor_params: those of one processor, from all triples
     * that it led; at least one. The table of @p out is not used.
     */
    enum hitop_status (*fit_processor)(const struct hitop_triple_evidence *triples, size_t ntriples,
                                       double confidence, const struct hitop_estimators *tools,
                                       struct hitop_fit *out, struct hitop_diag *diag);

    /**
     * Optional. Refine what fit_processor found, one fit for each processor, by the times of all
     * triples together, whose links belong to @p nlinks groups.
     */
    enum hitop_status (*refine_processors)(const struct hitop_lmo_times *times, size_t ntimes,
                                           size_t nlinks, double confidence,
                                           const struct hitop_estimators *tools,
                                           struct hitop_fit *processors, size_t nprocessors,
                                           struct hitop_diag *diag);

    /**
     * Optional. Make the parameters of the processors at the ends of a link no larger than the
     * link's own measurements allow, so that the price of the link can be what was measured.
     */
    enum hitop_status (*bound_processors)(const struct hitop_evidence *evidence,
                                          const struct hitop_estimators *tools,
                                          const struct hitop_fit *from, const struct hitop_fit *to,
                                          struct hitop_diag *diag);

    /** Required. Short text for drawings, e.g. "200 us, 125 MB/s"; terms of processors are NULL. */
    void (*label)(const struct hitop_terms *terms, char *out, size_t length);
};

/** NULL-terminated table of all model types. */
HITOP_API const struct hitop_model_type *const *hitop_model_types(void);

/**
 * Add a type of the program's own to the table, behind those that are there: model files may name
 * it from then on. To be called before other threads use the library; once more with the same type
 * is fine.
 *
 * @param type  must live as long as the program
 * @retval HITOP_ERR_INVALID      its name is taken or is none, something required is missing, or a table of parameters is
 *                                wrong; the message says which
 * @retval HITOP_ERR_UNSUPPORTED  HITOP_PRIVATE_MAX types have been added already
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status
hitop_model_type_register(const struct hitop_model_type *type, struct hitop_diag *diag);

/** Find a type by name. @retval HITOP_ERR_NOTFOUND  the message lists the valid names */
HITOP_API HITOP_MUST_CHECK enum hitop_status
hitop_model_type_find(const char *name, const struct hitop_model_type **out,
                      struct hitop_diag *diag);

HITOP_END_DECLS

#endif /* HITOP_SYS_MODEL_H */
