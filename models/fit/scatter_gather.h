/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCATTER_GATHER_H
#define SCATTER_GATHER_H

/**
 * @file scatter_gather.h
 * @brief Sizes at which the times of linear scatter and gather change their formula.
 *
 * In a scatter, one rank sends to all others; from a size S on it needs more time. In a gather, all
 * others send to one rank and collide: from M1 on some messages are lost and sent again after a
 * long time; from M2 on senders ask before they send. These functions find the three sizes in
 * measured times; the caller measures.
 *
 * Source: A. Lastovetsky, V. Rychkov and M. O'Flynn, Accurate heterogeneous communication models
 *         and a software tool for their efficient estimation, IJHPCA 24 (2010).
 */

#include "hitop/sys/model.h"

/** What is fitted on either side of a break; the value is its number of parameters. */
enum hitop_break_kind {
    HITOP_BREAK_LEVEL = 1, /**< a constant */
    HITOP_BREAK_LINE = 2   /**< a line */
};

/** The place at which two fits are better than one. */
struct hitop_break {
    size_t first;      /**< index of the first point behind the break */
    int found;         /**< 1 when kind x sup_f exceeds its 95 % quantile without a break */
    double sup_f;      /**< the largest of the F statistics of all places */
    double one, two;   /**< weighted squared deviations without a break, and with this one */
    double a[2], b[2]; /**< intercepts and slopes before and behind; b is 0 for levels */
};

/**
 * Find the best place for one break, with at least 15 % of the points on either side, and whether
 * there is a break.
 *
 * @param points  by ascending size; each weighs 1 / se^2; 2 x (kind + 1) at least
 * @retval HITOP_ERR_INVALID  too few points, they do not ascend, or one has no standard error
 */
HITOP_MUST_CHECK enum hitop_status hitop_break_find(const struct hitop_point *points,
                                                    size_t npoints, enum hitop_break_kind kind,
                                                    struct hitop_break *out,
                                                    struct hitop_diag *diag);

/** How to look for the size from which times escalate. */
struct hitop_escalation {
    size_t max_bytes;    /**< look below */
    size_t first_stride; /**< of the first pass over the sizes; each further one halves it */
    size_t min_stride;   /**< of the last pass, >= 1 */
    /** least ratio of an escalation to the time before, > 1; usual: HITOP_ESCALATION */
    double factor;

    /** Measure one size. */
    enum hitop_status (*time)(void *data, size_t bytes, double *seconds, struct hitop_diag *diag);

    void *data;
};

/**
 * The smallest size at which a time is @p search->factor times that of the size one stride below;
 * max_bytes when there is none.
 *
 * Escalations come and go, so the later passes go over sizes of the earlier ones again.
 *
 * @return what search->time() returns
 */
HITOP_MUST_CHECK enum hitop_status hitop_escalation_find(const struct hitop_escalation *search,
                                                         size_t *smallest, struct hitop_diag *diag);

/**
 * Thresholds and lines from times of scatters and gathers of blocks of all sizes.
 *
 * @param scatter    times of one to many; no points: none was measured
 * @param gather     times of many to one; no points: none was measured
 * @param escalated  the smallest size at which many to one escalates, from hitop_escalation_find();
 *                   0 when there is none
 * @param out        receives HITOP_NTHRESHOLDS numbers: NaN where there is no threshold, or too few
 *                   points for a line
 * @retval HITOP_ERR_INVALID  sizes do not ascend, or a point has no standard error
 */
HITOP_MUST_CHECK enum hitop_status hitop_thresholds_fit(const struct hitop_curve *scatter,
                                                        const struct hitop_curve *gather,
                                                        size_t escalated, double *out,
                                                        struct hitop_diag *diag);

#endif /* SCATTER_GATHER_H */
