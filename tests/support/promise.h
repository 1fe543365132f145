/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PROMISE_H
#define PROMISE_H

/* promise.h - prices depend on no more than a cost says that they do. Only for tests with Check. */

#include "hitop/cost.h"

/*
 * Fail the test unless p2p and occupancy of `bytes` between any two ranks are functions of the
 * smallest set that holds both and of their kinds, and p2p grows where the cost says so. Takes time
 * in proportion to the fourth power of the ranks.
 */
void expect_promise(const struct hitop_cost *cost, size_t bytes);

#endif /* PROMISE_H */
