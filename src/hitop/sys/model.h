/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_SYS_MODEL_H
#define HITOP_SYS_MODEL_H

/**
 * @file sys/model.h
 * @brief What a new point-to-point model implements. Stable within a minor release only.
 */

#include "hitop/model.h"
#include "hitop/param.h"

HITOP_BEGIN_DECLS

/** One measured point: the median one-way time of a message size. */
struct hitop_point {
    size_t bytes;
    double seconds; /**< median of the samples */
    double se;      /**< its standard error, > 0 */
    double lo, hi;  /**< distribution-free confidence interval of the median */
    int nsamples;   /**< samples behind the median */
    int converged;  /**< 1 when the stop rule was satisfied, 0 when it ran out of samples or time */
};

/** A fitted straight line y = a + b x, with a >= 0 and b >= 0. */
struct hitop_line {
    double a, b;
    double a_se, b_se;
    double a_lo, a_hi, b_lo, b_hi; /**< confidence intervals */
};

/**
 * The numerical tools a fit may use, handed down so that a formula file needs no numerical library.
 */
struct hitop_estimators {
    /** Weighted Theil-Sen line through the points; needs two different sizes. */
    enum hitop_status (*robust_line)(const struct hitop_point *points, size_t npoints,
                                     double confidence, struct hitop_line *out,
                                     struct hitop_diag *diag);
};

/** Where a fit puts its results: arrays of nparams numbers, owned by the caller. */
struct hitop_fit {
    double *params, *se, *lo, *hi;
};

/**
 * A model is a table of functions over a plain array of doubles. It has no state of its own, so it
 * needs no constructor, no destructor and no lock.
 */
struct hitop_model_type {
    const char *name;    /**< unique; equals the file name without "model_" */
    const char *summary; /**< one line for help texts: the formula */
    const struct hitop_param *params;
    size_t nparams;

    /** Required. One-way time of a message; finite, >= 0, non-decreasing in bytes. */
    double (*p2p)(const double *params, size_t bytes);

    /** Optional (NULL: equal to p2p). Time for which the sender is occupied; at most p2p. */
    double (*occupancy)(const double *params, size_t bytes);

    /** Optional (NULL: cannot be fitted). Estimate the parameters from measured points, which come by
     * ascending size. Reports HITOP_ERR_INVALID when the points do not determine them. */
    enum hitop_status (*fit)(const struct hitop_point *points, size_t npoints, double confidence,
                             const struct hitop_estimators *tools, struct hitop_fit *out,
                             struct hitop_diag *diag);

    /** Required. Short text for drawings, e.g. "200 us, 125 MB/s", from the parameters. */
    void (*label)(const double *params, char *out, size_t length);
};

/** NULL-terminated table of all compiled-in model types. */
HITOP_API const struct hitop_model_type *const *hitop_model_types(void);

/** Find a type by name. @retval HITOP_ERR_NOTFOUND  the message lists the valid names */
HITOP_API HITOP_MUST_CHECK enum hitop_status
hitop_model_type_find(const char *name, const struct hitop_model_type **out,
                      struct hitop_diag *diag);

HITOP_END_DECLS

#endif /* HITOP_SYS_MODEL_H */
