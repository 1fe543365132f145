/* SPDX-License-Identifier: BSD-3-Clause */
/* node_read.c - readers of a broadcast copy the message out. */
#include <config.h>

#include "pull_bcast.h"
#include "staged.h"

/* Of the looks at the first line of a message, one in so many goes to the slot as well: it may be of another kind. */
enum { LOOKS_PER_SLOT = 8 };

/* Wait for line `i` of the message whose lines have this word; its bytes. */
static const unsigned char *
await_line(struct hitop_node *node, const struct hitop_node_place *place, size_t i, uint64_t word)
{
    unsigned round = 0;

    while (atomic_load_explicit(&place->line[i].word, memory_order_acquire) != word) {
        hitop_wait_relax(&node->wait, &round);
    }
    return place->line[i].data;
}

static void get_lines(struct hitop_node *node, const struct hitop_node_place *place,
                      unsigned char *buffer, size_t bytes, uint64_t word)
{
    size_t i = 0;

    for (; bytes >= FLAGGED; buffer += FLAGGED, bytes -= FLAGGED) {
        memcpy(buffer, await_line(node, place, i++, word), FLAGGED);
    }
    if (bytes > 0) {
        memcpy(buffer, await_line(node, place, i, word), bytes);
    }
}

/* A message whose first line is there. */
static size_t read_lines(struct hitop_node *node, void *buffer, size_t capacity, int *note)
{
    const struct hitop_node_place *place = hitop_node_place_of(node, node->seq);
    const uint64_t word = atomic_load_explicit(&place->line[0].word, memory_order_relaxed);
    const size_t total = (size_t)(word & LINE_BYTES);

    *note = (word & LINE_NOTE) != 0;
    capacity = total < capacity ? total : capacity;
    hitop_wait_charge(capacity);
    get_lines(node, place, buffer, capacity, word);
    hitop_node_leave(node, node->offset);
    return total;
}

/* The first `bytes` of a short message of `total`. */
static void get_short(struct hitop_node *node, unsigned char *buffer, size_t bytes, size_t total)
{
    struct hitop_node_place *shelf = hitop_node_shelf_of(node, node->seq);
    const size_t half = hitop_node_first_half(total) < bytes ? hitop_node_first_half(total) : bytes;
    unsigned round = 0;

    memcpy(buffer, shelf->data, half);
    if (half < bytes) {
        while (atomic_load_explicit(&shelf->rest, memory_order_acquire) != node->seq) {
            hitop_wait_relax(&node->wait, &round);
        }
        memcpy(buffer + half, shelf->data + half, bytes - half);
    }
}

/* Wait for the slot's word. */
static uint64_t await_slot(struct hitop_node *node, const struct hitop_node_slot *slot)
{
    unsigned round = 0;
    uint64_t tag;

    while ((tag = atomic_load_explicit(&slot->tag, memory_order_acquire)) >> 8 != node->seq) {
        hitop_wait_relax(&node->wait, &round);
    }
    if (round == 0) {
        hitop_node_fetch(hitop_node_slot_of(node, node->seq + 1));
    }
    return tag;
}

/*
 * The same where a message in lines is expected, whose first one is there before the slot's word: LINED once it is. Who has
 * begun to yield always looks at both.
 */
static uint64_t await_line_or_slot(struct hitop_node *node, const struct hitop_node_slot *slot)
{
    const struct hitop_node_place *place = hitop_node_place_of(node, node->seq);
    unsigned round = 0;
    uint64_t tag;

    while (atomic_load_explicit(&place->line[0].word, memory_order_acquire) >> LINE_SHIFT !=
           node->seq) {
        if (round % LOOKS_PER_SLOT == LOOKS_PER_SLOT - 1 || round >= node->wait.spins) {
            tag = atomic_load_explicit(&slot->tag, memory_order_acquire);
            if (tag >> 8 == node->seq) {
                return tag;
            }
        }
        hitop_wait_relax(&node->wait, &round);
    }
    if (round == 0) {
        hitop_node_fetch(hitop_node_place_of(node, node->seq + 1));
    }
    return LINED;
}

size_t hitop_node_read(struct hitop_node *node, void *buffer, size_t capacity, int *note)
{
    struct hitop_node_slot *slot = hitop_node_slot_of(node, node->seq);
    const int expects_lines = capacity > HITOP_NODE_INLINE && capacity <= HITOP_NODE_LINED;
    const uint64_t tag = expects_lines ? await_line_or_slot(node, slot) : await_slot(node, slot);
    const uint64_t kind = tag & KIND;
    size_t total;

    hitop_node_has_met(node);
    if (kind == LINED) {
        return read_lines(node, buffer, capacity, note);
    }
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
    if (kind == SHORT) {
        get_short(node, buffer, capacity, total);
    } else {
        hitop_node_copy_few(buffer, slot->u.data, capacity);
    }
    hitop_node_leave(node, node->offset);
    return total;
}
