/* SPDX-License-Identifier: BSD-3-Clause */
/* bcast.c - a broadcast through the shared memory of a node: its writer, its readers, pieces in any order. */
#include <config.h>

#include "coll/node/node_await.h"
#include "coll/node/pull_bcast.h"
#include "coll/node/spill.h"
#include "coll/node/staged.h"

void hitop_node_open(struct hitop_node_writer *writer, size_t total, int note)
{
    *writer = (struct hitop_node_writer){.total = total, .note = note ? NOTE : 0};
}

/* All of an operation whose slot is free. */
static void put_inline(struct hitop_node *node, uint64_t note, const void *data, size_t bytes)
{
    const uint64_t at = hitop_node_turn(node, &node->slot, 1);
    struct hitop_node_slot *slot = hitop_node_slot_at(node, at);
    const int goes_on = node->slot.is_mine;

    hitop_wait_charge(bytes);
    hitop_node_copy_few(slot->u.data, data, bytes);
    atomic_store_explicit(&slot->tag, node->seq << TAG_SHIFT | note | bytes, memory_order_release);
    hitop_cursor_take(&node->slot, at, 1, 1);
    hitop_node_leave(node, node->offset);
    if (goes_on) {
        hitop_node_fetch_to_write(hitop_node_slot_at(node, at + 1));
    }
}

/* Nothing is told in a slot: its line would be fetched for this message only. */
static void publish_lines(struct hitop_node *node, uint64_t note, const unsigned char *data,
                          const size_t total)
{
    const uint64_t at = hitop_node_turn(node, &node->line, 1);
    struct hitop_node_place *place = hitop_node_place_at(node, at);
    const uint64_t word = node->seq << LINE_SHIFT | (note ? LINE_NOTE : 0) | total;
    size_t i = 0, bytes = total;

    for (; bytes >= FLAGGED; i++, data += FLAGGED, bytes -= FLAGGED) {
        memcpy(place->line[i].data, data, FLAGGED); /* a constant length copies faster */
        atomic_store_explicit(&place->line[i].word, word, memory_order_release);
    }
    if (bytes > 0) {
        memcpy(place->line[i].data, data, bytes);
        atomic_store_explicit(&place->line[i].word, word, memory_order_release);
    }
    if (node->line.is_mine) {
        hitop_node_fetch_lines(hitop_node_place_at(node, at + 1), total, 1);
    }
    hitop_cursor_take(&node->line, at, 1, 1);
}

static void publish_short(struct hitop_node *node, uint64_t note, const unsigned char *data,
                          size_t bytes)
{
    const uint64_t at = hitop_node_turn(node, &node->shelf, 1);
    struct hitop_node_place *shelf = hitop_node_shelf_at(node, at);
    struct hitop_node_slot *slot = hitop_node_take_slot(node);
    const size_t half = hitop_node_first_half(bytes);
    const int goes_on = node->shelf.is_mine;

    memcpy(shelf->data, data, half);
    slot->u.total = bytes;
    atomic_store_explicit(&slot->tag, node->seq << TAG_SHIFT | note | SHORT, memory_order_release);
    memcpy(shelf->data + half, data + half, bytes - half);
    atomic_store_explicit(&shelf->rest, node->seq, memory_order_release);
    hitop_cursor_take(&node->shelf, at, 1, 1);
    node->slot.is_answerable = 1;
    if (goes_on) {
        hitop_node_fetch_room(hitop_node_shelf_at(node, at + 1)->data, bytes);
    }
}

/*
 * A long message begins: its slot, and where in the ring. A writer that goes on writing uses the ring from end to end, so
 * that it can run ahead of its readers. One that answers begins again at the first byte, if the readers have left it: it has
 * just read these lines, and they are in its cache.
 */
static void begin_in_ring(struct hitop_node *node, struct hitop_node_writer *writer)
{
    const size_t hot = writer->total < HITOP_NODE_HOT ? writer->total : HITOP_NODE_HOT;
    const size_t index = (size_t)(node->offset % node->ring_bytes);
    const uint64_t anew = node->offset - index + node->ring_bytes;

    writer->slot = hitop_node_take_slot(node);
    writer->goes_on = node->wrote_last;
    if (!writer->goes_on && index > 0 && hitop_node_ring_is_free(node, anew, hot)) {
        node->offset = anew;
    }
    node->wrote_last = 1;
}

/* Where in the ring the next bytes go. */
static uint64_t position(const struct hitop_node *node, const struct hitop_node_writer *writer)
{
    return node->offset + writer->written;
}

/* Have all others begun to read? */
static int all_read(const struct hitop_node *node)
{
    return node->consumed_min > node->offset;
}

/*
 * Room for the next `piece` bytes, in the ring, or in memory of the node once the ring has been full for too long
 * because readers do not come.
 */
static int has_room(struct hitop_node *node, struct hitop_node_writer *writer, size_t piece)
{
    const size_t rest = writer->total - writer->written;

    if (writer->place != 0) {
        return 1;
    }
    if (hitop_node_ring_is_free(node, position(node, writer), piece)) {
        writer->since = 0;
        return 1;
    }
    if (!node->arena || all_read(node) ||
        !hitop_spill_is_due(&writer->since, rest, node->thresholds->patience)) {
        return 0;
    }
    writer->place = hitop_arena_take(node->arena, rest, (unsigned)node->nranks, NULL);
    writer->in_ring = writer->written;
    writer->since = 0;
    return writer->place != 0;
}

static void put_piece(struct hitop_node *node, const struct hitop_node_writer *writer,
                      const unsigned char *from, size_t bytes)
{
    struct hitop_node_slot *slot = writer->slot;

    if (writer->place == 0) {
        hitop_node_copy_in(node, position(node, writer), from, bytes);
        return;
    }
    memcpy((unsigned char *)hitop_arena_at(node->arena, writer->place) + writer->written -
               writer->in_ring,
           from, bytes);
    if (writer->written == writer->in_ring) { /* the readers look there after this piece */
        slot->u.staged.in_ring = writer->in_ring;
        atomic_store_explicit(&slot->u.staged.place, writer->place, memory_order_release);
    }
}

static void leave_staged(struct hitop_node *node, const struct hitop_node_writer *writer)
{
    if (writer->place != 0) {
        hitop_arena_drop(node->arena, writer->place, 1);
    }
    hitop_node_leave(node, hitop_node_offset_after(node->offset, writer->place ? writer->in_ring
                                                                               : writer->total));
    if (writer->goes_on) { /* the next message probably follows this one in the ring */
        const size_t index = (size_t)(node->offset % node->ring_bytes);
        const size_t rest = node->ring_bytes - index;

        hitop_node_fetch_room(node->ring + index, writer->total < rest ? writer->total : rest);
    }
}

/* A message without a place in the ring is written whole or not at all. */
static size_t write_at_once(struct hitop_node *node, struct hitop_node_writer *writer,
                            const unsigned char *data, size_t bytes)
{
    if (bytes < writer->total) {
        return 0;
    }
    if (bytes <= HITOP_NODE_INLINE) {
        put_inline(node, writer->note, data, bytes);
    } else if (bytes <= HITOP_NODE_LINED ? !hitop_node_slot_is_free(node, node->nplaces)
                                         : !hitop_node_slot_is_free(node, node->nshelves)) {
        return 0;
    } else {
        hitop_wait_charge(bytes);
        if (bytes <= HITOP_NODE_LINED) {
            publish_lines(node, writer->note, data, bytes);
        } else {
            publish_short(node, writer->note, data, bytes);
        }
        hitop_node_leave(node, node->offset);
    }
    writer->written = bytes;
    return bytes;
}

size_t hitop_node_write(struct hitop_node *node, struct hitop_node_writer *writer, const void *data,
                        size_t bytes)
{
    const size_t before = writer->written, fragment = hitop_node_fragment(node, writer->total);
    const unsigned char *from = data;

    if (!writer->slot && !hitop_node_slot_is_free(node, node->nslots)) {
        return 0;
    }
    if (writer->total <= HITOP_NODE_SHORT) {
        return write_at_once(node, writer, from, bytes);
    }
    if (!writer->slot) {
        begin_in_ring(node, writer);
    }
    while (bytes > 0) {
        const size_t piece = bytes < fragment ? bytes : fragment;

        if (!has_room(node, writer, piece)) {
            break;
        }
        hitop_wait_charge(piece);
        put_piece(node, writer, from, piece);
        hitop_node_publish_fill(node, writer, STAGED, position(node, writer) + piece);
        writer->written += piece;
        from += piece;
        bytes -= piece;
    }
    if (writer->written == writer->total) {
        leave_staged(node, writer);
    }
    return writer->written - before;
}

/*
 * Between looks of a writer that has run ahead of its readers as far as there is room: each look takes the line in which they say
 * how far they are, which they write in every operation. So that of a short message comes when some operations more are over.
 * Measured on an Intel Xeon, gathers of 8 bytes one after another, ns: 93 with looks at once, 71 to 57 with rests of 100 to 400.
 */
static void wait_for_room(struct hitop_node *node, size_t bytes, unsigned *round)
{
    enum { RESTS = 8 };

    node->waits_room += *round == 0;
    for (int i = 0; i < RESTS && node->wait.alone && bytes <= HITOP_NODE_SHORT; i++) {
        hitop_wait_rest(&node->wait);
    }
    hitop_wait_relax(&node->wait, round);
}

void hitop_node_put_copy(struct hitop_node *node, const void *data, size_t bytes, int note)
{
    const unsigned char *from = data;
    struct hitop_node_writer writer;
    unsigned round = 0;

    if (bytes <= HITOP_NODE_INLINE) {
        while (!hitop_node_slot_is_free(node, node->nslots)) {
            wait_for_room(node, bytes, &round);
        }
        put_inline(node, note ? NOTE : 0, data, bytes);
        return;
    }
    hitop_node_open(&writer, bytes, note);
    while (writer.written < bytes) {
        if (hitop_node_write(node, &writer, from + writer.written, bytes - writer.written) == 0) {
            wait_for_room(node, bytes, &round);
        } else {
            round = 0;
        }
    }
}

void hitop_node_put(struct hitop_node *node, const void *data, size_t bytes, int note)
{
    if (bytes > HITOP_NODE_INLINE && hitop_pull_bcast_suits(node, bytes) &&
        hitop_pull_bcast_is_awaited(node, bytes)) {
        hitop_pull_bcast_write(node, data, bytes, note);
    } else {
        hitop_node_put_copy(node, data, bytes, note);
    }
}

/* Readers of a broadcast copy the message out. */

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
    hitop_cursor_take(&node->line, at, 0, 1);
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
    hitop_cursor_take(&node->shelf, at, 0, 1);
}

int hitop_node_is_published(const struct hitop_node *node)
{
    const struct hitop_node_sources s = hitop_node_sources_of(node, NULL);

    return hitop_node_look(node, &s) != 0;
}

static size_t hitop_node_read_pieces(struct hitop_node *node, const struct hitop_node_slot *slot,
                                     void *buffer, size_t capacity);

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
    hitop_cursor_take(&node->slot, s->slot_at, 0, kind <= HITOP_NODE_INLINE || kind == SHORT);
    *note = (tag & NOTE) != 0;
    if (kind == STAGED || kind == PIECED || kind == PULLED) {
        node->wrote_last = 0;
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

/*
 * A broadcast on a node whose pieces come in any order.
 *
 * Idea:   the ring holds records, each of which says where in the message its bytes belong; a reader puts them there
 *         as they come, and has all when they add up to the length of the message.
 * Use:    who gets a message from other nodes in parts, and may not wait for the first one to share the others.
 */

/* In the ring, before its bytes. */
struct record {
    uint64_t at, bytes;
};

/* What a record takes of the ring. */
static size_t span(size_t bytes)
{
    return sizeof(struct record) + hitop_node_round_up(bytes, sizeof(struct record));
}

size_t hitop_node_write_piece(struct hitop_node *node, struct hitop_node_writer *writer,
                              const void *data, size_t at, size_t bytes)
{
    const size_t fragment = hitop_node_fragment(node, writer->total);
    const unsigned char *from = data;
    size_t done = 0;

    if (!writer->slot) {
        if (!hitop_node_slot_is_free(node, node->nslots)) {
            return 0;
        }
        begin_in_ring(node, writer);
    }
    while (done < bytes) {
        const size_t n = bytes - done < fragment ? bytes - done : fragment;
        const struct record record = {.at = at + done, .bytes = n};
        const uint64_t start = node->offset + writer->in_ring;

        if (!hitop_node_ring_is_free(node, start, span(n))) {
            break;
        }
        hitop_wait_charge(n);
        hitop_node_copy_in(node, start, (const unsigned char *)&record, sizeof(record));
        hitop_node_copy_in(node, start + sizeof(record), from + done, n);
        hitop_node_publish_fill(node, writer, PIECED, start + span(n));
        writer->in_ring += span(n);
        writer->written += n;
        done += n;
    }
    if (writer->written == writer->total) {
        hitop_node_leave(node, hitop_node_offset_after(node->offset, writer->in_ring));
    }
    return done;
}

/* The record at `at`, as far as there is room for it; its bytes. */
static size_t take_record(struct hitop_node *node, uint64_t at, unsigned char *buffer,
                          size_t capacity)
{
    struct record record;

    hitop_node_copy_out(node, at, (unsigned char *)&record, sizeof(record));
    if (record.at < capacity) {
        const size_t room = capacity - (size_t)record.at;
        const size_t n = record.bytes < room ? (size_t)record.bytes : room;

        hitop_wait_charge(n);
        hitop_node_copy_out(node, at + sizeof(record), buffer + record.at, n);
    }
    return (size_t)record.bytes;
}

/* A reader's part of the operation under way, after it has seen in its slot that its message comes in pieces. */
static size_t hitop_node_read_pieces(struct hitop_node *node, const struct hitop_node_slot *slot,
                                     void *buffer, size_t capacity)
{
    const uint64_t start = slot->u.staged.start;
    const size_t total = (size_t)slot->u.staged.total;
    uint64_t at = start;

    for (size_t got = 0; got < total;) {
        unsigned round = 0;
        size_t bytes;

        while (atomic_load_explicit(&slot->u.staged.fill, memory_order_acquire) <= at) {
            hitop_wait_relax(&node->wait, &round);
        }
        bytes = take_record(node, at, buffer, capacity);
        at += span(bytes);
        got += bytes;
        if (got < total) { /* the writer may be waiting for this room */
            atomic_store_explicit(&node->members[node->me].consumed, at, memory_order_release);
            hitop_wait_ring(&node->wait);
        }
    }
    hitop_node_leave(node, hitop_node_offset_after(start, (size_t)(at - start)));
    return total;
}
