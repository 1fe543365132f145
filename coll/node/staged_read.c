/* SPDX-License-Identifier: BSD-3-Clause */
/* staged_read.c - readers copy a long message out of the ring, while it comes. */
#include <config.h>

#include "coll/node/staged.h"

#include <string.h>

/* A message that is being read. */
struct reading {
    struct hitop_node *node;
    const struct hitop_node_slot *slot;
    uint64_t total, got; /* bytes */
    uint64_t place;      /* in memory of the node, of what is not in the ring; 0: nothing yet */
};

/* The next byte, in the ring's offsets. */
static uint64_t position(const struct reading *r)
{
    return r->slot->u.staged.start + r->got;
}

/* Wait for more than was read, and learn where it is. Returns up to where the ring is filled. */
static uint64_t await(struct reading *r)
{
    const uint64_t at = position(r);
    unsigned round = 0;
    uint64_t fill;

    while ((fill = atomic_load_explicit(&r->slot->u.staged.fill, memory_order_acquire)) <= at) {
        hitop_wait_relax(&r->node->wait, &round);
    }
    r->place = atomic_load_explicit(&r->slot->u.staged.place, memory_order_acquire);
    return fill;
}

/* Copy the bytes that are there and in one place, as far as there is room; returns how many were there. */
static uint64_t take_piece(struct reading *r, unsigned char *buffer, size_t capacity)
{
    struct hitop_node *node = r->node;
    uint64_t bytes = await(r) - position(r);
    const uint64_t in_ring = r->place != 0 ? r->slot->u.staged.in_ring : r->total;
    const int is_elsewhere = r->got >= in_ring;
    const uint64_t most = (is_elsewhere ? r->total : in_ring) - r->got;
    size_t wanted;

    bytes = bytes < most ? bytes : most;
    wanted = bytes < capacity ? (size_t)bytes : capacity;
    if (wanted == 0) { /* then there may be no address */
    } else if (is_elsewhere) {
        memcpy(buffer,
               (const unsigned char *)hitop_arena_at(node->arena, r->place) + r->got - in_ring,
               wanted);
    } else {
        hitop_node_copy_out(node, position(r), buffer, wanted);
    }
    hitop_wait_charge(wanted);
    return bytes;
}

size_t hitop_staged_read(struct hitop_node *node, const struct hitop_node_slot *slot,
                         unsigned char *buffer, size_t capacity)
{
    struct hitop_node_member *mine = &node->members[node->me];
    struct reading r = {.node = node, .slot = slot, .total = slot->u.staged.total};

    while (r.got < r.total) {
        const uint64_t bytes = take_piece(&r, buffer, capacity);
        const size_t piece = bytes < capacity ? (size_t)bytes : capacity;

        buffer += piece;
        capacity -= piece;
        r.got += bytes;
        if (r.got < r.total && r.place == 0) { /* the writer may be waiting for this room */
            atomic_store_explicit(&mine->consumed, position(&r), memory_order_release);
            hitop_wait_ring(&node->wait);
        }
    }
    if (r.place != 0) {
        hitop_arena_drop(node->arena, r.place, 1);
    }
    hitop_node_leave(node, hitop_node_offset_after(slot->u.staged.start,
                                                   r.place ? slot->u.staged.in_ring : r.total));
    if (node->nranks == 2) { /* the writer reads nothing of it */
        node->consumed_min = node->offset;
    }
    return (size_t)r.total;
}
