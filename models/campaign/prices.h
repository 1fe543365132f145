/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PRICES_H
#define PRICES_H

/* prices.h - the time of a message between ranks, by their lowest common group. */

#include "models/campaign/campaign.h"

/* The time of a message between two ranks, at a few sizes. */
enum { HITOP_MOST_PRICES = 32, HITOP_PRICE_SIZES = 3 };

struct hitop_price {
    int node, height, is_inside; /* the lowest common group; is_inside: within a host */
    int rank[2];
    int npoints;
    size_t bytes[HITOP_PRICE_SIZES];
    double seconds[HITOP_PRICE_SIZES];
    double noise; /* spread of the times, relative */
};

/* The same for the groups of a hierarchy, at rank 0. */
struct hitop_prices {
    const struct hitop_hierarchy *h;
    int n;
    struct hitop_price price[HITOP_MOST_PRICES];
    double clock_step; /* of the transport */
};

/* Time a few messages on some of the links for about two seconds; all ranks call it. */
HITOP_MUST_CHECK enum hitop_status hitop_prices_time(const struct hitop_transport *t,
                                                     struct hitop_campaign *c,
                                                     struct hitop_prices *out,
                                                     struct hitop_diag *diag);

/* The cost of any message, which borrows the prices; and the relative spread of its times. */
struct hitop_cost hitop_prices_cost(const struct hitop_prices *prices);
double hitop_prices_noise(const struct hitop_prices *prices, int from, int to);

#endif /* PRICES_H */
