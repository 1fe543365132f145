/* SPDX-License-Identifier: BSD-3-Clause */
/* node_read.c - readers of a broadcast copy the message out. */
#include <config.h>

#include "coll/node/node_await.h"
#include "coll/node/pull_bcast.h"
#include "coll/node/staged.h"

/* Wait for line `i` of the message whose lines have this word; its bytes. */
static const unsigned char *next_line(struct hitop_node *node, const struct hitop_node_place *place,
                                      size_t i, uint64_t word)
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
        memcpy(buffer, next_line(node, place, i++, word), FLAGGED);
    }
    if (bytes > 0) {
        hitop_node_copy_few(buffer, next_line(node, place, i, word), bytes);
    }
}

/* A message whose first line is there. Who leaves before the last one is there would be answered while it is written. */
static size_t read_lines(struct hitop_node *node, uint64_t at, void *buffer, size_t capacity,
                         int *note)
{
    const struct hitop_node_place *place = hitop_node_place_at(node, at);
    const uint64_t word = atomic_load_explicit(&place->line[0].word, memory_order_relaxed);
    const size_t total = (size_t)(word & LINE_BYTES);

    *note = (word & LINE_NOTE) != 0;
    hitop_wait_charge(total < capacity ? total : capacity);
    get_lines(node, place, buffer, total < capacity ? total : capacity, word);
    if (capacity < total) {
        (void)next_line(node, place, (total - 1) / FLAGGED, word);
    }
    hitop_cursor_take(&node->line, at, 0, 1, (word & LINE_KEEPS) != 0);
    hitop_node_leave(node, node->offset);
    return total;
}

/* The first `bytes` of a short message of `total`. */
static void get_short(struct hitop_node *node, unsigned char *buffer, size_t bytes, size_t total)
{
    const uint64_t at = hitop_node_turn(node, &node->shelf, 0);
    const struct hitop_node_place *shelf = hitop_node_shelf_at(node, at);
    const size_t half = hitop_node_first_half(total) < bytes ? hitop_node_first_half(total) : bytes;
    unsigned round = 0;

    if (half > 0) { /* otherwise there may be no address */
        memcpy(buffer, shelf->data, half);
    }
    while (atomic_load_explicit(&shelf->rest, memory_order_acquire) != node->seq) {
        hitop_wait_relax(&node->wait, &round);
    }
    if (half < bytes) {
        memcpy(buffer + half, shelf->data + half, bytes - half);
    }
    hitop_cursor_take(&node->shelf, at, 0, 1, 0);
}

int hitop_node_is_published(const struct hitop_node *node)
{
    const struct hitop_node_sources s = hitop_node_sources_of(node, NULL);

    return hitop_node_look(node, &s) != 0;
}

size_t hitop_node_take(struct hitop_node *node, const struct hitop_node_sources *s, uint64_t tag,
                       void *buffer, size_t capacity, int *note)
{
    const uint64_t kind = tag & KIND;
    struct hitop_node_slot *slot = hitop_node_slot_at(node, s->slot_at);
    size_t total;

    hitop_node_has_met(node);
    if (kind == LINED) {
        return read_lines(node, s->line_at, buffer, capacity, note);
    }
    hitop_cursor_take(&node->slot, s->slot_at, 0, kind <= HITOP_NODE_INLINE || kind == SHORT,
                      (tag & KEEPS) != 0);
    *note = (tag & NOTE) != 0;
    if (kind == STAGED || kind == PIECED || kind == PULLED) {
        node->wrote_last = 0;
        if (kind == STAGED) {
            node->followed = (enum hitop_course)slot->u.staged.course;
            node->length = hitop_course_length(&node->courses, (size_t)slot->u.staged.total);
        }
        return kind == STAGED   ? hitop_staged_read(node, slot, buffer, capacity)
               : kind == PIECED ? hitop_node_read_pieces(node, slot, buffer, capacity)
                                : hitop_pull_bcast_read(node, slot, buffer, capacity);
    }
    total = hitop_node_length(node, s, tag);
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

size_t hitop_node_read(struct hitop_node *node, void *buffer, size_t capacity, int *note)
{
    const struct hitop_node_sources s = hitop_node_sources_of(node, NULL);

    if (hitop_pull_bcast_suits(node, capacity)) {
        hitop_pull_bcast_await(node);
    }
    return hitop_node_take(node, &s, hitop_node_await(node, &s, capacity), buffer, capacity, note);
}
