/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_NODE_SCATTER_WINDOWS_H
#define HITOP_NODE_SCATTER_WINDOWS_H

/*
 * scatter_windows.h - the long blocks of a scatter's root in windows of its lane, one for each reader.
 *
 * The root fills the windows in turns, so that all readers have something to take; where a block does not fit, and ranks
 * share processors, all are left in memory of the node instead.
 */

#include "lanes.h"
#include "operations.h"

/* Bring all blocks that are longer than lines and were not handed over; returns when all of them are written. */
void hitop_scatter_windows(struct hitop_node *node, const struct hitop_node_blocks *from);

#endif /* HITOP_NODE_SCATTER_WINDOWS_H */
