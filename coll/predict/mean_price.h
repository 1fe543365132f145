/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MEAN_PRICE_H
#define MEAN_PRICE_H

/* mean_price.h - what a message costs between any two ranks in the mean. */

#include "hitop/cost.h"

/* Seconds of a message, and those for which it occupies the sender. */
struct price {
    double p2p, occupancy;
};

/* Over all pairs, in both directions; nothing where there is one rank only. */
enum hitop_status hitop_mean_price(const struct hitop_cost *cost, size_t bytes, struct price *out,
                                   struct hitop_diag *diag);

#endif /* MEAN_PRICE_H */
