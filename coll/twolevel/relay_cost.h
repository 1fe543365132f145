/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_RELAY_COST_H
#define HITOP_RELAY_COST_H

/*
 * relay_cost.h - what messages cost a leader who relays them, from what a model says of messages.
 *
 * He sends without blocking: while one message is under way the next one leaves. What keeps him from the next one is
 * putting the bytes on the line, not the latency, or handing the message over, which goes on meanwhile; a model that
 * knows better says so. Pure: no MPI.
 */

#include "hitop/cost.h"

/* Of nodes that `model` prices, which has to stay. */
struct hitop_cost hitop_relay_cost(const struct hitop_cost *model);

/* He puts into the memory of his node what comes. */
void hitop_relay_cost_copies(struct hitop_cost *cost);

#endif /* HITOP_RELAY_COST_H */
