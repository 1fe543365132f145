/* SPDX-License-Identifier: BSD-3-Clause */
/* claim.c - which process leads an operation: the first one that asks, or the last one to come. */
#include <config.h>

#include "coll/node/node_inside.h"
#include "coll/node/operations.h"

int hitop_node_claim(struct hitop_node *node)
{
    _Atomic uint64_t *word = &node->claims[node->seq % HITOP_NODE_SLOTS].word;
    uint64_t seen = atomic_load_explicit(word, memory_order_relaxed);
    unsigned round = 0;

    /* the process that claims may write: all have left the operation that used the slot before */
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

/*
 * The last one to come to an operation.
 *
 * Idea:   where all bring something and one of them has to go on with it, the last one is the only
 *         one that need not wait for anybody: all others deposit and leave. Processes draw tickets
 *         from the word that operations without a known writer are claimed with, which this kind of
 *         operation does not need.
 * Source: coming last as a role: Mellor-Crummey & Scott, Algorithms for scalable synchronization,
 *         TOCS 9 (1991), barriers with a counter.
 */

/* Below the number of the operation: tickets drawn, or who was last. */
enum { FOUND = 0x8000, NUMBER = 0x7fff };

static _Atomic uint64_t *word_of(const struct hitop_node *node)
{
    return &node->claims[node->seq % HITOP_NODE_SLOTS].word;
}

int hitop_node_last(const struct hitop_node *node)
{
    const uint64_t word = atomic_load_explicit(word_of(node), memory_order_acquire);

    return word >> 16 == node->seq && word & FOUND ? (int)(word & NUMBER) : HITOP_NODE_LAST;
}

int hitop_node_comes_last(struct hitop_node *node)
{
    _Atomic uint64_t *word = word_of(node);
    uint64_t seen, next;
    unsigned round = 0;

    /* all have left the operation that used the word before */
    while (!hitop_node_slot_is_free(node, HITOP_NODE_SLOTS)) {
        hitop_wait_relax(&node->wait, &round);
    }
    seen = atomic_load_explicit(word, memory_order_relaxed);
    do {
        next = seen >> 16 == node->seq ? seen + 1 : node->seq << 16 | 1;
    } while (!atomic_compare_exchange_weak_explicit(word, &seen, next, memory_order_acq_rel,
                                                    memory_order_relaxed));
    if ((next & NUMBER) != (uint64_t)node->nranks) {
        return 0;
    }
    atomic_store_explicit(word, node->seq << 16 | FOUND | (uint64_t)node->me, memory_order_release);
    hitop_wait_ring(&node->wait);
    return 1;
}
