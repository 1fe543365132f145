/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_NODE_SCATTER_WINDOWS_H
#define HITOP_NODE_SCATTER_WINDOWS_H

/*
 * scatter_windows.h - the long blocks of a scatter's root in windows of its lane, one for each reader.
 *
 * The root fills the windows in turns, so that all readers have something to take; where a block does not fit, and ranks
 * share processors, all are left in memory of the node instead.
 */

#include "coll/node/lanes.h"
#include "coll/node/operations.h"

/*
 * The root: from how many bytes on blocks are handed over, see hand.h. So the thresholds say; but where ranks share processors,
 * and there is no room for all shorter ones, those that fit no window are, unless none ever is: to wait for room
 * takes turns of the scheduler.
 */
size_t hitop_scatter_hand_from(const struct hitop_node *node, const struct hitop_node_blocks *from);

#endif /* HITOP_NODE_SCATTER_WINDOWS_H */
