/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_IRREGULAR_H
#define HITOP_IRREGULAR_H

/**
 * @file irregular.h
 * @brief Messages between one rank and several others at once that take longer than they would by themselves.
 *
 * Of one to many, messages from some size S on take longer than the model of a message says: the
 * line that was measured there. Of many to one, messages from M1 on are now and then lost on the
 * way, which costs many times what they take, until from M2 on they come one after the other. The
 * model type "lmo" may know these numbers; a choice (hitop/choice.h) with these numbers avoids the
 * extra time, e.g. by the algorithms "split".
 *
 * Source: A. Lastovetsky, V. Rychkov and M. O'Flynn, Accurate heterogeneous communication models
 * and a software tool for their efficient estimation, IJHPCA 24 (2010).
 */

#include "hitop/model.h"

HITOP_BEGIN_DECLS

/** What is not known is NaN. */
struct hitop_irregular {
    double S;       /**< bytes from which on one to many takes longer */
    double M1, M2;  /**< from M1 on many to one is erratic, from M2 on serial; bytes */
    double alpha;   /**< of one to many from S on: seconds */
    double beta;    /**< and seconds per byte */
    double nothers; /**< to how many ranks these are */
};

/** What @p model knows; 1 if that is anything. */
HITOP_API int hitop_irregular_of(const struct hitop_model *model, struct hitop_irregular *out);

HITOP_END_DECLS

#endif /* HITOP_IRREGULAR_H */
