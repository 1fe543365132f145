/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_RELAY_PREDICT_H
#define HITOP_RELAY_PREDICT_H

/* relay_predict.h - what it takes to relay a message along a tree of nodes, in segments. */

#include "hitop/cost.h"
#include "hitop/tree.h"

#include <stddef.h>

/*
 * The time of a segmented broadcast that nodes relay without blocking (relay_predict.c).
 *
 * Every node sends a segment to its children in order, as soon as it has it and its port is free. A
 * segment keeps the port for cost->occupancy() and arrives after cost->p2p(), or as far behind the
 * one before it as the narrowest of cost->crossings() keeps it. So latencies overlap with
 * transfers. The node's processor does one thing after the other: it receives a segment, for
 * cost->reception() of an empty message; sends it to each child, for cost->occupancy() of one; and
 * copies it, for cost->local(). A header goes before the segments; it carries a short message.
 */

/* About the longest message that its header carries, bytes. */
enum { HITOP_RELAY_IN_HEADER = 3 * 1024 };

/* Seconds until the last node has all of `bytes` > 0; negative when memory ran out. */
double hitop_relay_predict(const struct hitop_cost *cost, const struct hitop_tree *tree,
                           size_t bytes, size_t segment);

/*
 * What messages cost a leader that relays them, from the prices of `model`, which must outlive it.
 * It sends without blocking: until the next message can leave pass the bytes on the line, not the
 * latency, or the time to hand it over, which goes on meanwhile; unless a model knows better.
 */
struct hitop_cost hitop_relay_cost(const struct hitop_cost *model);

/* The leader copies what comes into the memory of its node. */
void hitop_relay_cost_copies(struct hitop_cost *cost);

#endif /* HITOP_RELAY_PREDICT_H */
