/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_PREDICT_H
#define HITOP_PREDICT_H

/**
 * @file predict.h
 * @brief Predict the time of a collective without running it.
 *
 * The algorithm is planned for each rank, and a model gives the time of the plans: prediction and
 * execution use the same steps.
 */

#include "hitop/irregular.h"

HITOP_BEGIN_DECLS

/** The operation to predict. */
struct hitop_predict_args {
    /** "p2p", or the name of a collective, as hitop_operation_split() reads it */
    const char *operation;
    /**
     * Name (hitop/plan.h); "auto" is the fastest with its best parameters (hitop/choice.h); NULL:
     * that of the operation's name.
     */
    const char *algorithm;
    /** Parameters of the tree, or NULL for its defaults; not for "auto". */
    const double *tree_params;
    const double *params; /**< parameters of the algorithm, or NULL; not for "auto" */
    double segment; /**< without params: bytes per segment if the algorithm has segments; 0: none */
    int size;       /**< ranks 0..size-1 take part */
    int root;       /**< sender for p2p */
    int peer;       /**< receiver for p2p; unused otherwise */
    size_t bytes;   /**< of the message, or of one block; see hitop/coll.h */
    size_t unit;    /**< bytes of an element, which reductions do not divide; 0 is 1 */
    int ordered;    /**< 1: a reduction that does not commute */
    const struct hitop_cost *cost; /**< borrowed; of at least size ranks */
    /** Extra time of concurrent messages, borrowed, or NULL. */
    const struct hitop_irregular *irregular;
};

/**
 * Predict the time until the last rank has finished.
 *
 * @param seconds  receives the time
 * @retval HITOP_ERR_NOTFOUND  unknown operation or algorithm; the message lists the valid ones
 * @retval HITOP_ERR_INVALID   an argument is out of range
 * @retval HITOP_ERR_UNSUPPORTED  the algorithm cannot serve these arguments, or the plans of all
 *                                ranks would not fit into memory; the message says which
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status
hitop_predict(const struct hitop_predict_args *args, double *seconds, struct hitop_diag *diag);

/**
 * Predict the broadcast of libhitop_coll among the ranks of @p model with the placement of the
 * model: the tree between hosts that its root would choose, then the copy on each host.
 *
 * @param seconds  receives the time until the last rank has the message
 * @param tree     receives the name of the tree between hosts, "" for one host; valid as long as
 *        the program; may be NULL
 * @retval HITOP_ERR_INVALID  root is not a rank of the model
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status
hitop_predict_twolevel(const struct hitop_model *model, int root, size_t bytes, double *seconds,
                       const char **tree, struct hitop_diag *diag);

HITOP_END_DECLS

#endif /* HITOP_PREDICT_H */
