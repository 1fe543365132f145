/* SPDX-License-Identifier: BSD-3-Clause */
/* node_read.c - readers of a broadcast copy the message out. */
#include <config.h>

#include "pull_bcast.h"
#include "staged.h"

/* Of the looks for a message, one in so many goes to where one of another kind would be, too. */
enum { LOOKS_PER_OTHER = 8 };

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
        memcpy(buffer, next_line(node, place, i, word), bytes);
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
    node->place = (struct hitop_cursor){.at = at, .is_answerable = 1};
    hitop_node_leave(node, node->offset);
    return total;
}

/* The first `bytes` of a short message of `total`. */
static void get_short(struct hitop_node *node, uint64_t at, unsigned char *buffer, size_t bytes,
                      size_t total)
{
    const struct hitop_node_place *shelf = hitop_node_shelf_at(node, at);
    const size_t half = hitop_node_first_half(total) < bytes ? hitop_node_first_half(total) : bytes;
    unsigned round = 0;

    memcpy(buffer, shelf->data, half);
    while (atomic_load_explicit(&shelf->rest, memory_order_acquire) != node->seq) {
        hitop_wait_relax(&node->wait, &round);
    }
    memcpy(buffer + half, shelf->data + half, bytes - half);
    node->place = (struct hitop_cursor){.at = at, .is_answerable = 1};
}

/* Is the message of the operation under way there in lines? */
static int is_lined(const struct hitop_node *node, const struct hitop_node_place *place)
{
    return atomic_load_explicit(&place->line[0].word, memory_order_acquire) >> LINE_SHIFT ==
           node->seq;
}

/* The tag of a slot that is there, 0: it is not. */
static uint64_t tag_of(const struct hitop_node *node, const struct hitop_node_slot *slot)
{
    const uint64_t tag = atomic_load_explicit(&slot->tag, memory_order_acquire);

    return tag >> 8 == node->seq ? tag : 0;
}

/* Before a look where the message is expected: is it time to look where another kind would be, too? */
static int is_time_for_both(const struct hitop_node *node, unsigned round)
{
    return round % LOOKS_PER_OTHER == LOOKS_PER_OTHER - 1 || round >= node->wait.spins;
}

/* Wait for a message that is expected in a slot; its tag, or LINED. */
static uint64_t await_slot(struct hitop_node *node, uint64_t slot_at, uint64_t place_at)
{
    const struct hitop_node_slot *slot = hitop_node_slot_at(node, slot_at);
    unsigned round = 0;
    uint64_t tag;

    while ((tag = tag_of(node, slot)) == 0) {
        if (is_time_for_both(node, round) && is_lined(node, hitop_node_place_at(node, place_at))) {
            return LINED;
        }
        hitop_wait_relax(&node->wait, &round);
    }
    if (round == 0) {
        hitop_node_fetch(hitop_node_slot_at(node, slot_at + 1));
    }
    return tag;
}

/* The same of one that is expected in lines. */
static uint64_t await_line(struct hitop_node *node, uint64_t slot_at, uint64_t place_at)
{
    const struct hitop_node_place *place = hitop_node_place_at(node, place_at);
    unsigned round = 0;
    uint64_t tag;

    while (!is_lined(node, place)) {
        if (is_time_for_both(node, round) &&
            (tag = tag_of(node, hitop_node_slot_at(node, slot_at))) != 0) {
            return tag;
        }
        hitop_wait_relax(&node->wait, &round);
    }
    if (round == 0) {
        hitop_node_fetch(hitop_node_place_at(node, place_at + 1));
    }
    return LINED;
}

int hitop_node_is_published(const struct hitop_node *node)
{
    const uint64_t slot_at = hitop_node_turn(node, &node->slot, 0);
    const uint64_t place_at = hitop_node_turn(node, &node->place, 0);

    return tag_of(node, hitop_node_slot_at(node, slot_at)) != 0 ||
           is_lined(node, hitop_node_place_at(node, place_at));
}

size_t hitop_node_read(struct hitop_node *node, void *buffer, size_t capacity, int *note)
{
    const uint64_t at = hitop_node_turn(node, &node->slot, 0);
    const uint64_t place_at = hitop_node_turn(node, &node->place, 0);
    const int expects_lines = capacity > HITOP_NODE_INLINE && capacity <= HITOP_NODE_LINED;
    const uint64_t tag =
        expects_lines ? await_line(node, at, place_at) : await_slot(node, at, place_at);
    const uint64_t kind = tag & KIND;
    struct hitop_node_slot *slot = hitop_node_slot_at(node, at);
    size_t total;

    hitop_node_has_met(node);
    if (kind == LINED) {
        return read_lines(node, place_at, buffer, capacity, note);
    }
    node->slot = (struct hitop_cursor){.at = at,
                                       .is_answerable = kind <= HITOP_NODE_INLINE || kind == SHORT};
    *note = (tag & NOTE) != 0;
    if (kind == STAGED || kind == PIECED) {
        node->wrote_last = 0;
        return kind == STAGED ? hitop_staged_read(node, slot, buffer, capacity)
                              : hitop_node_read_pieces(node, slot, buffer, capacity);
    }
    if (kind == PULLED) {
        return hitop_pull_bcast_read(node, slot, buffer, capacity);
    }
    total = kind <= HITOP_NODE_INLINE ? (size_t)kind : (size_t)slot->u.total;
    capacity = total < capacity ? total : capacity;
    hitop_wait_charge(capacity);
    if (kind == SHORT) {
        get_short(node, place_at, buffer, capacity, total);
    } else {
        hitop_node_copy_few(buffer, slot->u.data, capacity);
    }
    hitop_node_leave(node, node->offset);
    return total;
}
