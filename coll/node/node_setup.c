/* SPDX-License-Identifier: BSD-3-Clause */
/* node_setup.c - the layout of a node's segment, how ranks attach to it, and the barrier. */
#include <config.h>

#include "coll/node/outbox.h"

#include <string.h>

static size_t ring_offset(const struct hitop_node_layout *layout)
{
    return hitop_node_round_up(
        HITOP_NODE_SLOTS * (sizeof(struct hitop_node_slot) + sizeof(struct hitop_node_claim)) +
            sizeof(struct hitop_eventcount) +
            (size_t)layout->nranks * sizeof(struct hitop_node_member) +
            hitop_cma_bytes(layout->nranks) +
            (size_t)layout->nplaces * sizeof(struct hitop_node_place),
        PAGE);
}

size_t hitop_node_segment_bytes(const struct hitop_node_layout *layout)
{
    return ring_offset(layout) + layout->ring_bytes + hitop_outboxes_bytes(layout);
}

static void view(struct hitop_node *node, void *memory, const struct hitop_node_layout *layout)
{
    const int has_few = layout->nplaces == HITOP_NODE_FEW_PLACES;

    node->slots = memory;
    node->claims = (struct hitop_node_claim *)(node->slots + HITOP_NODE_SLOTS);
    node->eventcount = (struct hitop_eventcount *)(node->claims + HITOP_NODE_SLOTS);
    node->members = (struct hitop_node_member *)(node->eventcount + 1);
    node->peers = node->members + layout->nranks;
    node->places =
        (struct hitop_node_place *)((unsigned char *)node->peers + hitop_cma_bytes(layout->nranks));
    node->ring = (unsigned char *)memory + ring_offset(layout);
    node->ring_bytes = layout->ring_bytes;
    node->nplaces = (uint64_t)layout->nplaces;
    node->nslots = has_few ? HITOP_NODE_FEW_SLOTS : HITOP_NODE_SLOTS;
    node->ncells = has_few ? HITOP_NODE_CELLS : node->nplaces;
    node->nranks = layout->nranks;
}

void hitop_node_format(void *memory, const struct hitop_node_layout *layout)
{
    struct hitop_node node;

    view(&node, memory, layout);
    memset(memory, 0, ring_offset(layout)); /* rings are written before they are read */
    for (int i = 0; i < layout->nranks; i++) {
        atomic_init(&node.members[i].done, layout->first);
    }
    hitop_outboxes_format(node.ring + node.ring_bytes, layout);
}

void hitop_node_attach(struct hitop_node *node, void *memory,
                       const struct hitop_node_layout *layout, int me,
                       const struct hitop_wait *wait)
{
    *node = (struct hitop_node){.me = me, .wait = *wait, .seq = layout->first};
    view(node, memory, layout);
    hitop_outboxes_attach(node, node->ring + node->ring_bytes, layout);
    node->done_min = layout->first;
    node->slot.last = node->line.last = node->cell.last = layout->first;
    node->thresholds = hitop_thresholds_for(layout->nranks, wait->alone);
    hitop_wait_attach(&node->wait, node->eventcount);
}

void hitop_node_prove(struct hitop_node *node, int allowed)
{
    hitop_cma_prove(&node->cma, node->peers, node->nranks, node->me, allowed, &node->wait);
    node->outbox.direct = node->cma.works;
}

/*
 * Barrier: no rank completes it before all ranks have arrived.
 *
 * Idea:   Few ranks with a processor each (barrier_lines_to in thresholds.h) store their arrival in
 *         a line of their own and read the lines of the others: one transfer of a cache line. Each
 *         rank has two such lines, used in turn, so that the next one is fetched for writing while
 *         the program computes. Other ranks count their arrivals in one common word, so that each
 *         poll reads one line only.
 * Source: measured on an AMD EPYC, two ranks that arrive at about the same time, ns: 283 on
 *         different sockets, 213 with a shared cache; with both words in one line, so that the
 *         second writer has the word of the first, 323 and 213. One barrier after another 190 and
 *         53, in one line 135 and 52 (bench/RESULTS.md).
 */

/* The word in which `rank` stores its arrival at this barrier. */
static _Atomic uint64_t *came(const struct hitop_node *node, int rank, uint64_t round)
{
    return &hitop_outbox_of(node, rank)->came[round % 2].word;
}

void hitop_node_barrier(struct hitop_node *node)
{
    const uint64_t round = ++node->outbox.barriers;

    if (node->nranks <= node->thresholds->barrier_lines_to) {
        hitop_node_publish(node, came(node, node->me, round), round);
        for (int r = 0; r < node->nranks; r++) {
            if (r != node->me) {
                hitop_outbox_await(node, came(node, r, round), round);
            }
        }
        hitop_node_prefetch_to_write(came(node, node->me, round + 1));
    } else {
        _Atomic uint64_t *all = &hitop_outbox_of(node, 0)->all;

        (void)atomic_fetch_add_explicit(all, 1, memory_order_acq_rel);
        hitop_wait_notify(&node->wait);
        hitop_outbox_await(node, all, round * (uint64_t)node->nranks);
    }
    hitop_outbox_complete_all(node);
}
