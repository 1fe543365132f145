/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CURVES_H
#define CURVES_H

/**
 * @file curves.h
 * @brief Fit a formula to measured times of a collective, and state what the times support.
 *
 * With one number of ranks, T(m) is a constant, a line, or lines through stretches of sizes; a
 * parabola is fitted for comparison only, because it mistakes a change of protocol for curvature.
 * With several, T(m, P) is a sum of terms in the cost of the usual algorithms of the operation.
 * Only a parabola may have negative coefficients. Points have weights by their intervals; outliers
 * weigh less. Forms are judged by sizes and numbers of ranks that were left out of the fit. A
 * coefficient of determination is not offered, see validate.h.
 *
 * @code
 * struct hitop_curve_fit fit;
 * status = hitop_fit_sizes(times, ntimes, noise, 0.95, &fit, &diag);
 * if (status == HITOP_OK) puts(fit.sentence);
 * @endcode
 */

#include "models/fit/validation.h"

#include "hitop/sys/model.h"

/** A measured time of a collective. */
struct hitop_rank_time {
    int ranks;      /**< that took part, at least 1 */
    size_t bytes;   /**< message size, as the benchmark counts it */
    double seconds; /**< median, from 1e-15 to 1e12 */
    double lo, hi;  /**< 95 % confidence interval of it; both the median where there is none */
};

/** A term of a sum: a function of the size and the number of ranks. */
struct hitop_fit_term {
    const char *text; /**< "m ceil(log2 P)"; "1" for the constant */
    int has_size;     /**< 1: it changes with the size; in seconds per byte unless has_square */
    int has_square;   /**< 1: the coefficient is in seconds per squared byte */
    int has_ranks;    /**< 1: it changes with the number of ranks */
    double (*value)(double bytes, int ranks);
};

enum { HITOP_FIT_MAX_TERMS = 4, HITOP_FIT_MAX_SIZES = 1024 };

/** Terms of the cost of an operation with its usual algorithms. */
struct hitop_fit_basis {
    const char *operation; /**< as benchmark_collective calls it: "broadcast" */
    const struct hitop_fit_term *term[HITOP_FIT_MAX_TERMS]; /**< NULL after the last */
    const char *why; /**< the algorithms that have these costs */
};

/** The basis of an operation; NULL where none is known. */
const struct hitop_fit_basis *hitop_fit_basis_find(const char *operation);

/** The @p index-th basis; NULL past the last. */
const struct hitop_fit_basis *hitop_fit_basis(size_t index);

/** A coefficient of a formula with its confidence interval. */
struct hitop_fit_coefficient {
    const struct hitop_fit_term *term;
    double value, lo, hi; /**< > 0, lo may be 0; any of a parabola */
};

/** The formula for a stretch of sizes. */
struct hitop_fit_piece {
    size_t min_bytes, max_bytes; /**< smallest and largest size that was fitted */
    int nterms;
    struct hitop_fit_coefficient term[HITOP_FIT_MAX_TERMS];
    double covariance[HITOP_FIT_MAX_TERMS][HITOP_FIT_MAX_TERMS]; /**< of the coefficients */
    double deviation; /**< of points from the formula, in their standard errors, at least 1 */
    double width;     /**< half an interval of the fit's confidence, in standard errors */
};

/** A form of T and how far it is from the measured times. */
struct hitop_fit_form {
    const char *name; /**< "one line"; NULL where the form is not offered */
    int npieces;      /**< 0: too few points for it */
    struct hitop_fit_piece piece[HITOP_MAX_SEGMENTS];
    int nnumbers;              /**< coefficients and places of changes */
    struct hitop_errors seen;  /**< of all points, which the fit has seen */
    struct hitop_errors sizes; /**< of sizes left out, a quarter at a time */
    /** Of sizes left out that are next to a change of the lines in pieces: without them its place
     * is less well known, so they count for no form; they are not in sizes. */
    struct hitop_errors changes;
    /** Of numbers of ranks left out, one at a time; empty with fewer than three. */
    struct hitop_errors ranks;
    struct hitop_errors unseen; /**< sizes and ranks together: what decides */
    int covered; /**< of these, times within the interval that the formula without them gives */
    double half; /**< half of that interval over the time, its median; 0 when there are none */
};

enum hitop_fit_form_id {
    HITOP_FIT_CONSTANT,
    HITOP_FIT_LINE,
    HITOP_FIT_PIECES,
    HITOP_FIT_PARABOLA, /**< never chosen */
    HITOP_FIT_NFORMS
};

enum hitop_fit_verdict {
    HITOP_FIT_SUPPORTED, /**< the chosen form is what the data support */
    HITOP_FIT_UNDECIDED, /**< too few points to decide, or noise of more than 50 % */
    HITOP_FIT_NONE       /**< even the best form is far off */
};

/** What is known of a curve, or of all curves of an operation. */
struct hitop_curve_fit {
    struct hitop_fit_form form[HITOP_FIT_NFORMS]; /**< by enum hitop_fit_form_id */
    /** the simplest form that is about as good as the best; -1 when none could be fitted */
    int chosen;
    enum hitop_fit_verdict verdict;
    double floor; /**< relative deviation that noise alone explains; 0 where it is unknown */
    size_t min_bytes, max_bytes; /**< range of the fitted sizes */
    int min_ranks, max_ranks, nranks;
    int left_out; /**< times that are not of sizes measured with all numbers of ranks */
    /** 1: times of one number of ranks fall with the size; only a parabola can follow */
    int falls;
    char sentence[1536]; /**< what the data support, and how well */
};

/**
 * Fit T(m), all times being of one number of ranks.
 *
 * @param times       in any order, each size once, at most HITOP_FIT_MAX_SIZES
 * @param floor       relative deviation between repeated measurements; 0: unknown
 * @param confidence  of the intervals of coefficients, between 0 and 1
 * @retval HITOP_ERR_INVALID  no times, too many, a size twice, several numbers of ranks, a time out
 *                            of range or outside its interval
 */
HITOP_MUST_CHECK enum hitop_status hitop_fit_sizes(const struct hitop_rank_time *times,
                                                   size_t ntimes, double floor, double confidence,
                                                   struct hitop_curve_fit *out,
                                                   struct hitop_diag *diag);

/**
 * Fit T(m, P) with those terms of a basis that predict best what was left out; changes at some
 * sizes are common to all numbers of ranks.
 *
 * @param times  of two or more numbers of ranks; sizes that some of them lack are left out
 * @retval HITOP_ERR_INVALID  as above, or there are no two numbers of ranks with a size in common
 */
HITOP_MUST_CHECK enum hitop_status hitop_fit_ranks(const struct hitop_fit_basis *basis,
                                                   const struct hitop_rank_time *times,
                                                   size_t ntimes, double floor, double confidence,
                                                   struct hitop_curve_fit *out,
                                                   struct hitop_diag *diag);

/**
 * The time that a form gives. Between two pieces, where the change is, times go from one to the
 * other as a straight line does on logarithmic axes.
 *
 * @param form  with at least one piece
 */
double hitop_fit_time(const struct hitop_fit_form *form, int ranks, size_t bytes);

#endif /* CURVES_H */
