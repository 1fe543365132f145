/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef FAN_H
#define FAN_H

/* fan.h - messages between one rank and several others at the same time. */

#include "hitop/closed_form.h"
#include "hitop/irregular.h"
#include "hitop/plan.h"

#include "coll/predict/cost_view.h"

/* Each message takes p seconds, for o of which the one rank is busy with it. */
struct fan {
    int count;
    double whole, longest;         /* of p: sum and maximum */
    double occupied, longest_rest; /* sum of o; maximum of p - o */
    double least, most;            /* bytes */
};

void hitop_fan_add(struct fan *fan, double seconds, double occupied, size_t bytes);

/* What the one is busy with adds up, the rest overlaps. */
static inline double fan_overlapped(const struct fan *fan)
{
    return fan->occupied + fan->longest_rest;
}

/*
 * From the one to the others; the upper bound is what was measured from S on, where that is more.
 */
struct hitop_bounds hitop_fan_scatter(const struct fan *fan,
                                      const struct hitop_irregular *irregular);

/* From the others to the one; unequal where it is not known whether they overlap. */
struct hitop_bounds hitop_fan_gather(const struct fan *fan,
                                     const struct hitop_irregular *irregular);

/* ---- A cost for a plan in which concurrent messages take longer than alone ---- */

struct fan_delays {
    struct hitop_cost cost; /* what messages take in this plan */
    struct cost_view view;
    struct fan_delay *delays; /* by ends and bytes */
    size_t count, room;
};

/*
 * Find the phases of a plan in which a rank exchanges long messages with several others; irregular
 * may be NULL. Must stay where it is; release with hitop_fan_delays_fini(), also after a failure.
 */
enum hitop_status hitop_fan_delays_init(struct fan_delays *delays, const struct hitop_plan *plan,
                                        const struct hitop_cost *cost,
                                        const struct hitop_irregular *irregular,
                                        struct hitop_diag *diag);
void hitop_fan_delays_fini(struct fan_delays *delays);

#endif /* FAN_H */
