/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CHOICE_PRICE_H
#define CHOICE_PRICE_H

/* choice_price.h - what an algorithm with its parameters takes. */

#include "hitop/choice.h"

#include <stddef.h>

struct choice_price {
    double seconds; /* until the last rank has finished */
    double stage;   /* the least that the longest phase of any rank takes: the beat of a pipeline */
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

/* The first of those within rounding of the fastest; -1: none can be told. */
ptrdiff_t hitop_choice_fastest(const struct hitop_candidate *candidates, size_t count);

#endif /* CHOICE_PRICE_H */
