/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CROWDS_IMPL_H
#define CROWDS_IMPL_H

/* crowds_impl.h - values of crowds on their way. */

#include "models/transport/bytes.h"

#include "models/measure/concurrent_pairs.h"

/* One more crowd, the first npairs of these pairs, of this link. */
enum hitop_status hitop_crowd_plan_add(struct hitop_crowd_plan *plan, int (*rank)[2], int npairs,
                                       int link, struct hitop_diag *diag);

/* A value of one pair. */
struct crowd_value {
    int job; /* crowd x sizes + size */
    double seconds;
};

/* By job, then by value. */
void hitop_crowd_values_sort(struct crowd_value *value, size_t n);

/* At rank 0: append the values of the earlier run that options tell of, and count the passes of
 * each job. A pass has a value for each pair of its crowd; anything else is not of this plan. */
enum hitop_status hitop_crowds_adopt(const struct hitop_crowd_plan *plan,
                                     const struct hitop_measure_options *options, struct bytes *all,
                                     int *passes, struct hitop_diag *diag);

/* At rank 0: hand on the new values, a batch for each job. Sorts them. */
enum hitop_status hitop_crowds_hand_on(const struct hitop_crowd_plan *plan,
                                       const struct hitop_measure_options *options, int pass,
                                       struct crowd_value *value, size_t n,
                                       struct hitop_diag *diag);

/* Points of the values, which are sorted, curves that lend them, and for each link its list. */
enum hitop_status hitop_crowds_arrange(struct hitop_crowds *out, struct bytes *all,
                                       const struct hitop_crowd_plan *plan, int nlinks,
                                       const struct hitop_measure_options *o,
                                       struct hitop_diag *diag);

#endif /* CROWDS_IMPL_H */
