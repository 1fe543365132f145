/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CHOICE_PARTS_H
#define CHOICE_PARTS_H

/* choice_parts.h - the parts of a choice: check, price, parameters, search. */

#include "hitop/rules.h"

#include <stddef.h>

/* Whether a call may be asked about. */
enum hitop_status hitop_choice_check(const struct hitop_choice_basis *basis,
                                     const struct hitop_call *call, struct hitop_diag *diag);

/* The fastest algorithm. */
enum hitop_status hitop_choice_predict(const struct hitop_choice_basis *basis,
                                       const struct hitop_call *call, struct hitop_choice *out,
                                       struct hitop_diag *diag);

/* The price of an algorithm with its parameters. */
struct choice_price {
    double seconds; /* until the last rank has finished */
    double stage;   /* lower bound of the longest phase of any rank: the step of a pipeline */
};

/* Equal plans differ by rounding, which must not decide. */
static inline int choice_is_faster(double seconds, double than)
{
    return seconds < than * (1 - 1e-9);
}

enum hitop_status hitop_choice_find_price(const struct hitop_choice_basis *basis,
                                          const struct hitop_call *call,
                                          const struct hitop_choice *choice,
                                          struct choice_price *out, struct hitop_diag *diag);

/* The first of those within rounding of the fastest; -1: none has a price. */
ptrdiff_t hitop_choice_fastest(const struct hitop_candidate *candidates, size_t count);

/*
 * Given a choice with the defaults of its algorithm, and its price, try other parameters as far as
 * they may come below `limit` seconds, the time of another algorithm. The choice receives the best.
 */
enum hitop_status hitop_choice_tune(const struct hitop_choice_basis *basis,
                                    const struct hitop_call *call, double limit,
                                    const struct choice_price *price, struct hitop_choice *best,
                                    struct hitop_diag *diag);

/*
 * Bytes that a parameter cuts: the message or all blocks together, of pieces one block; 0: it cuts
 * nothing.
 */
double hitop_choice_cut_bytes(const struct hitop_call *call, const struct hitop_param *param);

#endif /* CHOICE_PARTS_H */
