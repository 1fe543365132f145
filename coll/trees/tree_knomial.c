/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tree_knomial.c - every informed rank informs k - 1 others per round.
 *
 * Idea:   write the virtual rank in base k; its parent is the same number with the lowest non-zero
 *         digit set to zero.
 * Cost:   the depth of a rank is its number of non-zero digits, at most ceil(log_k n); the root has
 *         at most (k - 1) * ceil(log_k n) children.
 * Use:    short messages where a send is cheap compared with the latency.
 *
 *         k = 3, n = 9           0
 *                            / | | \
 *                           3  6 1  2
 *                          /|  |\
 *                         4 5  7 8
 */
#include <config.h>

#include "coll/trees/shape.h"

#include <math.h>

enum { P_RADIX, NPARAMS };

static const struct hitop_param knomial_params[NPARAMS] = {
    [P_RADIX] = {"radix", "base k of the rank digits, a whole number", 4, 2, 1024, ""},
};

static int knomial_up(const double *params, int size, int v)
{
    const long k = (long)params[P_RADIX];
    long weight = 1; /* value of one unit of the lowest non-zero digit */

    (void)size;
    while (v / weight % k == 0) {
        weight *= k;
    }
    return (int)(v - v / weight % k * weight);
}

static enum hitop_status knomial_build(const struct hitop_tree_args *args, const double *params,
                                       int *parent, int *order, struct hitop_diag *diag)
{
    if (params[P_RADIX] != floor(params[P_RADIX])) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "knomial: radix=%g is not a whole number",
                          params[P_RADIX]);
    }
    return hitop_shape_build(args, params, knomial_up, parent, order, diag);
}

const struct hitop_tree_builder hitop_tree_knomial = {
    .name = "knomial",
    .summary = "k-nomial tree over rank digits in base k",
    .params = knomial_params,
    .nparams = NPARAMS,
    .build = knomial_build,
};
