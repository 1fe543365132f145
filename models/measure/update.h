/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef UPDATE_H
#define UPDATE_H

/**
 * @file update.h
 * @brief Update an earlier model: measure only the changed classes again.
 *
 * A few messages on one link of each class show whether its numbers still hold. Classes that hold
 * keep them, with the date of their measurement; links of the other classes are measured like those
 * of a new model.
 */

#include "hitop/measure.h"

/**
 * A link for each class of a model, by round: the pair of ranks that was measured, else another
 * one. If the type has parameters of processors, also a link of each member of every group with the
 * next one, and of each rank with the rank half a machine away, so that each processor is checked
 * in a small group and in a large one.
 *
 * @param out  receives an array for free(); NULL when there are none
 */
HITOP_MUST_CHECK enum hitop_status hitop_links_choose_checks(const struct hitop_model *model,
                                                             struct hitop_link **out, int *nlinks,
                                                             struct hitop_diag *diag);

/**
 * Links that represent the classes of a model. A group with one class keeps its links in @p *links,
 * which may come from any choice; a group with one class for each two members gets one link for
 * each of these classes.
 *
 * @param links  an array for free(), replaced
 */
HITOP_MUST_CHECK enum hitop_status hitop_links_choose_like(const struct hitop_model *model,
                                                           struct hitop_link **links, int *nlinks,
                                                           struct hitop_diag *diag);

/** The drift status of a class. */
enum hitop_drift_status {
    HITOP_HELD,    /**< its numbers hold */
    HITOP_DRIFTED, /**< they do not */
    /** they never reached the wanted precision, and are measured again in any case */
    HITOP_UNSETTLED
};

/** The drift status of the classes of a model. */
struct hitop_verdict {
    enum hitop_drift_status *drift; /**< [nclasses], owned */
    double *off; /**< [nclasses], owned: the largest relative deviation of a time, with its sign */
    int nheld;
    int is_all; /**< 1: parameters of processors may have changed: no class holds */
};

void hitop_verdict_clear(struct hitop_verdict *verdict);

/**
 * Judge classes by the echoes of hitop_links_choose_checks().
 *
 * The expected time of a size is the earlier measured interval, if the class still has it; else the
 * price with the intervals of the parameters and the residual. It is widened by @p tolerance. A
 * class whose times are within that, or cannot be distinguished from it, holds.
 *
 * If the time of a link depends on processors, too, a deviation is attributed to the link only if
 * the processor at each of its ends has another link that holds; else is_all is set.
 *
 * @param tolerance  relative, > 0
 * @param out        to be cleared, also on failure
 */
HITOP_MUST_CHECK enum hitop_status hitop_update_judge(const struct hitop_model *model,
                                                      const struct hitop_measured *checks,
                                                      double tolerance, struct hitop_verdict *out,
                                                      struct hitop_diag *diag);

/** Keep only links of classes that do not hold, in order; returns their number. */
int hitop_update_select(const struct hitop_model *model, const struct hitop_verdict *verdict,
                        struct hitop_link *links, int nlinks);

/**
 * A model of the same type in which the classes of the measured links are fitted anew, and all
 * others stay as they are, dated. Numbers of processors stay; those for collectives, too, unless @p
 * links has others.
 *
 * @param h           the hierarchy of the model, perhaps with other names
 * @param links       those of hitop_update_select(), of any number
 * @param provenance  of the new measurement; copied
 * @param out         receives the new model; set to NULL on failure
 * @retval HITOP_ERR_INVALID  the points do not determine the parameters
 */
HITOP_MUST_CHECK enum hitop_status
hitop_update_fit(const struct hitop_model *model, const struct hitop_hierarchy *h,
                 const struct hitop_measured *links, const struct hitop_provenance *provenance,
                 struct hitop_model **out, struct hitop_diag *diag);

/* Links and the classes of an earlier model. */

static inline const struct hitop_class *class_of_link(const struct hitop_model *model,
                                                      const struct hitop_link *link)
{
    return hitop_model_class_of(model, link->rank[0], link->rank[1]);
}

static inline int class_index(const struct hitop_model *model, const struct hitop_link *link)
{
    return (int)(class_of_link(model, link) - hitop_model_class(model, 0));
}

/* Whether a class was measured on this link, in either direction. */
static inline int is_own_link(const struct hitop_class *c, const struct hitop_link *link)
{
    return (c->pair[0] == link->rank[0] && c->pair[1] == link->rank[1]) ||
           (c->pair[0] == link->rank[1] && c->pair[1] == link->rank[0]);
}

#endif /* UPDATE_H */
