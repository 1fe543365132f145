/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_THRESHOLDS_H
#define HITOP_THRESHOLDS_H

/**
 * @file thresholds.h
 * @brief Sizes at which linear scatter and gather change their ways.
 *
 * One rank that sends to all others takes longer from some size S on. All others that send to one
 * rank collide: from M1 on some messages are lost on the way and sent again after a long while,
 * until at M2 the sender asks before it sends. These functions find the three sizes in measured
 * times; measuring is up to the caller.
 *
 * Source: A. Lastovetsky, V. Rychkov and M. O'Flynn, Accurate heterogeneous communication models and
 * a software tool for their efficient estimation, IJHPCA 24 (2010).
 *
 * These functions live in libhitop_estimate.
 */

#include "hitop/sys/model.h"

HITOP_BEGIN_DECLS

/** What is fitted on either side of a break; the value is its number of parameters. */
enum hitop_break_kind {
    HITOP_BREAK_LEVEL = 1, /**< a constant */
    HITOP_BREAK_LINE = 2   /**< a line */
};

/** The place at which two fits are better than one. */
struct hitop_break {
    size_t first;      /**< index of the first point behind the break */
    int found;         /**< 1 when kind x sup_f exceeds what chance reaches once in twenty times */
    double sup_f;      /**< the largest of the F statistics of all places */
    double one, two;   /**< weighted squared deviations without a break, and with this one */
    double a[2], b[2]; /**< intercepts and slopes before and behind; b is 0 for levels */
};

/**
 * The best place for one break, which leaves 15 % of the points on either side, and whether it is one.
 *
 * @param points  by ascending size; each weighs 1 / se^2; 2 x (kind + 1) at least
 * @retval HITOP_ERR_INVALID  too few points, they do not ascend, or one has no standard error
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status
hitop_break_find(const struct hitop_point *points, size_t npoints, enum hitop_break_kind kind,
                 struct hitop_break *out, struct hitop_diag *diag);

/** How many times what it should take an escalated exchange takes at least. */
enum { HITOP_ESCALATION = 10 };

/** How to look for the size from which times escalate. */
struct hitop_escalation {
    size_t max_bytes;    /**< look below */
    size_t first_stride; /**< of the first pass over the sizes; each further one halves it */
    size_t min_stride;   /**< of the last pass, >= 1 */
    double
        factor; /**< a time so many times the one before is an escalation, > 1; HITOP_ESCALATION is usual */

    /** Measure one size. */
    enum hitop_status (*time)(void *data, size_t bytes, double *seconds, struct hitop_diag *diag);

    /** Called after each pass with the smallest escalated size so far; may be NULL. */
    void (*pass)(void *data, size_t stride, size_t smallest);
    void *data; /**< handed to both */
};

/**
 * The smallest size at which a time is @p search->factor times that of the size one stride below;
 * max_bytes when there is none.
 *
 * Escalations come and go, so the later passes go over sizes of the earlier ones again.
 *
 * @retval HITOP_ERR_INVALID  strides or the factor are out of range
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status
hitop_escalation_find(const struct hitop_escalation *search, size_t *smallest,
                      struct hitop_diag *diag);

/** What is known of linear scatter and gather: the collective parameters of the model type "lmo". Sizes in
 * bytes; lines in seconds and seconds per byte. */
enum hitop_threshold {
    HITOP_S,  /**< one to many takes longer from here on */
    HITOP_M1, /**< many to one is erratic from here on */
    HITOP_M2, /**< and regular again from here on */
    HITOP_SCATTER_SMALL_A,
    HITOP_SCATTER_SMALL_B, /**< intercept and slope of one to many below S */
    HITOP_SCATTER_LARGE_A,
    HITOP_SCATTER_LARGE_B, /**< from S on */
    HITOP_GATHER_SMALL_A,
    HITOP_GATHER_SMALL_B, /**< of many to one below M1 */
    HITOP_GATHER_LARGE_A,
    HITOP_GATHER_LARGE_B, /**< from M2 on */
    HITOP_NTHRESHOLDS
};

/**
 * Thresholds and lines from times of scatters and gathers of blocks of all sizes.
 *
 * @param scatter    times of one to many; no points: none was measured
 * @param gather     times of many to one; no points: none was measured
 * @param escalated  the smallest size at which many to one escalates, of hitop_escalation_find(); 0 when
 *                   it does nowhere
 * @param out        receives HITOP_NTHRESHOLDS numbers: NaN where there is no threshold, or too few
 *                   points for a line
 * @retval HITOP_ERR_INVALID  sizes do not ascend, or a point has no standard error
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status hitop_thresholds_fit(const struct hitop_curve *scatter,
                                                                  const struct hitop_curve *gather,
                                                                  size_t escalated, double *out,
                                                                  struct hitop_diag *diag);

/** The threshold M1 for it: whole kilobytes (of 1024 bytes), so that one stays well below. */
HITOP_API size_t hitop_escalation_threshold(size_t smallest);

HITOP_END_DECLS

#endif /* HITOP_THRESHOLDS_H */
