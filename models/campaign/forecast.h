/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef FORECAST_H
#define FORECAST_H

/* forecast.h - how long the parts of a campaign will take, by the price of messages. */

#include "models/campaign/prices.h"

/* The assumptions of a forecast. */
struct hitop_assumption {
    struct hitop_cost cost;
    double noise, clock_step;
    const struct hitop_prices *timed; /* or NULL */
};

/* Assumptions without a measurement: a usual network, its noise and a usual clock. */
#define HITOP_USUAL_LATENCY 10e-6 /* seconds */
#define HITOP_USUAL_PER_BYTE 1e-9
struct hitop_assumption hitop_forecast_usual(void);

/* Seconds of a part with concurrent links and without; and the least seconds when time is short. */
struct hitop_forecast {
    double together, one_by_one, least;
    int nrounds, widest; /* most links of a round */
};

/* Forecast a part that may take `share` seconds of the budget. */
struct hitop_forecast hitop_forecast_part(const struct hitop_assumption *a,
                                          const struct hitop_campaign_part *part, double share);

/* Samples of a size on a link until the interval of their median is narrow enough. */
int hitop_forecast_samples(const struct hitop_assumption *a, const struct hitop_link *link,
                           const struct hitop_measure_options *o);

/* Seconds of all experiments and sizes on one link. */
double hitop_forecast_link(const struct hitop_assumption *a, const struct hitop_link *link,
                           const struct hitop_measure_options *o);

/* Seconds for the capacity of groups of a kind. */
double hitop_forecast_capacity(const struct hitop_assumption *a, const struct hitop_campaign *c,
                               const struct hitop_group_kind *kind);

#endif /* FORECAST_H */
