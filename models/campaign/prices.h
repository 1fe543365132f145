/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PRICES_H
#define PRICES_H

/* prices.h - what a message takes between ranks that meet in a group, by a few round trips. */

#include "models/campaign/campaign.h"

/* What one message takes between two ranks, at a few sizes. */
enum { HITOP_MOST_PRICES = 32, HITOP_PRICE_SIZES = 3 };

struct hitop_price {
    int node, height, is_inside; /* the group where the ranks meet; is that within a host? */
    int rank[2];
    int npoints;
    size_t bytes[HITOP_PRICE_SIZES];
    double seconds[HITOP_PRICE_SIZES];
    double noise; /* spread of the times, relative */
};

/* The same for the groups of a hierarchy, at the rank that decides. */
struct hitop_prices {
    const struct hitop_hierarchy *h;
    int n;
    struct hitop_price price[HITOP_MOST_PRICES];
    double clock_step; /* of the transport */
};

/* Time a few messages on links that are chosen, about two seconds; all ranks call it. */
HITOP_MUST_CHECK enum hitop_status hitop_prices_time(const struct hitop_transport *t,
                                                     struct hitop_campaign *c,
                                                     struct hitop_prices *out,
                                                     struct hitop_diag *diag);

/* The price of any message, which lends the prices; and the spread of its times. */
struct hitop_cost hitop_prices_cost(const struct hitop_prices *prices);
double hitop_prices_noise(const struct hitop_prices *prices, int from, int to);

#endif /* PRICES_H */
