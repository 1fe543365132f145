/* SPDX-License-Identifier: BSD-3-Clause */
/* presence.c - see presence.h. */
#include <config.h>

#include "presence.h"

#include "node_inside.h"

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
