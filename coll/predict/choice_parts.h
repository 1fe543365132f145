/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CHOICE_PARTS_H
#define CHOICE_PARTS_H

/* choice_parts.h - the internal functions of a choice: check, price, parameters, search. */

#include "hitop/rules.h"

#include <stddef.h>

/* Check that a call has valid ranks, root and sizes. */
enum hitop_status hitop_choice_check(const struct hitop_choice_basis *basis,
                                     const struct hitop_call *call, struct hitop_diag *diag);

/* Predict the fastest algorithm with its parameters. */
enum hitop_status hitop_choice_predict(const struct hitop_choice_basis *basis,
                                       const struct hitop_call *call, struct hitop_choice *out,
                                       struct hitop_diag *diag);

/* The predicted times of an algorithm with its parameters. */
struct choice_price {
    double seconds; /* until the last rank completes */
    double stage;   /* lower bound of the longest phase of any rank: one step of a pipeline */
};

/* Times of equal plans differ by rounding errors, which must not decide. */
static inline int choice_is_faster(double seconds, double than)
{
    return seconds < than * (1 - 1e-9);
}

enum hitop_status hitop_choice_find_price(const struct hitop_choice_basis *basis,
                                          const struct hitop_call *call,
                                          const struct hitop_choice *choice,
                                          struct choice_price *out, struct hitop_diag *diag);

/* The first candidate within rounding errors of the fastest; -1: no candidate has a price. */
ptrdiff_t hitop_choice_fastest(const struct hitop_candidate *candidates, size_t count);

/*
 * Try other parameters for `best`, a choice with the defaults of its algorithm, whose price is
 * given. Only parameters that can take less than `limit` seconds, the time of another algorithm,
 * are tried. `best` receives the fastest choice.
 */
enum hitop_status hitop_choice_tune(const struct hitop_choice_basis *basis,
                                    const struct hitop_call *call, double limit,
                                    const struct choice_price *price, struct hitop_choice *best,
                                    struct hitop_diag *diag);

/*
 * The bytes that a parameter cuts into segments or pieces: the message or all blocks together; for
 * pieces one block; 0: the parameter is no size.
 */
double hitop_choice_cut_bytes(const struct hitop_call *call, const struct hitop_param *param);

/*
 * The length in bytes of the fewest pieces of a block that have equal length, whole elements, and
 * less than `limit` bytes; 0: the block is shorter, or the limit is unknown (NaN).
 */
size_t hitop_choice_piece_below(const struct hitop_call *call, double limit);

#endif /* CHOICE_PARTS_H */
