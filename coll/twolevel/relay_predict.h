/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_RELAY_PREDICT_H
#define HITOP_RELAY_PREDICT_H

/* relay_predict.h - predict the time to relay a message in segments along a tree of nodes. */

#include "hitop/cost.h"
#include "hitop/tree.h"

#include <stddef.h>

/*
 * The time of a segmented broadcast that nodes relay without blocking (relay_predict.c).
 *
 * Every node sends a segment to its children in order, as soon as it has the segment and its port
 * is free. A segment occupies the port for cost->occupancy() and arrives after cost->p2p(), or
 * later if the narrowest of cost->crossings() delays it behind the previous segment. So latencies
 * overlap with transfers. The node's processor does one thing after another: it receives a segment,
 * for cost->reception() of an empty message; sends it to each child, for cost->occupancy() of an
 * empty message; and copies it, for cost->local(). A header precedes the segments; it carries a
 * short message.
 */

/* The longest message that its header carries, approximately, in bytes. */
enum { HITOP_RELAY_IN_HEADER = 3 * 1024 };

/* Seconds until the last node has all of `bytes` > 0; negative when out of memory. */
double hitop_relay_predict(const struct hitop_cost *cost, const struct hitop_tree *tree,
                           size_t bytes, size_t segment);

/*
 * The cost of messages for a leader that relays them, from the prices of `model`, which must
 * outlive the result. The leader sends without blocking: the next message leaves when the bytes of
 * the previous one are on the link, without the latency, or when the call of MPI returns if that is
 * later. The model's own occupancy is used if it is smaller. `copies`: 1 if leaders copy what they
 * receive into the shared memory of their nodes.
 */
struct hitop_cost hitop_relay_cost(const struct hitop_cost *model, int copies);

#endif /* HITOP_RELAY_PREDICT_H */
