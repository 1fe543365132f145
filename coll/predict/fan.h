/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef FAN_H
#define FAN_H

/* fan.h - messages between one rank and several others at the same time. */

#include "hitop/closed_form.h"
#include "hitop/irregular.h"

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

/* From the one to the others; the upper bound is what was measured from S on, where that is more. */
struct hitop_bounds hitop_fan_scatter(const struct fan *fan,
                                      const struct hitop_irregular *irregular);

/* From the others to the one; unequal where it is not known whether they overlap. */
struct hitop_bounds hitop_fan_gather(const struct fan *fan,
                                     const struct hitop_irregular *irregular);

#endif /* FAN_H */
