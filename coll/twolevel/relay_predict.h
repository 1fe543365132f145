/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_RELAY_PREDICT_H
#define HITOP_RELAY_PREDICT_H

/*
 * relay_predict.h - the time of a segmented broadcast that nodes relay without blocking.
 *
 * Every node sends a segment to its children, in order, as soon as it has it and its port is free; a segment
 * keeps the port for cost->occupancy() and arrives after cost->p2p(). So latencies overlap with
 * transfers, as they do when bcast_mpi.c relays.
 */

#include "hitop/cost.h"
#include "hitop/tree.h"

/* Seconds until the last node has all of `bytes` > 0; negative when memory ran out. */
double hitop_relay_predict(const struct hitop_cost *cost, const struct hitop_tree *tree,
                           size_t bytes, size_t segment);

#endif /* HITOP_RELAY_PREDICT_H */
