/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_NODE_STAGED_H
#define HITOP_NODE_STAGED_H

/* staged.h - reading a message that goes through the ring. */

#include "coll/node/node_inside.h"

/*
 * The operation under way, of which `slot` tells and which has begun: at most `capacity` bytes to `buffer`. Returns the
 * length of the message.
 */
size_t hitop_staged_read(struct hitop_node *node, const struct hitop_node_slot *slot,
                         unsigned char *buffer, size_t capacity);

#endif /* HITOP_NODE_STAGED_H */
