/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CHOICE_TUNE_H
#define CHOICE_TUNE_H

/* choice_tune.h - the parameters that suit an algorithm best. */

#include "coll/predict/choice_price.h"

/*
 * Given a choice with the defaults of its algorithm, and its price, try other parameters as far as they may come below
 * `limit` seconds, the time of another algorithm. The choice receives the best.
 */
enum hitop_status hitop_choice_tune(const struct hitop_choice_basis *basis,
                                    const struct hitop_call *call, double limit,
                                    const struct choice_price *price, struct hitop_choice *best,
                                    struct hitop_diag *diag);

/* Bytes that a parameter cuts: the message or all blocks together, of pieces one block; 0: it cuts nothing. */
double hitop_choice_cut_bytes(const struct hitop_call *call, const struct hitop_param *param);

#endif /* CHOICE_TUNE_H */
