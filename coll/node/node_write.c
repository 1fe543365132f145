/* SPDX-License-Identifier: BSD-3-Clause */
/* node_write.c - the writer of a broadcast puts its message where all others find it. */
#include <config.h>

#include "coll/node/laps.h"
#include "coll/node/pull_bcast.h"
#include "coll/node/spill.h"

void hitop_node_open(struct hitop_node_writer *writer, size_t total, int note)
{
    *writer = (struct hitop_node_writer){.total = total, .note = note ? NOTE : 0};
}

/*
 * Who has written the last message, too, probably writes the next one, into what comes after this one's place: let that come
 * while the program computes, or the readers read. Near it takes as long as it spares.
 */
static int goes_on_writing(const struct hitop_node *node, const struct hitop_cursor *last)
{
    return last->is_mine && node->distance.is_far;
}

/* All of an operation whose slot is free. */
static void put_inline(struct hitop_node *node, uint64_t note, const void *data, size_t bytes)
{
    const uint64_t at = hitop_node_turn(node, &node->slot, 1);
    struct hitop_node_slot *slot = hitop_node_slot_at(node, at);
    const int goes_on = goes_on_writing(node, &node->slot);
    const int keeps = !node->distance.is_far;

    hitop_wait_charge(bytes);
    hitop_node_copy_few(slot->u.data, data, bytes);
    atomic_store_explicit(&slot->tag, node->seq << TAG_SHIFT | (keeps ? KEEPS : 0) | note | bytes,
                          memory_order_release);
    hitop_cursor_take(&node->slot, at, 1, 1, keeps);
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
    const int keeps = !node->distance.is_far;
    const uint64_t word =
        node->seq << LINE_SHIFT | (note ? LINE_NOTE : 0) | (keeps ? LINE_KEEPS : 0) | total;
    size_t i = 0, bytes = total;

    for (; bytes >= FLAGGED; i++, data += FLAGGED, bytes -= FLAGGED) {
        memcpy(place->line[i].data, data, FLAGGED); /* a constant length copies faster */
        atomic_store_explicit(&place->line[i].word, word, memory_order_release);
    }
    if (bytes > 0) {
        memcpy(place->line[i].data, data, bytes);
        atomic_store_explicit(&place->line[i].word, word, memory_order_release);
    }
    if (goes_on_writing(node, &node->line)) {
        hitop_node_fetch_lines(hitop_node_place_at(node, at + 1), total, 1);
    }
    hitop_cursor_take(&node->line, at, 1, 1, keeps);
}

static void publish_short(struct hitop_node *node, uint64_t note, const unsigned char *data,
                          size_t bytes)
{
    const uint64_t at = hitop_node_turn(node, &node->shelf, 1);
    struct hitop_node_place *shelf = hitop_node_shelf_at(node, at);
    struct hitop_node_slot *slot = hitop_node_take_slot(node);
    const size_t half = hitop_node_first_half(bytes);
    const int goes_on = node->shelf.is_mine;

    hitop_node_copy(node, shelf->data, data, half);
    slot->u.total = bytes;
    atomic_store_explicit(&slot->tag, node->seq << TAG_SHIFT | note | SHORT, memory_order_release);
    hitop_node_copy(node, shelf->data + half, data + half, bytes - half);
    atomic_store_explicit(&shelf->rest, node->seq, memory_order_release);
    hitop_cursor_take(&node->shelf, at, 1, 1, 0);
    node->slot.is_answerable = 1;
    if (goes_on) {
        hitop_node_fetch_room(node, hitop_node_shelf_at(node, at + 1)->data, bytes);
    }
}

/* Where in the ring the next bytes go. */
static uint64_t position(const struct hitop_node *node, const struct hitop_node_writer *writer)
{
    return hitop_laps_offset(node, node->offset, writer->written, writer->turn);
}

/* Have all others begun to read? */
static int all_read(const struct hitop_node *node)
{
    return node->consumed_min > node->offset;
}

/* At the end of a lap: go round there, rather than on through the ring, if all have come to read it. */
static void choose_turn(struct hitop_node *node, struct hitop_node_writer *writer)
{
    if (writer->turn != 0 || writer->written == 0 ||
        writer->written % hitop_lap(node->ring_bytes) != 0 || writer->place != 0 ||
        node->courses.now != HITOP_COURSE_LAPS || !node->wait.alone) {
        return;
    }
    if (!all_read(node)) {
        hitop_node_look_around(node);
    }
    if (all_read(node)) {
        writer->turn = writer->written;
        atomic_store_explicit(&writer->slot->u.staged.turn, writer->turn, memory_order_relaxed);
    }
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

/* Who has written the message before the last one, too, writes the next one where the ring goes on. */
static void fetch_ring(const struct hitop_node *node, const struct hitop_node_writer *writer)
{
    const size_t index = (size_t)(node->offset % node->ring_bytes);
    const size_t rest = node->ring_bytes - index;

    if (writer->goes_on && node->courses.now == HITOP_COURSE_RING) {
        hitop_node_fetch_room(node, node->ring + index,
                              writer->total < rest ? writer->total : rest);
    }
}

static void leave_staged(struct hitop_node *node, const struct hitop_node_writer *writer)
{
    if (writer->place != 0) {
        hitop_arena_drop(node->arena, writer->place, 1);
    }
    hitop_node_leave(node, hitop_laps_after(node, node->offset,
                                            writer->place ? writer->in_ring : writer->total,
                                            writer->turn));
    fetch_ring(node, writer);
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
    } else if (bytes <= HITOP_NODE_LINED ? !hitop_node_next_is_free(node, node->nplaces)
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
    const size_t before = writer->written, lap = hitop_lap(node->ring_bytes);
    const unsigned char *from = data;

    if (!writer->slot && !hitop_node_next_is_free(node, node->nslots)) {
        return 0;
    }
    if (writer->total <= HITOP_NODE_SHORT) {
        return write_at_once(node, writer, from, bytes);
    }
    if (!writer->slot) {
        hitop_laps_begin(node, writer);
    }
    while (bytes > 0) {
        const size_t to_turn = lap - writer->written % lap;
        size_t piece = hitop_node_fragment(node, writer->total);

        piece = piece < to_turn ? piece : to_turn;
        piece = bytes < piece ? bytes : piece;
        choose_turn(node, writer);
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
        while (!hitop_node_next_is_free(node, node->nslots)) {
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
