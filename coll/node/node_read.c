/* SPDX-License-Identifier: BSD-3-Clause */
/* node_read.c - readers of a broadcast copy the message out. */
#include <config.h>

#include "pull_bcast.h"

/*
 * Copy the bytes from absolute ring offset `at` up to `fill`, or those of them that lie in one place; returns the offset
 * after them.
 */
static uint64_t take_piece(struct hitop_node *node, const struct hitop_node_slot *slot, uint64_t at,
                           uint64_t fill, unsigned char *buffer, size_t capacity)
{
    const uint64_t place = atomic_load_explicit(&slot->u.staged.place, memory_order_acquire);
    const uint64_t elsewhere = slot->u.staged.start + (place ? slot->u.staged.in_ring : 0);
    size_t wanted;

    if (place != 0 && at < elsewhere && fill > elsewhere) {
        fill = elsewhere;
    }
    wanted = fill - at < capacity ? (size_t)(fill - at) : capacity;
    if (place != 0 && at >= elsewhere) {
        memcpy(buffer, (const unsigned char *)hitop_arena_at(node->arena, place) + (at - elsewhere),
               wanted);
    } else {
        hitop_node_copy_out(node, at, buffer, wanted);
    }
    return fill;
}

/* All is read; the ring goes on where the message has left it. */
static void leave_staged(struct hitop_node *node, const struct hitop_node_slot *slot)
{
    const uint64_t place = atomic_load_explicit(&slot->u.staged.place, memory_order_relaxed);
    const uint64_t in_ring = place ? slot->u.staged.in_ring : slot->u.staged.total;

    if (place != 0) {
        hitop_arena_drop(node->arena, place, 1);
    }
    hitop_node_leave(node, hitop_node_offset_after(slot->u.staged.start, (size_t)in_ring));
}

static size_t get_staged(struct hitop_node *node, struct hitop_node_slot *slot,
                         unsigned char *buffer, size_t capacity)
{
    struct hitop_node_member *mine = &node->members[node->me];
    const uint64_t total = slot->u.staged.total;
    const uint64_t end = slot->u.staged.start + total;
    uint64_t at = slot->u.staged.start;

    while (at < end) {
        unsigned round = 0;
        uint64_t fill;
        size_t piece;

        while ((fill = atomic_load_explicit(&slot->u.staged.fill, memory_order_acquire)) <= at) {
            hitop_wait_relax(&node->wait, &round);
        }
        fill = take_piece(node, slot, at, fill, buffer, capacity);
        piece = fill - at < capacity ? (size_t)(fill - at) : capacity;
        hitop_wait_charge(piece);
        buffer += piece;
        capacity -= piece;
        at = fill;
        if (at < end && atomic_load_explicit(&slot->u.staged.place, memory_order_relaxed) == 0) {
            /* the writer may be waiting for this room */
            atomic_store_explicit(&mine->consumed, at, memory_order_release);
            hitop_wait_ring(&node->wait);
        }
    }
    leave_staged(node, slot);
    return (size_t)total;
}

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
    while (atomic_load_explicit(&place->rest, memory_order_acquire) != node->seq) {
        hitop_wait_relax(&node->wait, &round);
    }
    memcpy(buffer + half, place->data + half, bytes - half);
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
    kind = tag & KIND;
    *note = (tag & NOTE) != 0;
    if (kind == STAGED) {
        return get_staged(node, slot, buffer, capacity);
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
