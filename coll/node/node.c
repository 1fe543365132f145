/* SPDX-License-Identifier: BSD-3-Clause */
/* node.c - the segment of a node: what lies where, who may overwrite what, who leads. */
#include <config.h>

#include "coll/node/lanes.h"
#include "coll/node/laps.h"
#include "coll/node/pull_bcast.h"

#include <assert.h>
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
    hitop_courses_init(&node->courses, hitop_lap(node->ring_bytes), node->ring_bytes);
    node->done_min = layout->first;
    node->slot.top = node->line.top = node->shelf.top = layout->first;
    node->thresholds = hitop_thresholds_for(layout->nranks, wait->alone);
    hitop_wait_attach(&node->wait, node->bell);
}

void hitop_node_prove(struct hitop_node *node, int allowed)
{
    hitop_pull_prove(&node->pull, node->cards, node->nranks, node->me, allowed, &node->wait);
    node->lanes.direct = node->pull.works;
}

/* Refresh what is known of the slowest of the others. */
void hitop_node_look_around(struct hitop_node *node)
{
    uint64_t done = UINT64_MAX, consumed = UINT64_MAX;

    for (int i = 0; i < node->nranks; i++) {
        if (i != node->me) { /* our own progress is made by the operation that asks */
            const uint64_t d = hitop_node_left_by(node, i);
            const uint64_t c =
                atomic_load_explicit(&node->members[i].consumed, memory_order_acquire);
            done = d < done ? d : done;
            consumed = c < consumed ? c : consumed;
        }
    }
    /* what was known may be old, but never too much; a writer has not said yet that it wants nothing of its own message */
    assert(done >= node->done_min);
    node->done_min = done;
    node->consumed_min = consumed > node->consumed_min ? consumed : node->consumed_min;
}

int hitop_node_claim(struct hitop_node *node)
{
    _Atomic uint64_t *word = &node->claims[node->seq % HITOP_NODE_SLOTS].word;
    uint64_t seen = atomic_load_explicit(word, memory_order_relaxed);
    unsigned round = 0;

    /* whoever claims may write: everybody has left the operation that used the slot before */
    while (seen >> 16 != node->seq && !hitop_node_slot_is_free(node, HITOP_NODE_SLOTS)) {
        hitop_wait_relax(&node->wait, &round);
        seen = atomic_load_explicit(word, memory_order_relaxed);
    }
    return seen >> 16 != node->seq && atomic_compare_exchange_strong_explicit(
                                          word, &seen, node->seq << 16 | (uint64_t)(node->me + 1),
                                          memory_order_acq_rel, memory_order_relaxed);
}

void hitop_node_stamp(struct hitop_node *node)
{
    atomic_store_explicit(&node->claims[node->seq % HITOP_NODE_SLOTS].written, hitop_wait_clock(),
                          memory_order_relaxed);
}

void hitop_node_note_lateness(struct hitop_node *node)
{
    _Atomic uint64_t *lateness = &node->members[node->me].lateness;
    uint64_t late = 0;

    if (hitop_node_is_published(node)) {
        late = hitop_wait_clock() -
               atomic_load_explicit(&node->claims[node->seq % HITOP_NODE_SLOTS].written,
                                    memory_order_relaxed);
    }
    if (atomic_load_explicit(lateness, memory_order_relaxed) != late) {
        atomic_store_explicit(lateness, late, memory_order_relaxed);
    }
}

uint64_t hitop_node_lateness(const struct hitop_node *node, int local)
{
    return atomic_load_explicit(&node->members[local].lateness, memory_order_relaxed);
}
