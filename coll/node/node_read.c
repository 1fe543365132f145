/* SPDX-License-Identifier: BSD-3-Clause */
/* node_read.c - readers of a broadcast copy the message out. */
#include <config.h>

#include "pull_bcast.h"
#include "staged.h"

/* Wait for line `i` of this operation; its bytes. */
static const unsigned char *await_line(struct hitop_node *node, size_t i)
{
    struct hitop_node_place *place = hitop_node_place_of(node);
    unsigned round = 0;

    while (atomic_load_explicit(&place->line[i].seq, memory_order_acquire) != node->seq) {
        hitop_wait_relax(&node->wait, &round);
    }
    return place->line[i].data;
}

static void get_lines(struct hitop_node *node, unsigned char *buffer, size_t bytes)
{
    size_t i = 0;

    for (; bytes >= FLAGGED; buffer += FLAGGED, bytes -= FLAGGED) {
        memcpy(buffer, await_line(node, i++), FLAGGED);
    }
    if (bytes > 0) {
        memcpy(buffer, await_line(node, i), bytes);
    }
}

/* The first `bytes` of a short message of `total`. */
static void get_short(struct hitop_node *node, unsigned char *buffer, size_t bytes, size_t total)
{
    struct hitop_node_place *place = hitop_node_place_of(node);
    const size_t half = hitop_node_first_half(total) < bytes ? hitop_node_first_half(total) : bytes;
    unsigned round = 0;

    memcpy(buffer, place->data, half);
    if (half < bytes) {
        while (atomic_load_explicit(&place->rest, memory_order_acquire) != node->seq) {
            hitop_wait_relax(&node->wait, &round);
        }
        memcpy(buffer + half, place->data + half, bytes - half);
    }
}

size_t hitop_node_read(struct hitop_node *node, void *buffer, size_t capacity, int *note)
{
    struct hitop_node_slot *slot = hitop_node_slot_of(node, node->seq);
    unsigned round = 0;
    uint64_t tag, kind;
    size_t total;

    while ((tag = atomic_load_explicit(&slot->tag, memory_order_acquire)) >> 8 != node->seq) {
        hitop_wait_relax(&node->wait, &round);
    }
    if (round == 0) {
        hitop_node_fetch(hitop_node_slot_of(node, node->seq + 1));
    }
    hitop_node_has_met(node);
    kind = tag & KIND;
    *note = (tag & NOTE) != 0;
    if (kind == STAGED) {
        return hitop_staged_read(node, slot, buffer, capacity);
    }
    if (kind == PIECED) {
        return hitop_node_read_pieces(node, buffer, capacity);
    }
    if (kind == PULLED) {
        return hitop_pull_bcast_read(node, buffer, capacity);
    }
    total = kind <= HITOP_NODE_INLINE ? (size_t)kind : (size_t)slot->u.total;
    capacity = total < capacity ? total : capacity;
    hitop_wait_charge(capacity);
    if (kind == LINED) {
        get_lines(node, buffer, capacity);
    } else if (kind == SHORT) {
        get_short(node, buffer, capacity, total);
    } else {
        memcpy(buffer, slot->u.data, capacity);
    }
    hitop_node_leave(node, node->offset);
    return total;
}
