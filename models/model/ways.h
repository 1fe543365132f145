/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef WAYS_H
#define WAYS_H

/*
 * ways.h - the largest number of concurrent messages, between disjoint pairs of ranks, over the
 * link out of a group.
 */

#include "hitop/hierarchy.h"

/* Messages from ranks of a group to other members of its parent; 0 for the outermost group. */
static inline int ways_messages(const struct hitop_hierarchy *h, int node)
{
    const int around = hitop_hierarchy_parent(h, node);
    const int inside = hitop_hierarchy_count_ranks(h, node);
    const int outside =
        around == HITOP_NO_NODE ? 0 : hitop_hierarchy_count_ranks(h, around) - inside;

    return inside < outside ? inside : outside;
}

#endif /* WAYS_H */
