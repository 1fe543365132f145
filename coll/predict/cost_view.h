/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef COST_VIEW_H
#define COST_VIEW_H

/* cost_view.h - the prices of another cost, of some of its ranks, or with delays. */

#include "hitop/cost.h"

struct cost_view {
    const struct hitop_cost *all;
    const int *rank; /* which of all each of its ranks is; NULL: all, under their own numbers */

    /* Seconds by which a message comes late, ranks being those of the view; NULL: none does. */
    double (*delay)(const void *self, int from, int to, size_t bytes);
    const void *self; /* of delay() */
};

/* A cost of so many ranks that looks through the view, which must outlive it. It tells nothing of sets and kinds. */
struct hitop_cost hitop_cost_view(const struct cost_view *view, int nranks);

#endif /* COST_VIEW_H */
