/* SPDX-License-Identifier: BSD-3-Clause */
/* node.c - the acknowledgement-free slots and ring of node.h. */
#include <config.h>

#include "node.h"

#include <stdatomic.h>
#include <string.h>

/* Two lines, because processors fetch them in pairs. */
enum { LINE = 128, PAGE = 4096, STAGED = 255, SHORT = 254, LINED = 253 };

enum {
    FLAGGED = 56, /* bytes in a line beside its flag */
    NLINES = (HITOP_NODE_LINED + FLAGGED - 1) / FLAGGED,
};

_Static_assert(ATOMIC_LLONG_LOCK_FREE == 2, "a lock inside an atomic would not be shared");

/*
 * tag = operation << 8 | kind; kind is the length of an inline message, LINED, SHORT or
 * STAGED. A slot belongs to
 * the writer of the operation it is waiting for.
 */
struct hitop_node_slot {
    _Alignas(LINE) _Atomic uint64_t tag;
    union {
        unsigned char data[HITOP_NODE_INLINE];
        struct {
            uint64_t total;        /* bytes of the message */
            uint64_t start;        /* ring offset of its first byte */
            _Atomic uint64_t fill; /* ring offset up to which it is there */
        } staged;
        uint64_t total; /* bytes of a lined or short message */
    } u;
};

_Static_assert(sizeof(struct hitop_node_slot) == LINE,
               "flag and inline payload share the two lines that are fetched together");

/*
 * A lined or a short message. Each line says by itself whether it is there, so that a reader takes the first
 * ones while the last ones are written; nothing else is ever put into lines, because it could look like a
 * flag. The odd size keeps neighbours from meeting in the same sets of a cache.
 */
struct hitop_node_place {
    struct {
        _Alignas(64) _Atomic uint64_t seq;
        unsigned char data[FLAGGED];
    } line[NLINES];
    _Alignas(64) _Atomic uint64_t rest; /* operation whose short message is there whole */
    _Alignas(64) unsigned char data[HITOP_NODE_SHORT + 64];
};

/* Written by its owner only. */
struct hitop_node_member {
    _Alignas(LINE) _Atomic uint64_t done; /* last finished operation */
    _Atomic uint64_t consumed;            /* ring offset below which everything was read */
};

static size_t round_up(size_t n, size_t unit)
{
    return (n + unit - 1) / unit * unit;
}

static size_t ring_offset(const struct hitop_node_layout *layout)
{
    return round_up(HITOP_NODE_SLOTS * sizeof(struct hitop_node_slot) +
                        (size_t)layout->nranks * sizeof(struct hitop_node_member) +
                        (size_t)layout->nplaces * sizeof(struct hitop_node_place),
                    PAGE);
}

size_t hitop_node_segment_bytes(const struct hitop_node_layout *layout)
{
    return ring_offset(layout) + layout->ring_bytes;
}

static void view(struct hitop_node *node, void *memory, const struct hitop_node_layout *layout)
{
    node->slots = memory;
    node->members = (struct hitop_node_member *)(node->slots + HITOP_NODE_SLOTS);
    node->places = (struct hitop_node_place *)(node->members + layout->nranks);
    node->ring = (unsigned char *)memory + ring_offset(layout);
    node->ring_bytes = layout->ring_bytes;
    node->nplaces = (uint64_t)layout->nplaces;
    node->nranks = layout->nranks;
}

void hitop_node_format(void *memory, const struct hitop_node_layout *layout)
{
    struct hitop_node node;

    view(&node, memory, layout);
    /* touch every page now, not inside the first operations */
    memset(memory, 0, hitop_node_segment_bytes(layout));
    for (int i = 0; i < HITOP_NODE_SLOTS; i++) {
        atomic_init(&node.slots[i].tag, 0);
    }
    for (int i = 0; i < layout->nranks; i++) {
        atomic_init(&node.members[i].done, layout->first);
        atomic_init(&node.members[i].consumed, 0);
    }
}

void hitop_node_attach(struct hitop_node *node, void *memory,
                       const struct hitop_node_layout *layout, int me,
                       const struct hitop_wait *wait)
{
    *node = (struct hitop_node){.me = me, .wait = *wait, .seq = layout->first};
    view(node, memory, layout);
    node->done_min = layout->first;
}

static struct hitop_node_slot *slot_of(const struct hitop_node *node, uint64_t seq)
{
    return &node->slots[seq % HITOP_NODE_SLOTS];
}

/* Refresh what is known of the slowest of the others. */
static void look_around(struct hitop_node *node)
{
    uint64_t done = UINT64_MAX, consumed = UINT64_MAX;

    for (int i = 0; i < node->nranks; i++) {
        if (i != node->me) { /* our own progress is made by the operation that asks */
            const uint64_t d = atomic_load_explicit(&node->members[i].done, memory_order_acquire);
            const uint64_t c =
                atomic_load_explicit(&node->members[i].consumed, memory_order_acquire);
            done = d < done ? d : done;
            consumed = c < consumed ? c : consumed;
        }
    }
    node->done_min = done;
    node->consumed_min = consumed;
}

/* May one of `nslots` that are used in turn be overwritten? It still holds operation seq - nslots. */
static int slot_is_free(struct hitop_node *node, uint64_t nslots)
{
    const uint64_t previous = node->seq - nslots;

    if (node->seq > nslots && node->done_min < previous) {
        look_around(node);
        return node->done_min >= previous;
    }
    return 1;
}

/* May `bytes` of the ring from absolute offset `at` be overwritten? */
static int ring_is_free(struct hitop_node *node, uint64_t at, size_t bytes)
{
    if (node->nranks > 1 && node->consumed_min + node->ring_bytes < at + bytes) {
        look_around(node);
        return node->consumed_min + node->ring_bytes >= at + bytes;
    }
    return 1;
}

/* Everything of this operation is done here: let later writers know. */
static void leave(struct hitop_node *node, uint64_t next_offset)
{
    struct hitop_node_member *mine = &node->members[node->me];

    if (next_offset != node->offset) {
        node->offset = next_offset;
        atomic_store_explicit(&mine->consumed, next_offset, memory_order_release);
    }
    atomic_store_explicit(&mine->done, node->seq, memory_order_release);
}

static uint64_t offset_after(uint64_t start, size_t total)
{
    return start + round_up(total, 64);
}

/* Small fragments let the reader start early, large ones cost fewer flag updates. */
static size_t fragment_size(const struct hitop_node *node, size_t total)
{
    size_t fragment = total <= 192 * 1024 ? 16 * 1024 : 32 * 1024;

    if (node->nranks == 2 && total <= 16 * 1024) {
        fragment = 4 * 1024;
    }
    return fragment < node->ring_bytes / 4 ? fragment : node->ring_bytes / 4;
}

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

void hitop_node_open(struct hitop_node *node, struct hitop_node_writer *writer, size_t total)
{
    node->seq++;
    *writer = (struct hitop_node_writer){.total = total};
}

static void publish_inline(struct hitop_node *node, const void *data, size_t bytes)
{
    struct hitop_node_slot *slot = slot_of(node, node->seq);

    memcpy(slot->u.data, data, bytes);
    atomic_store_explicit(&slot->tag, node->seq << 8 | bytes, memory_order_release);
}

static struct hitop_node_place *place_of(const struct hitop_node *node)
{
    return &node->places[node->seq % node->nplaces];
}

/* Say where the message is: in lines that are still to come, or in a place that holds it. */
static void publish_kind(struct hitop_node *node, uint64_t kind, size_t bytes)
{
    struct hitop_node_slot *slot = slot_of(node, node->seq);

    slot->u.total = bytes;
    atomic_store_explicit(&slot->tag, node->seq << 8 | kind, memory_order_release);
}

static void publish_lines(struct hitop_node *node, const unsigned char *data, size_t bytes)
{
    struct hitop_node_place *place = place_of(node);
    size_t i = 0;

    publish_kind(node, LINED, bytes);
    for (; bytes >= FLAGGED; i++, data += FLAGGED, bytes -= FLAGGED) {
        memcpy(place->line[i].data, data, FLAGGED); /* a constant length copies faster */
        atomic_store_explicit(&place->line[i].seq, node->seq, memory_order_release);
    }
    if (bytes > 0) {
        memcpy(place->line[i].data, data, bytes);
        atomic_store_explicit(&place->line[i].seq, node->seq, memory_order_release);
    }
}

/* Bytes of a short message that are published while the others are still copied. */
static size_t first_half(size_t bytes)
{
    return round_up(bytes / 2, 64);
}

static void publish_short(struct hitop_node *node, const unsigned char *data, size_t bytes)
{
    struct hitop_node_place *place = place_of(node);
    const size_t half = first_half(bytes);

    memcpy(place->data, data, half);
    publish_kind(node, SHORT, bytes);
    memcpy(place->data + half, data + half, bytes - half);
    atomic_store_explicit(&place->rest, node->seq, memory_order_release);
}

/* Make the bytes up to `fill` visible; the first time also say what message this is. */
static void publish_fill(struct hitop_node *node, size_t total, uint64_t fill, int first)
{
    struct hitop_node_slot *slot = slot_of(node, node->seq);

    if (first) {
        slot->u.staged.total = total;
        slot->u.staged.start = node->offset;
        atomic_store_explicit(&slot->u.staged.fill, fill, memory_order_relaxed);
        atomic_store_explicit(&slot->tag, node->seq << 8 | STAGED, memory_order_release);
    } else {
        atomic_store_explicit(&slot->u.staged.fill, fill, memory_order_release);
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
        publish_inline(node, data, bytes);
    } else if (!slot_is_free(node, node->nplaces)) {
        return 0;
    } else if (bytes <= HITOP_NODE_LINED) {
        publish_lines(node, data, bytes);
    } else {
        publish_short(node, data, bytes);
    }
    writer->written = bytes;
    leave(node, node->offset);
    return bytes;
}

size_t hitop_node_write(struct hitop_node *node, struct hitop_node_writer *writer, const void *data,
                        size_t bytes)
{
    const size_t before = writer->written;
    const unsigned char *from = data;

    if (before == 0 && !slot_is_free(node, HITOP_NODE_SLOTS)) {
        return 0;
    }
    if (writer->total <= HITOP_NODE_SHORT) {
        return write_at_once(node, writer, from, bytes);
    }
    while (bytes > 0) {
        const uint64_t at = node->offset + writer->written;
        size_t piece = fragment_size(node, writer->total);

        piece = bytes < piece ? bytes : piece;
        if (!ring_is_free(node, at, piece)) {
            break;
        }
        copy_in(node, at, from, piece);
        publish_fill(node, writer->total, at + piece, writer->written == 0);
        writer->written += piece;
        from += piece;
        bytes -= piece;
    }
    if (writer->written == writer->total) {
        leave(node, offset_after(node->offset, writer->total));
    }
    return writer->written - before;
}

void hitop_node_put(struct hitop_node *node, const void *data, size_t bytes)
{
    const unsigned char *from = data;
    struct hitop_node_writer writer;
    unsigned round = 0;

    hitop_node_open(node, &writer, bytes);
    while (writer.written < bytes) {
        if (hitop_node_write(node, &writer, from + writer.written, bytes - writer.written) == 0) {
            hitop_wait_relax(&node->wait, &round);
        } else {
            round = 0;
        }
    }
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
        size_t piece, wanted;

        while ((fill = atomic_load_explicit(&slot->u.staged.fill, memory_order_acquire)) <= at) {
            hitop_wait_relax(&node->wait, &round);
        }
        piece = (size_t)(fill - at);
        wanted = capacity < piece ? capacity : piece;
        copy_out(node, at, buffer, wanted);
        buffer += wanted;
        capacity -= wanted;
        at = fill;
        if (at < end) { /* the writer may be waiting for this room */
            atomic_store_explicit(&mine->consumed, at, memory_order_release);
        }
    }
    leave(node, offset_after(slot->u.staged.start, (size_t)total));
    return (size_t)total;
}

/* Wait for line `i` of this operation; its bytes. */
static const unsigned char *await_line(struct hitop_node *node, size_t i)
{
    struct hitop_node_place *place = place_of(node);
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
    struct hitop_node_place *place = place_of(node);
    const size_t half = first_half(total) < bytes ? first_half(total) : bytes;
    unsigned round = 0;

    memcpy(buffer, place->data, half);
    while (atomic_load_explicit(&place->rest, memory_order_acquire) != node->seq) {
        hitop_wait_relax(&node->wait, &round);
    }
    memcpy(buffer + half, place->data + half, bytes - half);
}

size_t hitop_node_get(struct hitop_node *node, void *buffer, size_t capacity)
{
    struct hitop_node_slot *slot = slot_of(node, ++node->seq);
    unsigned round = 0;
    uint64_t tag, kind;
    size_t total;

    while ((tag = atomic_load_explicit(&slot->tag, memory_order_acquire)) >> 8 != node->seq) {
        hitop_wait_relax(&node->wait, &round);
    }
    kind = tag & 0xff;
    if (kind == STAGED) {
        return get_staged(node, slot, buffer, capacity);
    }
    total = kind <= HITOP_NODE_INLINE ? (size_t)kind : (size_t)slot->u.total;
    capacity = total < capacity ? total : capacity;
    if (kind == LINED) {
        get_lines(node, buffer, capacity);
    } else if (kind == SHORT) {
        get_short(node, buffer, capacity, total);
    } else {
        memcpy(buffer, slot->u.data, capacity);
    }
    leave(node, node->offset);
    return total;
}
