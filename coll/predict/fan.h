/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef FAN_H
#define FAN_H

/* fan.h - a fan: messages between one rank, the root, and several others at the same time. */

#include "hitop/closed_form.h"
#include "hitop/irregular.h"
#include "hitop/plan.h"

#include "coll/predict/cost_view.h"

/* Message i takes p seconds, and occupies the root for o of them. */
struct fan {
    int count;
    double whole, longest;         /* of p: sum and maximum */
    double occupied, longest_rest; /* sum of o; maximum of p - o */
    double least, most;            /* bytes */
};

void hitop_fan_add(struct fan *fan, double seconds, double occupied, size_t bytes);

/* The occupancies of the root add up, the rest of the messages overlaps. */
static inline double fan_overlapped(const struct fan *fan)
{
    return fan->occupied + fan->longest_rest;
}

/*
 * Time of messages from the root to the others. From size S on, the upper bound is the measured
 * time of such messages, if that is larger.
 */
struct hitop_bounds hitop_fan_scatter(const struct fan *fan,
                                      const struct hitop_irregular *irregular);

/*
 * Time of messages from the others to the root. The bounds differ where it is not known whether
 * messages overlap: between M1 and M2.
 */
struct hitop_bounds hitop_fan_gather(const struct fan *fan,
                                     const struct hitop_irregular *irregular);

/* ---- A cost for a plan in which concurrent messages take longer than alone ---- */

struct fan_delays {
    struct hitop_cost cost; /* the prices of messages in this plan */
    struct cost_view view;
    struct fan_delay *delays; /* sorted by sender, receiver and bytes */
    size_t count, capacity;
};

/*
 * Find the phases of a plan in which a rank exchanges long messages with several others.
 * `irregular` may be NULL. The structure must not be moved, as it contains pointers to itself.
 * Release with hitop_fan_delays_fini(), also after a failure.
 */
enum hitop_status hitop_fan_delays_init(struct fan_delays *delays, const struct hitop_plan *plan,
                                        const struct hitop_cost *cost,
                                        const struct hitop_irregular *irregular,
                                        struct hitop_diag *diag);
void hitop_fan_delays_fini(struct fan_delays *delays);

#endif /* FAN_H */
