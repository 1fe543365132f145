/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_IRREGULAR_H
#define HITOP_IRREGULAR_H

/**
 * @file irregular.h
 * @brief Sizes from which concurrent messages of one rank take longer than single ones.
 *
 * From one rank to many, messages from some size S on take longer than the model of a message says:
 * the line that was measured there. From many ranks to one, messages from M1 on are sometimes lost
 * and sent again, which takes many times as long; from M2 on they come one after another. A model
 * "lmo" may have these numbers; with them a choice (hitop/choice.h) avoids the extra time, e.g. by
 * the algorithms "split".
 *
 * Source: A. Lastovetsky, V. Rychkov and M. O'Flynn, Accurate heterogeneous communication models
 * and a software tool for their efficient estimation, IJHPCA 24 (2010).
 */

#include "hitop/model.h"

HITOP_BEGIN_DECLS

/** Unknown numbers are NaN. */
struct hitop_irregular {
    double S;       /**< bytes from which one to many takes longer */
    double M1, M2;  /**< from M1 on many to one is irregular, from M2 on serial; bytes */
    double alpha;   /**< for one to many from S on: seconds */
    double beta;    /**< and seconds per byte */
    double nothers; /**< number of receivers for alpha and beta */
};

/** The numbers of @p model; returns 1 if it has any. */
HITOP_API int hitop_irregular_of(const struct hitop_model *model, struct hitop_irregular *out);

HITOP_END_DECLS

#endif /* HITOP_IRREGULAR_H */
