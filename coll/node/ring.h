/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_NODE_RING_H
#define HITOP_NODE_RING_H

/*
 * ring.h - long messages of a broadcast through a ring of bytes, in fragments.
 *
 * Idea:   A writer that has also written the previous long message continues behind it, so that it
 *         can run ahead of its readers. A writer that was a reader before starts at the first byte
 *         of the ring again, if all readers have read it: it has just read these lines, and they
 *         are in its cache.
 */

#include "coll/node/layout.h"

/* Take the slot of a long message that this rank writes. */
struct hitop_node_slot *hitop_ring_slot(struct hitop_node *node);

/* Write the next bytes, as far as there is room; see hitop_node_write(). */
size_t hitop_ring_write(struct hitop_node *node, struct hitop_node_writer *writer, const void *data,
                        size_t bytes);

/*
 * Read the message of the operation under way, which has begun in `slot` as STAGED or as PIECED: at
 * most `capacity` bytes go to `buffer`. Returns its length.
 */
size_t hitop_ring_read(struct hitop_node *node, const struct hitop_node_slot *slot,
                       unsigned char *buffer, size_t capacity);
size_t hitop_ring_read_pieces(struct hitop_node *node, const struct hitop_node_slot *slot,
                              unsigned char *buffer, size_t capacity);

#endif /* HITOP_NODE_RING_H */
