/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_NODE_DIRECT_H
#define HITOP_NODE_DIRECT_H

/*
 * direct.h - everybody copies long blocks straight out of the memory of everybody else.
 *
 * Idea:   each says where its memory is, copies what it wants from the others, one after another and beginning with the
 *         next rank, and stays until all have done so.
 * Cost:   one copy instead of two; an exchange of flags at the end.
 * Needs:  all processes have decided alike to go this way.
 */

#include "coll/node/lanes.h"
#include "coll/node/operations.h"

/* Do blocks of `bytes` go this way, as those of `from` bytes on do? The same in all processes. */
static inline int hitop_direct_suits(const struct hitop_node *node, size_t bytes, size_t from)
{
    return node->lanes.direct && bytes >= from;
}

/*
 * Block r of `to` is what process r has at `offset` of its `mine`; each has `total` bytes there, or, where total is 0, the
 * length of its block. Returns 1 when all processes have all; 0, in all that have come here, when one has not: then deposits
 * follow. Nobody goes this way again when it is the kernel that has refused.
 */
int hitop_direct_exchange(struct hitop_node *node, const void *mine, size_t bytes, size_t total,
                          size_t offset, const struct hitop_node_blocks *to);

#endif /* HITOP_NODE_DIRECT_H */
