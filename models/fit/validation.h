/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef VALIDATION_H
#define VALIDATION_H

/**
 * @file validation.h
 * @brief Errors of models at measurements that are left out of their fit.
 *
 * An error is the logarithm of predicted over measured time, which needs no weights for sizes and
 * treats too long and too short alike; figures are shown as relative deviations, exp(error) - 1. A
 * coefficient of determination is not offered: it says 0.99 of models that are wrong by 100 % for
 * short messages.
 */

#include "hitop/measure.h"

/** A summary of errors, as relative deviations. */
struct hitop_errors {
    int n;
    double median, q90, largest; /**< of the absolute errors; 0 when there are none */
    double bias;                 /**< of their mean, with its sign */
};

/** Sum up @p n logarithms of ratios, which become sorted absolute values. */
struct hitop_errors hitop_errors_of(double *log_ratios, int n);

/** Measurements by which models are compared. */
struct hitop_findings {
    const struct hitop_hierarchy *hierarchy;
    struct hitop_measured links;
    const struct hitop_measured *triples; /**< or NULL */
    const struct hitop_measured *pairs;   /**< links that no fit shall see, or NULL */
};

/** The result of a model type with these findings. */
struct hitop_trial {
    const struct hitop_model_type *type;
    enum hitop_status status;     /**< other than HITOP_OK: it could not be fitted */
    struct hitop_diag diag;       /**< and why */
    size_t nnumbers;              /**< numbers that make the model: fewer is simpler */
    struct hitop_errors sizes;    /**< every fourth size left out of the fit */
    struct hitop_errors pairs;    /**< those of the findings */
    struct hitop_errors patterns; /**< one sender to two receivers, triples left out of the fit */
    struct hitop_errors all;      /**< the three together */
};

/**
 * Fit a type to a part of the findings and compare it with the others. What cannot be fitted is a
 * result, not a failure.
 *
 * @retval HITOP_ERR_NOMEM  out of memory
 */
HITOP_MUST_CHECK enum hitop_status hitop_try_type(const struct hitop_model_type *type,
                                                  const struct hitop_findings *findings,
                                                  struct hitop_trial *out, struct hitop_diag *diag);

/**
 * The simplest trial with a 90 % error within 10 % of the best one, or within @p floor of it, where
 * models cannot be distinguished.
 *
 * @return its index, or -1 when none could be fitted
 */
int hitop_choose_trial(const struct hitop_trial *trials, int n, double floor);

/**
 * Two formulas compared at every fourth size, left out of both fits. Errors are |ln(predicted /
 * measured)|.
 */
struct hitop_preference {
    int n;           /**< times that both predict; 0: too few sizes to decide */
    double error[2]; /**< weighted mean error of either, the simpler formula first */
    double gain;     /**< by how much that of the richer one is smaller */
    double spread;   /**< what the uncertainty of the measured times explains of the gain */
    int is_richer;   /**< 1: the richer one is worth its numbers */
};

/**
 * Whether a formula with more numbers is worth them: its gain must be more than twice the spread,
 * and more than a tenth of the simpler one's error. A formula that cannot be fitted is never
 * preferred.
 *
 * @retval HITOP_ERR_NOMEM  out of memory
 * @return the failure of the simpler formula, if that cannot be fitted
 */
HITOP_MUST_CHECK enum hitop_status hitop_prefer_type(const struct hitop_model_type *simpler,
                                                     const struct hitop_model_type *richer,
                                                     const struct hitop_findings *findings,
                                                     struct hitop_preference *out,
                                                     struct hitop_diag *diag);

/** The median deviation that the errors of the measured medians alone explain. */
double hitop_noise_floor(const struct hitop_measured *measured);

/**
 * Errors of a model at the echoes of some links: those of group @p node, or of all when it is
 * HITOP_NO_NODE. @retval HITOP_ERR_NOMEM out of memory
 */
HITOP_MUST_CHECK enum hitop_status hitop_compare_links(const struct hitop_model *model,
                                                       const struct hitop_measured *measured,
                                                       int node, struct hitop_errors *out,
                                                       struct hitop_diag *diag);

/**
 * The median deviation of what was measured twice: exp(median of |ln(first / second)|) - 1.
 *
 * @param first, second  @p n times each; those that are not > 0 are left out
 * @return 0 when there are none
 */
double hitop_repeat_floor(const double *first, const double *second, int n);

#endif /* VALIDATION_H */
