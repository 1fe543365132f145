/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef UPLINK_H
#define UPLINK_H

/*
 * uplink.h - the largest number of concurrent messages, between disjoint pairs of ranks, over the
 * link out of a group.
 */

#include "hitop/hierarchy.h"

/* Messages from ranks of a group to other members of its parent; 0 for the outermost group. */
static inline int uplink_messages(const struct hitop_hierarchy *h, int node)
{
    const int enclosing = hitop_hierarchy_parent(h, node);
    const int inside = hitop_hierarchy_count_ranks(h, node);
    const int outside =
        enclosing == HITOP_NO_NODE ? 0 : hitop_hierarchy_count_ranks(h, enclosing) - inside;

    return inside < outside ? inside : outside;
}

#endif /* UPLINK_H */
