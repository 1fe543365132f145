/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef FAN_DELAYS_H
#define FAN_DELAYS_H

/* fan_delays.h - a cost for a plan in which several messages at once take longer than by themselves. */

#include "coll/predict/cost_view.h"

#include "hitop/irregular.h"
#include "hitop/plan.h"

struct fan_delays {
    struct hitop_cost cost; /* what messages take in this plan */
    struct cost_view view;
    struct fan_delay *delays; /* by ends and bytes */
    size_t count, room;
};

/*
 * Find the phases of a plan in which a rank exchanges long messages with several others; irregular may be NULL. Must stay
 * where it is; release with hitop_fan_delays_fini(), also after a failure.
 */
enum hitop_status hitop_fan_delays_init(struct fan_delays *delays, const struct hitop_plan *plan,
                                        const struct hitop_cost *cost,
                                        const struct hitop_irregular *irregular,
                                        struct hitop_diag *diag);
void hitop_fan_delays_fini(struct fan_delays *delays);

#endif /* FAN_DELAYS_H */
