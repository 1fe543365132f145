/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_SYS_MODEL_H
#define HITOP_SYS_MODEL_H

/**
 * @file sys/model.h
 * @brief Interface of a point-to-point model. Stable within a minor release only.
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
    int nsamples;   /**< number of samples */
    int converged;  /**< 1 if the stop rule was satisfied, 0 if samples or time ended */
    int nmodes;     /**< number of modes of the samples; 0: not computed */
};

/** The points of one experiment by ascending size; empty if it was not made. */
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

/** All measurements of one link. */
struct hitop_evidence {
    struct hitop_curve curve[HITOP_NEXPERIMENTS];
    const struct hitop_pair_set *pair_sets; /**< by ascending number of pairs, or NULL */
    size_t nsets;
    double confidence;       /**< wanted level of intervals, in (0, 1) */
    const double *from, *to; /**< parameters of the processors at its ends; NULL on one host or if
                                  unknown */
};

/** Measurements of one processor with two others, at some sizes. */
struct hitop_triple_evidence {
    struct hitop_curve fan;      /**< HITOP_FAN to both */
    struct hitop_curve reply[2]; /**< HITOP_REPLY of each */
};

/** A fitted straight line y = a + b x, with a >= 0 and b >= 0. */
struct hitop_line {
    double a, b;
    double a_se, b_se;
    double a_lo, a_hi, b_lo, b_hi; /**< confidence intervals */
};

/** Consecutive points on one line. */
struct hitop_segment {
    size_t first, last; /**< indices of points, both included */
    struct hitop_line line;
};

enum { HITOP_MAX_SEGMENTS = 6 };

/** Rates of one pair of ranks of two hosts, and of all their pairs together. */
struct hitop_max_rate {
    double latency;   /**< seconds */
    double core_rate; /**< bytes per second of one pair */
    double node_rate; /**< bytes per second of all pairs together */
    double pairs;     /**< number of pairs that reach node_rate: node_rate / core_rate */

    /** Standard errors; NaN for a rate that is only a lower bound, and then also for pairs. */
    double latency_se, core_se, node_se, pairs_se;
};

/** A time and its standard error. */
struct hitop_lmo_time {
    double seconds, se;
};

/** Measurements of one triple at one size, for the model "lmo". */
struct hitop_lmo_times {
    int from;    /**< index of the sending processor, which has the clock */
    int to[2];   /**< indices of the two others */
    int link[2]; /**< indices of the groups of links to them */
    size_t bytes;
    struct hitop_lmo_time fan;      /**< HITOP_FAN to both */
    struct hitop_lmo_time reply[2]; /**< HITOP_REPLY of each */
};

/** Times of a processor: seconds, and seconds per byte, with standard errors. */
struct hitop_lmo_numbers {
    double fixed, per_byte;
    double fixed_se, per_byte_se;
};

/**
 * Numerical functions for fits, passed as pointers so that a formula file needs no numerical
 * library.
 */
struct hitop_estimators {
    /**
     * The line through all points of a link, by the method of `--fit`; needs two different sizes.
     */
    enum hitop_status (*line)(const struct hitop_point *points, size_t npoints, double confidence,
                              struct hitop_line *out, struct hitop_diag *diag);

    /** Weighted Theil-Sen line through the points; needs two different sizes. */
    enum hitop_status (*robust_line)(const struct hitop_point *points, size_t npoints,
                                     double confidence, struct hitop_line *out,
                                     struct hitop_diag *diag);

    /** Median of @p n numbers, at least one; reorders them. */
    double (*median)(double *values, int n);

    /** Half width of an interval of the normal distribution, in standard errors; 1.96 for 0.95. */
    double (*normal_width)(double confidence);

    /**
     * Piecewise lines, as many as the points support. @p out has room for HITOP_MAX_SEGMENTS;
     * *nsegments is at least 1.
     */
    enum hitop_status (*segments)(const struct hitop_point *points, size_t npoints,
                                  double confidence, struct hitop_segment *out, size_t *nsegments,
                                  struct hitop_diag *diag);

    /** Rates of one pair of ranks and of their hosts; needs two numbers of pairs. */
    enum hitop_status (*max_rate)(const struct hitop_pair_set *pair_sets, size_t nsets,
                                  struct hitop_max_rate *out, struct hitop_diag *diag);

    /**
     * Median of the maximum of two times with these medians, and its standard error.
     */
    double (*later)(const struct hitop_point *a, const struct hitop_point *b, double *error);

    /** Numbers of processors from all times of all triples. */
    enum hitop_status (*refine_lmo)(const struct hitop_lmo_times *times, size_t ntimes,
                                    struct hitop_lmo_numbers *processors, size_t nprocessors,
                                    size_t nlinks, double *unlike, struct hitop_diag *diag);
};

/** Results of a fit; memory of the caller. */
struct hitop_fit {
    double *params, *se, *lo, *hi; /**< nparams numbers each */
    double *table;                 /**< room for max_rows rows of ncolumns numbers */
    size_t max_rows;               /**< at least the number of points of all curves together */
    size_t nrows;                  /**< rows written */
};

/** The parameters of a message between two ranks. Borrowed; parameters that a type lacks are NULL.
 */
struct hitop_terms {
    const double *link;      /**< params of the class of links */
    const double *table;     /**< nrows x ncolumns numbers, by row; first column ascending */
    size_t nrows;            /**< at least one if the type has columns */
    const double *from, *to; /**< processor_params of sender and receiver; NULL on one host */
};

/**
 * A model is a table of functions over plain arrays of doubles. It has no state of its own, so it
 * needs no constructor, no destructor and no lock.
 *
 * A model has up to four kinds of numbers: parameters of each class of links; a table of any length
 * for each class of links; parameters of each class of processors; parameters of collectives.
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
     * Of the whole machine, for collectives whose times differ from those of their messages; each
     * may be unknown in a model.
     */
    const struct hitop_param *collective_params;
    size_t ncollective_params;

    /** Required. One-way time of a message; finite, >= 0. */
    double (*p2p)(const struct hitop_terms *terms, size_t bytes);

    /**
     * 1: for all parameters a larger message takes at least as long. 0: it may take less, as in a
     * table of measured times.
     */
    int grows;

    /** Optional (NULL: equal to p2p). Time for which the sender is occupied; at most p2p. */
    double (*occupancy)(const struct hitop_terms *terms, size_t bytes);

    /**
     * Optional (NULL: equal to occupancy). Time at the end of p2p for which the receiver cannot
     * receive another message; at most p2p.
     */
    double (*reception)(const struct hitop_terms *terms, size_t bytes);

    /**
     * Optional (NULL: independent of the size). The part of occupancy and of reception that the
     * processors need; the rest belongs to a network card that the ranks of a host share.
     */
    double (*send_overhead)(const struct hitop_terms *terms, size_t bytes);
    double (*receive_overhead)(const struct hitop_terms *terms, size_t bytes);

    /**
     * Optional (NULL: unknown). Largest eager size: longer messages take at least a latency more
     * for a handshake. HITOP_ALL_SIZES: all are eager.
     */
    size_t (*eager)(const struct hitop_terms *terms);

    /** Experiments that fit needs: a sum of HITOP_SET(HITOP_ECHO) and the like. */
    unsigned int needs;

    /** 1: fit also needs pair sets, if hosts have ranks for them. */
    int needs_pair_sets;

    /**
     * Optional (NULL: cannot be fitted). Estimate the parameters of a link from its measurements.
     * Reports HITOP_ERR_INVALID if the points do not determine them.
     */
    enum hitop_status (*fit)(const struct hitop_evidence *evidence,
                             const struct hitop_estimators *tools, struct hitop_fit *out,
                             struct hitop_diag *diag);

    /**
     * Required for a fit with processor_params: those of one processor, from all triples
     * in which it was the sender; at least one. The table of @p out is not used.
     */
    enum hitop_status (*fit_processor)(const struct hitop_triple_evidence *triples, size_t ntriples,
                                       double confidence, const struct hitop_estimators *tools,
                                       struct hitop_fit *out, struct hitop_diag *diag);

    /**
     * Optional. Refine the results of fit_processor for all processors by the times of all
     * triples together, whose links belong to @p nlinks groups.
     */
    enum hitop_status (*refine_processors)(const struct hitop_lmo_times *times, size_t ntimes,
                                           size_t nlinks, double confidence,
                                           const struct hitop_estimators *tools,
                                           struct hitop_fit *processors, size_t nprocessors,
                                           struct hitop_diag *diag);

    /**
     * Optional. Limit the parameters of the processors at the ends of a link so that the model can
     * reproduce the measured times of the link.
     */
    enum hitop_status (*bound_processors)(const struct hitop_evidence *evidence,
                                          const struct hitop_estimators *tools,
                                          const struct hitop_fit *from, const struct hitop_fit *to,
                                          struct hitop_diag *diag);

    /** Required. Short text for drawings, e.g. "200 us, 125 MB/s"; processor terms are NULL. */
    void (*label)(const struct hitop_terms *terms, char *out, size_t length);
};

/** NULL-terminated table of all model types. */
HITOP_API const struct hitop_model_type *const *hitop_model_types(void);

/**
 * Append a type of a program to the table; model files may then name it. Call it before other
 * threads use the library. Repeated calls with the same type succeed.
 *
 * @param type  must be valid as long as the program
 * @retval HITOP_ERR_INVALID      its name is used or not allowed, a required member is missing, or
 *                                a table of parameters is wrong; the message says which
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
