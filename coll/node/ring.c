/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ring.c - long messages of a broadcast through a ring of bytes, in fragments.
 *
 * Idea:   A writer that has also written the previous long message continues behind it, so that it
 *         can run ahead of its readers. A writer that was a reader before starts at the first byte
 *         of the ring again, if all readers have read it: it has just read these lines, and they
 *         are in its cache.
 *
 * The pieces of a message may also come in any order: the ring then contains records, each with the
 * offset of its bytes in the message. A rank that receives parts of a message from several nodes
 * shares each part as it arrives.
 */
#include <config.h>

#include "coll/node/layout.h"

/* Copy from memory of the rank to the ring at offset `at`, and back. */
static void copy_in(struct hitop_node *node, uint64_t at, const unsigned char *data, size_t bytes)
{
    const size_t index = (size_t)(at % node->ring_bytes);
    const size_t first = bytes < node->ring_bytes - index ? bytes : node->ring_bytes - index;

    memcpy(node->ring + index, data, first);
    memcpy(node->ring, data + first, bytes - first);
}

static void copy_out(const struct hitop_node *node, uint64_t at, unsigned char *data, size_t bytes)
{
    const size_t index = (size_t)(at % node->ring_bytes);
    const size_t first = bytes < node->ring_bytes - index ? bytes : node->ring_bytes - index;

    memcpy(data, node->ring + index, first);
    memcpy(data + first, node->ring, bytes - first);
}

/* The head of a record in the ring. */
struct record {
    uint64_t at, bytes;
};

/* Bytes of a record in the ring. */
static size_t span(size_t bytes)
{
    return sizeof(struct record) + hitop_node_round_up(bytes, sizeof(struct record));
}

/* The ring offset after a message. */
static uint64_t offset_after(uint64_t start, size_t total)
{
    return start + hitop_node_round_up(total, 64);
}

struct hitop_node_slot *hitop_ring_slot(struct hitop_node *node)
{
    const uint64_t at = hitop_node_index(node, &node->slot, 1);

    node->slot = (struct hitop_slot_index){.last = at, .is_mine = 1};
    return hitop_node_slot_at(node, at);
}

/*
 * Begin the message unless it has begun: take a slot and choose the offset in the ring. 0: no slot
 * is free.
 */
static int begin(struct hitop_node *node, struct hitop_node_writer *writer)
{
    const size_t hot = writer->total < HITOP_NODE_HOT ? writer->total : HITOP_NODE_HOT;
    const size_t index = (size_t)(node->offset % node->ring_bytes);
    const uint64_t anew = node->offset - index + node->ring_bytes;

    if (writer->slot) {
        return 1;
    }
    if (!hitop_node_slot_is_free(node, node->nslots)) {
        return 0;
    }
    writer->slot = hitop_ring_slot(node);
    writer->goes_on = node->wrote_last;
    if (!writer->goes_on && index > 0 && hitop_node_ring_is_free(node, anew, hot)) {
        node->offset = anew;
    }
    node->wrote_last = 1;
    return 1;
}

/*
 * Publish the ring up to `fill`; the first call also publishes the message, of kind STAGED or
 * PIECED.
 */
static void publish(struct hitop_node *node, const struct hitop_node_writer *writer, uint64_t kind,
                    uint64_t fill)
{
    struct hitop_node_slot *slot = writer->slot;

    if (writer->written == 0) {
        slot->u.staged.total = writer->total;
        slot->u.staged.start = node->offset;
        STORE_RELAXED(&slot->u.staged.fill, fill);
        if (writer->place == 0) {
            STORE_RELAXED(&slot->u.staged.place, 0);
        }
        STORE_RELEASE(&slot->tag, node->seq << TAG_SHIFT | writer->note | kind);
    } else {
        STORE_RELEASE(&slot->u.staged.fill, fill);
    }
    hitop_wait_notify(&node->wait);
}

/*
 * Is there room for the next `bytes`? In the ring, or in the arena once the ring has been full for
 * too long because readers are late. Records do not use the arena.
 */
static int has_room(struct hitop_node *node, struct hitop_node_writer *writer, uint64_t kind,
                    size_t bytes)
{
    const size_t rest = writer->total - writer->written;

    if (writer->place != 0) {
        return 1;
    }
    if (hitop_node_ring_is_free(node, node->offset + writer->in_ring, bytes)) {
        writer->since = 0;
        return 1;
    }
    if (kind == PIECED || !node->arena ||
        node->consumed_min > node->offset || /* all have begun to read */
        !hitop_node_must_spill(&writer->since, rest, node->thresholds->patience)) {
        return 0;
    }
    writer->place = hitop_arena_take(node->arena, rest, (unsigned)node->nranks, NULL);
    writer->since = 0;
    return writer->place != 0;
}

static void write_fragment(struct hitop_node *node, struct hitop_node_writer *writer,
                           const unsigned char *from, size_t bytes)
{
    struct hitop_node_slot *slot = writer->slot;

    if (writer->place == 0) {
        copy_in(node, node->offset + writer->in_ring, from, bytes);
        writer->in_ring += bytes;
        return;
    }
    memcpy((unsigned char *)hitop_arena_at(node->arena, writer->place) + writer->written -
               writer->in_ring,
           from, bytes);
    if (writer->written == writer->in_ring) { /* the readers read there after this fragment */
        slot->u.staged.in_ring = writer->in_ring;
        STORE_RELEASE(&slot->u.staged.place, writer->place);
    }
}

static void write_record(struct hitop_node *node, struct hitop_node_writer *writer,
                         const unsigned char *from, size_t at, size_t bytes)
{
    const struct record record = {.at = at, .bytes = bytes};
    const uint64_t start = node->offset + writer->in_ring;

    copy_in(node, start, (const unsigned char *)&record, sizeof(record));
    copy_in(node, start + sizeof(record), from, bytes);
    writer->in_ring += span(bytes);
}

static void complete(struct hitop_node *node, const struct hitop_node_writer *writer)
{
    if (writer->place != 0) {
        hitop_arena_drop(node->arena, writer->place, 1);
    }
    hitop_node_complete(node, offset_after(node->offset, writer->in_ring));
    if (writer->goes_on) { /* the next message probably follows this one */
        const size_t index = (size_t)(node->offset % node->ring_bytes);
        const size_t rest = node->ring_bytes - index;

        hitop_node_prefetch_room(node->ring + index, writer->total < rest ? writer->total : rest);
    }
}

/* Write `bytes` from offset `at` of the message, as far as there is room; returns how many. */
static size_t write_some(struct hitop_node *node, struct hitop_node_writer *writer, uint64_t kind,
                         const unsigned char *from, size_t at, size_t bytes)
{
    const size_t fragment = hitop_node_fragment(node, writer->total), before = writer->written;

    if (!begin(node, writer)) {
        return 0;
    }
    for (size_t n; bytes > 0; from += n, at += n, bytes -= n) {
        n = bytes < fragment ? bytes : fragment;
        if (!has_room(node, writer, kind, kind == PIECED ? span(n) : n)) {
            break;
        }
        hitop_wait_charge(n);
        if (kind == PIECED) {
            write_record(node, writer, from, at, n);
            publish(node, writer, kind, node->offset + writer->in_ring);
        } else {
            write_fragment(node, writer, from, n);
            publish(node, writer, kind, node->offset + writer->written + n);
        }
        writer->written += n;
    }
    if (writer->written == writer->total) {
        complete(node, writer);
    }
    return writer->written - before;
}

size_t hitop_ring_write(struct hitop_node *node, struct hitop_node_writer *writer, const void *data,
                        size_t bytes)
{
    return write_some(node, writer, STAGED, data, writer->written, bytes);
}

size_t hitop_node_write_piece(struct hitop_node *node, struct hitop_node_writer *writer,
                              const void *data, size_t at, size_t bytes)
{
    return write_some(node, writer, PIECED, data, at, bytes);
}

/* A message that is being read. */
struct reading {
    struct hitop_node *node;
    const struct hitop_node_slot *slot;
    uint64_t total, got; /* bytes */
    uint64_t place;      /* in the arena, of bytes that are not in the ring; 0: none yet */
};

/* Wait until the ring is filled beyond offset `at`; returns the offset up to which it is filled. */
static uint64_t await_fill(struct hitop_node *node, const struct hitop_node_slot *slot, uint64_t at)
{
    uint64_t fill;

    HITOP_WAIT_UNTIL(&node->wait, (fill = LOAD_ACQUIRE(&slot->u.staged.fill)) > at);
    return fill;
}

/* Publish that this rank has read the ring up to `at`: the writer may wait for this room. */
static void publish_consumed(struct hitop_node *node, uint64_t at)
{
    hitop_node_publish(node, &node->members[node->me].consumed, at);
}

/*
 * Copy the bytes that are published and contiguous, at most `capacity`; returns how many are
 * published.
 */
static uint64_t read_fragment(struct reading *r, unsigned char *buffer, size_t capacity)
{
    const struct hitop_node_slot *slot = r->slot;
    const uint64_t at = slot->u.staged.start + r->got;
    uint64_t bytes = await_fill(r->node, slot, at) - at, in_ring, most;
    size_t wanted;

    r->place = LOAD_ACQUIRE(&slot->u.staged.place);
    in_ring = r->place != 0 ? slot->u.staged.in_ring : r->total;
    most = (r->got < in_ring ? in_ring : r->total) - r->got;
    bytes = bytes < most ? bytes : most;
    wanted = bytes < capacity ? (size_t)bytes : capacity;
    if (wanted == 0) { /* there may be no address then */
    } else if (r->got < in_ring) {
        copy_out(r->node, at, buffer, wanted);
    } else {
        memcpy(buffer,
               (const unsigned char *)hitop_arena_at(r->node->arena, r->place) + r->got - in_ring,
               wanted);
    }
    hitop_wait_charge(wanted);
    return bytes;
}

size_t hitop_ring_read(struct hitop_node *node, const struct hitop_node_slot *slot,
                       unsigned char *buffer, size_t capacity)
{
    const uint64_t start = slot->u.staged.start;
    struct reading r = {.node = node, .slot = slot, .total = slot->u.staged.total};

    while (r.got < r.total) {
        const uint64_t bytes = read_fragment(&r, buffer, capacity);
        const size_t n = bytes < capacity ? (size_t)bytes : capacity;

        buffer += n;
        capacity -= n;
        r.got += bytes;
        if (r.got < r.total && r.place == 0) {
            publish_consumed(node, start + r.got);
        }
    }
    if (r.place != 0) {
        hitop_arena_drop(node->arena, r.place, 1);
    }
    hitop_node_complete(node, offset_after(start, r.place ? slot->u.staged.in_ring : r.total));
    if (node->nranks == 2) { /* the writer reads nothing of its own message */
        node->consumed_min = node->offset;
    }
    return (size_t)r.total;
}

/* Copy the bytes of the record at ring offset `at` that fit into `capacity`; returns its length. */
static size_t read_record(struct hitop_node *node, uint64_t at, unsigned char *buffer,
                          size_t capacity)
{
    struct record record;

    copy_out(node, at, (unsigned char *)&record, sizeof(record));
    if (record.at < capacity) {
        const size_t room = capacity - (size_t)record.at;
        const size_t n = record.bytes < room ? (size_t)record.bytes : room;

        hitop_wait_charge(n);
        copy_out(node, at + sizeof(record), buffer + record.at, n);
    }
    return (size_t)record.bytes;
}

size_t hitop_ring_read_pieces(struct hitop_node *node, const struct hitop_node_slot *slot,
                              unsigned char *buffer, size_t capacity)
{
    const uint64_t start = slot->u.staged.start;
    const size_t total = (size_t)slot->u.staged.total;
    uint64_t at = start;

    for (size_t got = 0, bytes; got < total; got += bytes) {
        (void)await_fill(node, slot, at);
        bytes = read_record(node, at, buffer, capacity);
        at += span(bytes);
        if (got + bytes < total) {
            publish_consumed(node, at);
        }
    }
    hitop_node_complete(node, offset_after(start, (size_t)(at - start)));
    return total;
}
