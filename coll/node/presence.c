/* SPDX-License-Identifier: BSD-3-Clause */
/* presence.c - see presence.h. */
#include <config.h>

#include "coll/node/presence.h"

#include "coll/node/node_inside.h"

void hitop_presence_note(struct hitop_node *node, uint64_t note)
{
    struct hitop_node_member *mine = &node->members[node->me];

    atomic_store_explicit(&mine->note, note, memory_order_relaxed);
    atomic_store_explicit(&mine->waits_in, node->seq, memory_order_release);
}

enum hitop_presence hitop_presence_of(const struct hitop_node *node, int rank, uint64_t *note)
{
    const struct hitop_node_member *theirs = &node->members[rank];

    if (atomic_load_explicit(&theirs->done, memory_order_acquire) >= node->seq) {
        return HITOP_GONE;
    }
    if (atomic_load_explicit(&theirs->waits_in, memory_order_acquire) != node->seq) {
        return HITOP_ABSENT;
    }
    *note = atomic_load_explicit(&theirs->note, memory_order_relaxed);
    return HITOP_WAITS;
}

void hitop_presence_mark(struct hitop_node *node, uint64_t mark)
{
    _Atomic uint64_t *mine = &node->members[node->me].mark;

    if (atomic_load_explicit(mine, memory_order_relaxed) != mark) {
        atomic_store_explicit(mine, mark, memory_order_relaxed);
    }
}

uint64_t hitop_presence_marked(const struct hitop_node *node, int rank)
{
    return atomic_load_explicit(&node->members[rank].mark, memory_order_relaxed);
}
