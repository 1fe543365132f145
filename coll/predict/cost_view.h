/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef COST_VIEW_H
#define COST_VIEW_H

/*
 * cost_view.h - the prices of another cost: of some of its ranks, with delays, or times a factor.
 */

#include "hitop/cost.h"

struct cost_view {
    const struct hitop_cost *all;
    const int *rank; /* which of all each of its ranks is; NULL: all, under their own numbers */

    /* Seconds by which a message comes late, ranks being those of the view; NULL: none does. */
    double (*delay)(const void *self, int from, int to, size_t bytes);

    /* By what the prices of a message are multiplied, likewise; NULL: 1. */
    double (*factor)(const void *self, int from, int to, size_t bytes);
    const void *self; /* of delay() and factor() */
};

/*
 * A cost of so many ranks that looks through the view, which must outlive it. It has no sets and
 * kinds, which only save time.
 */
struct hitop_cost hitop_cost_view(const struct cost_view *view, int nranks);

#endif /* COST_VIEW_H */
