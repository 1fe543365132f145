/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef WAITS_H
#define WAITS_H

/* waits.h - what late ranks cost, from when each rank came to each call and when it left. */

#include "hitop/operation.h"

enum wait_kind {
    WAIT_PAPER,       /* the largest of the ranks' mean times: the metric of the broadcast paper */
    WAIT_PAPER_LEAST, /* the same of a collective that costs nothing but the waiting that its data
                         ask for */
    WAIT_MEAN,        /* over calls and ranks */
    WAIT_MEAN_LEAST,
    WAIT_MAX,    /* mean of the longest time of each call */
    WAIT_ROOT,   /* mean of the root */
    WAIT_SPREAD, /* mean from the first to the last arrival */
    NWAITS,
};

/* Seconds. */
struct waits {
    double of[NWAITS];
};

/*
 * `came` and `left` are [ranks][calls], on one clock; root[calls].
 *
 * A rank that needs the root's data leaves after the root has arrived; a rank that needs the data
 * of all leaves after the last one; all others leave at once. `scratch` has room for `ranks`
 * numbers twice.
 */
struct waits waits_of(const struct hitop_operation *operation, int ranks, int calls,
                      const double *came, const double *left, const int *root, double *scratch);

#endif /* WAITS_H */
