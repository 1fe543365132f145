/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef COUNTED_COST_H
#define COUNTED_COST_H

/* counted_cost.h - how often a cost is asked for a price. */

#include "hitop/cost.h"

struct counted_cost {
    struct hitop_cost from;
    double *prices; /* asked for so far: of messages, of their ends and of work of one rank */
};

/* The same prices, each of which is counted. Borrows what it is given. */
struct hitop_cost counted_cost(const struct counted_cost *counted);

#endif /* COUNTED_COST_H */
