/* SPDX-License-Identifier: BSD-3-Clause */
/* layout.c - the segment of a node: what lies where, and how processes attach to it. */
#include <config.h>

#include "coll/node/lanes.h"
#include "coll/node/pull_bcast.h"

#include <string.h>

static size_t ring_offset(const struct hitop_node_layout *layout)
{
    return hitop_node_round_up(
        HITOP_NODE_SLOTS * (sizeof(struct hitop_node_slot) + sizeof(struct hitop_node_claim)) +
            sizeof(struct hitop_bell) + (size_t)layout->nranks * sizeof(struct hitop_node_member) +
            hitop_pull_bytes(layout->nranks) +
            (size_t)layout->nranks * sizeof(struct hitop_pull_desk) +
            (size_t)layout->nplaces * sizeof(struct hitop_node_place),
        PAGE);
}

size_t hitop_node_segment_bytes(const struct hitop_node_layout *layout)
{
    return ring_offset(layout) + layout->ring_bytes + hitop_lanes_bytes(layout);
}

static void view(struct hitop_node *node, void *memory, const struct hitop_node_layout *layout)
{
    const int has_few = layout->nplaces == HITOP_NODE_FEW_PLACES;

    node->slots = memory;
    node->claims = (struct hitop_node_claim *)(node->slots + HITOP_NODE_SLOTS);
    node->bell = (struct hitop_bell *)(node->claims + HITOP_NODE_SLOTS);
    node->members = (struct hitop_node_member *)(node->bell + 1);
    node->cards = node->members + layout->nranks;
    node->desks =
        (struct hitop_pull_desk *)((unsigned char *)node->cards + hitop_pull_bytes(layout->nranks));
    node->places = (struct hitop_node_place *)(node->desks + layout->nranks);
    node->ring = (unsigned char *)memory + ring_offset(layout);
    node->ring_bytes = layout->ring_bytes;
    node->nplaces = (uint64_t)layout->nplaces;
    node->nslots = has_few ? HITOP_NODE_FEW_SLOTS : HITOP_NODE_SLOTS;
    node->nshelves = has_few ? HITOP_NODE_SHELVES : node->nplaces;
    node->nranks = layout->nranks;
}

void hitop_node_format(void *memory, const struct hitop_node_layout *layout)
{
    struct hitop_node node;

    view(&node, memory, layout);
    memset(memory, 0, ring_offset(layout)); /* rings are written before they are read */
    for (int i = 0; i < HITOP_NODE_SLOTS; i++) {
        atomic_init(&node.slots[i].tag, 0);
        atomic_init(&node.claims[i].word, 0);
        atomic_init(&node.claims[i].written, 0);
    }
    for (int i = 0; i < layout->nranks; i++) {
        atomic_init(&node.members[i].done, layout->first);
        atomic_init(&node.members[i].consumed, 0);
        atomic_init(&node.members[i].lateness, 0);
        atomic_init(&node.members[i].note, 0);
        atomic_init(&node.members[i].waits_in, 0);
        atomic_init(&node.members[i].mark, 0);
    }
    hitop_lanes_format(node.ring + node.ring_bytes, layout);
}

void hitop_node_attach(struct hitop_node *node, void *memory,
                       const struct hitop_node_layout *layout, int me,
                       const struct hitop_wait *wait)
{
    *node = (struct hitop_node){.me = me, .wait = *wait, .seq = layout->first};
    view(node, memory, layout);
    hitop_lanes_attach(node, node->ring + node->ring_bytes, layout);
    node->done_min = layout->first;
    node->slot.last = node->line.last = node->shelf.last = layout->first;
    node->thresholds = hitop_thresholds_for(layout->nranks, wait->alone);
    hitop_wait_attach(&node->wait, node->bell);
}

void hitop_node_prove(struct hitop_node *node, int allowed)
{
    hitop_pull_prove(&node->pull, node->cards, node->nranks, node->me, allowed, &node->wait);
    node->lanes.direct = node->pull.works;
}
