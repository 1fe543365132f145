/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PAIR_SETS_IMPL_H
#define PAIR_SETS_IMPL_H

/* pair_sets_impl.h - values of concurrent pairs during their measurement. */

#include "models/journal/batches.h"

#include "models/measure/concurrent_pairs.h"

/* Add a pair set of this link: the first npairs of these pairs. */
enum hitop_status hitop_pair_plan_add(struct hitop_pair_plan *plan, int (*rank)[2], int npairs,
                                      int link, struct hitop_diag *diag);

/* A value of one pair. */
struct pair_value {
    int job; /* pair set x sizes + size */
    double seconds;
};

/*
 * At rank 0: append the values of the earlier run in options, and count the passes of each job. A
 * pass has a value for each pair of its pair set; anything else is not of this plan.
 */
enum hitop_status hitop_pair_sets_adopt(const struct hitop_pair_plan *plan,
                                        const struct hitop_measure_options *options,
                                        struct bytes *all, int *passes, struct hitop_diag *diag);

/* At rank 0: pass the new values to options->keep, a batch for each job. Sorts them. */
enum hitop_status hitop_pair_sets_hand_on(const struct hitop_pair_plan *plan,
                                          const struct hitop_measure_options *options, int pass,
                                          struct pair_value *value, size_t n,
                                          struct hitop_diag *diag);

/* Sort the values, and make points, curves that borrow them, and a list for each link. */
enum hitop_status hitop_pair_sets_arrange(struct hitop_pair_sets *out, struct bytes *all,
                                          const struct hitop_pair_plan *plan, int nlinks,
                                          const struct hitop_measure_options *o,
                                          struct hitop_diag *diag);

#endif /* PAIR_SETS_IMPL_H */
