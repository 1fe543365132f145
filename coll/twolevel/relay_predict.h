/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_RELAY_PREDICT_H
#define HITOP_RELAY_PREDICT_H

/*
 * relay_predict.h - the time of a segmented broadcast that nodes relay without blocking.
 *
 * Every node sends a segment to its children, in order, as soon as it has it and its port is free; a segment
 * keeps the port for cost->occupancy() and arrives after cost->p2p(), or as far behind the one before it as the narrowest of
 * cost->crossings() keeps it. So latencies overlap with
 * transfers, as they do when relay_mpi.c relays.
 *
 * Its processor does one thing after the other: it takes a segment, for what cost->reception() says of an empty message;
 * hands it over for each child, for what cost->occupancy() says of one; and copies it, for cost->local(). Before the
 * segments goes a header that says who is next. A short message is in the header.
 */

#include "hitop/cost.h"
#include "hitop/tree.h"

/* About the longest message that its header carries, bytes. */
enum { HITOP_RELAY_IN_HEADER = 3 * 1024 };

/* Seconds until the last node has all of `bytes` > 0; negative when memory ran out. */
double hitop_relay_predict(const struct hitop_cost *cost, const struct hitop_tree *tree,
                           size_t bytes, size_t segment);

/*
 * What messages cost a leader who relays them, from what a model says of messages.
 *
 * He sends without blocking: while one message is under way the next one leaves. What keeps him from the next one is
 * putting the bytes on the line, not the latency, or handing the message over, which goes on meanwhile; a model that
 * knows better says so. Pure: no MPI.
 */

/* Of nodes that `model` prices, which has to stay. */
struct hitop_cost hitop_relay_cost(const struct hitop_cost *model);

/* He puts into the memory of his node what comes. */
void hitop_relay_cost_copies(struct hitop_cost *cost);

#endif /* HITOP_RELAY_PREDICT_H */
