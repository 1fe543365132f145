/* SPDX-License-Identifier: BSD-3-Clause */
/* bcast.c - broadcasts on a node: short messages, and the choice of the algorithm for long ones. */
#include <config.h>

#include "coll/node/cma_bcast.h"
#include "coll/node/layout.h"

/*
 * Poll the expected location; every 8th poll also checks the other locations a message can arrive
 * at.
 */
enum { POLLS_PER_OTHER = 8 };

/*
 * A reader that has found more than this many messages in a row without waiting lags behind its
 * writer: the message after the next one is probably published too, and the reader prefetches it.
 * Before it is published, a prefetch would take its line from the writer, which has fetched it for
 * writing.
 */
enum { READY_PER_LAG = 4 };

void hitop_node_open(struct hitop_node_writer *writer, size_t total, int note)
{
    *writer = (struct hitop_node_writer){.total = total, .note = note ? NOTE : 0};
}

/* Post up to HITOP_NODE_INLINE bytes, beside the flag. */
static inline void post_inline(struct hitop_node *node, uint64_t note, const void *data,
                               size_t bytes)
{
    const uint64_t at = hitop_node_index(node, &node->slot, 1);
    struct hitop_node_slot *slot = hitop_node_slot_at(node, at);
    const int goes_on = node->slot.is_mine;

    hitop_node_copy_few(slot->u.data, data, bytes);
    STORE_RELEASE(&slot->tag, node->seq << TAG_SHIFT | note | bytes);
    node->slot = (struct hitop_slot_index){at, 1, 1};
    hitop_node_complete(node, node->offset);
    if (goes_on) {
        hitop_node_prefetch_to_write(hitop_node_slot_at(node, at + 1));
    }
}

/* Post up to HITOP_NODE_LINED bytes, in lines. */
static inline void post_lines(struct hitop_node *node, uint64_t note, const unsigned char *data,
                              const size_t total)
{
    const uint64_t at = hitop_node_index(node, &node->line, 1);
    const uint64_t word = node->seq << LINE_SHIFT | (note ? LINE_NOTE : 0) | total;
    const struct hitop_node_place *next = hitop_node_lines_at(node, at + 1);
    struct hitop_node_place *place = hitop_node_lines_at(node, at);
    const int goes_on = node->line.is_mine;
    size_t i = 0, bytes = total;

    for (; bytes >= FLAGGED; i++, data += FLAGGED, bytes -= FLAGGED) {
        memcpy(place->line[i].data, data, FLAGGED); /* a constant length copies faster */
        STORE_RELEASE(&place->line[i].word, word);
    }
    if (bytes > 0) {
        memcpy(place->line[i].data, data, bytes);
        STORE_RELEASE(&place->line[i++].word, word);
    }
    for (size_t k = 0; goes_on && k < i; k++) {
        hitop_node_prefetch_to_write(&next->line[k]);
    }
    node->line = (struct hitop_slot_index){at, 1, 1};
    hitop_node_complete(node, node->offset);
}

/* Bytes of a short message that are published first, while the rest is still being copied. */
static size_t first_half(size_t bytes)
{
    return (bytes / 2 + 63) / 64 * 64;
}

/* Post up to HITOP_NODE_SHORT bytes, in a cell. */
static void post_in_cell(struct hitop_node *node, uint64_t note, const unsigned char *data,
                         size_t bytes)
{
    const uint64_t slot_at = hitop_node_index(node, &node->slot, 1);
    const uint64_t at = hitop_node_index(node, &node->cell, 1);
    struct hitop_node_slot *slot = hitop_node_slot_at(node, slot_at);
    struct hitop_node_place *cell = hitop_node_cell_at(node, at);
    const size_t half = first_half(bytes);
    const int goes_on = node->cell.is_mine;

    memcpy(cell->data, data, half);
    slot->u.total = bytes;
    STORE_RELEASE(&slot->tag, node->seq << TAG_SHIFT | note | SHORT);
    memcpy(cell->data + half, data + half, bytes - half);
    STORE_RELEASE(&cell->rest, node->seq);
    node->slot = (struct hitop_slot_index){slot_at, 1, 1};
    node->cell = (struct hitop_slot_index){at, 1, 1};
    if (goes_on) {
        hitop_node_prefetch_room(hitop_node_cell_at(node, at + 1)->data, bytes);
    }
    hitop_node_complete(node, node->offset);
}

/*
 * Post a message of at most HITOP_NODE_SHORT bytes, if its slot and its place are free: 1 if it is
 * posted.
 */
static int post_short(struct hitop_node *node, uint64_t note, const void *data, size_t bytes)
{
    if (!hitop_node_slot_is_free(node, bytes <= HITOP_NODE_INLINE  ? node->nslots
                                       : bytes <= HITOP_NODE_LINED ? node->nplaces
                                                                   : node->ncells)) {
        return 0;
    }
    hitop_wait_charge(bytes);
    if (bytes <= HITOP_NODE_INLINE) {
        post_inline(node, note, data, bytes);
    } else if (bytes <= HITOP_NODE_LINED) {
        post_lines(node, note, data, bytes);
    } else {
        post_in_cell(node, note, data, bytes);
    }
    return 1;
}

size_t hitop_node_write(struct hitop_node *node, struct hitop_node_writer *writer, const void *data,
                        size_t bytes)
{
    if (writer->total > HITOP_NODE_SHORT) {
        return hitop_ring_write(node, writer, data, bytes);
    }
    if (bytes < writer->total || !post_short(node, writer->note, data, bytes)) {
        return 0;
    }
    writer->written = bytes;
    return bytes;
}

/*
 * Wait between two polls of a writer that has no room. Each poll takes the line in which a reader
 * publishes its progress away from that reader, so a writer of short messages pauses in between.
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

void hitop_node_post_copy(struct hitop_node *node, const void *data, size_t bytes, int note)
{
    const unsigned char *from = data;
    struct hitop_node_writer writer;
    unsigned round = 0;

    if (bytes <= HITOP_NODE_SHORT) {
        while (!post_short(node, note ? NOTE : 0, data, bytes)) {
            wait_for_room(node, bytes, &round);
        }
        return;
    }
    hitop_node_open(&writer, bytes, note);
    while (writer.written < bytes) {
        if (hitop_ring_write(node, &writer, from + writer.written, bytes - writer.written) == 0) {
            wait_for_room(node, bytes, &round);
        } else {
            round = 0;
        }
    }
}

void hitop_node_post(struct hitop_node *node, const void *data, size_t bytes, int note)
{
    if (hitop_cma_bcast_suits(node, bytes) && hitop_cma_bcast_is_awaited(node, bytes)) {
        hitop_cma_bcast_write(node, data, bytes, note);
    } else {
        hitop_node_post_copy(node, data, bytes, note);
    }
}

/* The readers. */

static inline int is_lined(const struct hitop_node *node, const struct hitop_node_place *place)
{
    return LOAD_ACQUIRE(&place->line[0].word) >> LINE_SHIFT == node->seq;
}

/* Check all locations: the tag of the message, LINED, POSTED, or 0. */
static inline uint64_t poll_all(const struct hitop_node *node, const struct hitop_node_sources *s)
{
    const uint64_t tag = hitop_node_tag(node, &hitop_node_slot_at(node, s->slot_at)->tag);

    if (tag != 0) {
        return tag;
    }
    if (is_lined(node, hitop_node_lines_at(node, s->line_at))) {
        return LINED;
    }
    return s->posted && hitop_node_tag(node, s->posted) != 0 ? POSTED : 0;
}

int hitop_node_is_published(const struct hitop_node *node)
{
    const struct hitop_node_sources s = hitop_node_sources_of(node, NULL);

    return poll_all(node, &s) != 0;
}

void hitop_node_stamp(struct hitop_node *node)
{
    STORE_RELAXED(&node->claims[node->seq % HITOP_NODE_SLOTS].written, hitop_wait_clock());
}

void hitop_node_note_lateness(struct hitop_node *node)
{
    _Atomic uint64_t *lateness = &node->members[node->me].lateness;
    uint64_t late = 0;

    if (hitop_node_is_published(node)) {
        late =
            hitop_wait_clock() - LOAD_RELAXED(&node->claims[node->seq % HITOP_NODE_SLOTS].written);
    }
    if (LOAD_RELAXED(lateness) != late) {
        STORE_RELAXED(lateness, late);
    }
}

uint64_t hitop_node_lateness(const struct hitop_node *node, int local)
{
    return LOAD_RELAXED(&node->members[local].lateness);
}

/* Does this poll check all locations? */
static inline int looks_everywhere(const struct hitop_node *node, unsigned polls)
{
    return polls % POLLS_PER_OTHER == POLLS_PER_OTHER - 1 || polls >= node->wait.spins;
}

/*
 * The message was found after `polls` unsuccessful polls: is the message after the next one
 * probably published too?
 */
static inline int lags(struct hitop_node *node, unsigned polls)
{
    node->nready = polls == 0 ? node->nready + 1 : 0;
    return node->nready > READY_PER_LAG;
}

/*
 * Wait for the message, polling `flag`; returns its tag, or that of another location where it is
 * found. *polls counts the unsuccessful polls.
 */
static inline uint64_t await_tag(struct hitop_node *node, const struct hitop_node_sources *s,
                                 const _Atomic uint64_t *flag, unsigned *polls)
{
    uint64_t tag;

    while ((tag = hitop_node_tag(node, flag)) == 0) {
        if (looks_everywhere(node, *polls) && (tag = poll_all(node, s)) != 0) {
            return tag;
        }
        hitop_wait_relax(&node->wait, polls);
    }
    return tag;
}

static inline uint64_t await_slot(struct hitop_node *node, const struct hitop_node_sources *s)
{
    unsigned polls = 0;
    const uint64_t tag = await_tag(node, s, &hitop_node_slot_at(node, s->slot_at)->tag, &polls);

    if (lags(node, polls)) {
        hitop_node_prefetch(hitop_node_slot_at(node, s->slot_at + 2));
    }
    return tag;
}

static inline uint64_t await_lines(struct hitop_node *node, const struct hitop_node_sources *s,
                                   size_t bytes)
{
    const struct hitop_node_place *place = hitop_node_lines_at(node, s->line_at);
    const struct hitop_node_place *later = hitop_node_lines_at(node, s->line_at + 2);
    unsigned polls = 0;
    uint64_t tag;

    while (!is_lined(node, place)) {
        if (looks_everywhere(node, polls) && (tag = poll_all(node, s)) != 0) {
            return tag;
        }
        hitop_wait_relax(&node->wait, &polls);
    }
    if (lags(node, polls)) {
        for (size_t i = 0; i * FLAGGED < bytes; i++) {
            hitop_node_prefetch(&later->line[i]);
        }
    }
    return LINED;
}

/*
 * Each kind has its own loop: a poll that takes longer than the transfer of a line delays the
 * message.
 */
uint64_t hitop_node_await(struct hitop_node *node, const struct hitop_node_sources *s, size_t bytes)
{
    return bytes > HITOP_NODE_INLINE && bytes <= HITOP_NODE_LINED ? await_lines(node, s, bytes)
                                                                  : await_slot(node, s);
}

uint64_t hitop_node_await_posted(struct hitop_node *node, const struct hitop_node_sources *s)
{
    unsigned polls = 0;
    const uint64_t tag = await_tag(node, s, s->posted, &polls);

    return hitop_node_tag(node, s->posted) != 0 ? POSTED : tag;
}

size_t hitop_node_length(const struct hitop_node *node, const struct hitop_node_sources *s,
                         uint64_t tag)
{
    const struct hitop_node_slot *slot = hitop_node_slot_at(node, s->slot_at);
    const uint64_t kind = tag & KIND;

    if (kind == LINED) {
        return (size_t)(LOAD_RELAXED(&hitop_node_lines_at(node, s->line_at)->line[0].word) &
                        LINE_BYTES);
    }
    if (kind <= HITOP_NODE_INLINE) {
        return (size_t)kind;
    }
    return (size_t)(kind == SHORT ? slot->u.total : slot->u.staged.total);
}

/* Wait for line `i` of the message whose lines have this word; returns its bytes. */
static const unsigned char *
await_line(struct hitop_node *node, const struct hitop_node_place *place, size_t i, uint64_t word)
{
    HITOP_WAIT_UNTIL(&node->wait, LOAD_ACQUIRE(&place->line[i].word) == word);
    return place->line[i].data;
}

/*
 * Read a message whose first line is published. A reader with a short buffer also waits for the
 * last line: completing earlier would let the next writer reuse the lines too early.
 */
static inline size_t read_lines(struct hitop_node *node, uint64_t at, unsigned char *buffer,
                                size_t capacity, int *note)
{
    const struct hitop_node_place *place = hitop_node_lines_at(node, at);
    const uint64_t word = LOAD_RELAXED(&place->line[0].word);
    const size_t total = (size_t)(word & LINE_BYTES);
    size_t bytes = total < capacity ? total : capacity, i = 0;

    *note = (word & LINE_NOTE) != 0;
    hitop_wait_charge(bytes);
    for (; bytes >= FLAGGED; buffer += FLAGGED, bytes -= FLAGGED) {
        memcpy(buffer, await_line(node, place, i++, word), FLAGGED);
    }
    if (bytes > 0) {
        hitop_node_copy_few(buffer, await_line(node, place, i, word), bytes);
    }
    if (capacity < total) {
        (void)await_line(node, place, (total - 1) / FLAGGED, word);
    }
    node->line = (struct hitop_slot_index){at, 0, 1};
    hitop_node_complete(node, node->offset);
    return total;
}

/* Read the first `bytes` of a short message of `total`. */
static void read_cell(struct hitop_node *node, unsigned char *buffer, size_t bytes, size_t total)
{
    const uint64_t at = hitop_node_index(node, &node->cell, 0);
    const struct hitop_node_place *cell = hitop_node_cell_at(node, at);
    const size_t half = first_half(total) < bytes ? first_half(total) : bytes;

    if (half > 0) { /* an empty message may have no address */
        memcpy(buffer, cell->data, half);
    }
    HITOP_WAIT_UNTIL(&node->wait, LOAD_ACQUIRE(&cell->rest) == node->seq);
    if (half < bytes) {
        memcpy(buffer + half, cell->data + half, bytes - half);
    }
    node->cell = (struct hitop_slot_index){at, 0, 1};
}

size_t hitop_node_receive(struct hitop_node *node, const struct hitop_node_sources *s, uint64_t tag,
                          void *buffer, size_t capacity, int *note)
{
    const uint64_t kind = tag & KIND;
    struct hitop_node_slot *slot = hitop_node_slot_at(node, s->slot_at);
    size_t total, bytes;

    hitop_node_note_peer_progress(node);
    if (kind == LINED) {
        return read_lines(node, s->line_at, buffer, capacity, note);
    }
    node->slot =
        (struct hitop_slot_index){s->slot_at, 0, kind <= HITOP_NODE_INLINE || kind == SHORT};
    *note = (tag & NOTE) != 0;
    if (!node->slot.is_answerable) {
        node->wrote_last = 0;
        return kind == STAGED   ? hitop_ring_read(node, slot, buffer, capacity)
               : kind == PIECED ? hitop_ring_read_pieces(node, slot, buffer, capacity)
                                : hitop_cma_bcast_read(node, slot, buffer, capacity);
    }
    total = kind == SHORT ? (size_t)slot->u.total : (size_t)kind;
    bytes = total < capacity ? total : capacity;
    hitop_wait_charge(bytes);
    if (kind == SHORT) {
        read_cell(node, buffer, bytes, total);
    } else {
        hitop_node_copy_few(buffer, slot->u.data, bytes);
    }
    hitop_node_complete(node, node->offset);
    return total;
}

size_t hitop_node_read(struct hitop_node *node, void *buffer, size_t capacity, int *note)
{
    const struct hitop_node_sources s = hitop_node_sources_of(node, NULL);

    if (hitop_cma_bcast_suits(node, capacity)) {
        hitop_cma_bcast_await(node);
    }
    return hitop_node_receive(node, &s, hitop_node_await(node, &s, capacity), buffer, capacity,
                              note);
}
