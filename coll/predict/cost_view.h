/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef COST_VIEW_H
#define COST_VIEW_H

/*
 * cost_view.h - a modified view of another cost: some of its ranks, with delays, or multiplied by
 * a factor.
 */

#include "hitop/cost.h"

struct cost_view {
    const struct hitop_cost *all;
    const int *rank; /* rank in `all` of each rank of the view; NULL: the same */
    int nranks;      /* number of ranks of a view that keeps the sets and kinds of `all`; 0: none */

    /* Seconds by which a message is late; ranks are those of the view. NULL: none. */
    double (*delay)(const void *self, int from, int to, size_t bytes);

    /* The factor for the prices of a message, by ranks of the view. NULL: 1. */
    double (*factor)(const void *self, int from, int to, size_t bytes);
    const void *self; /* argument of delay() and factor() */
};

/*
 * A cost of `nranks` ranks that uses the view, which must outlive it. It has the sets and kinds of
 * the other cost if the view says so, which needs a view without delays and factors. They save
 * time only.
 */
struct hitop_cost hitop_cost_view(const struct cost_view *view, int nranks);

#endif /* COST_VIEW_H */
