/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * node_pieces.c - a broadcast on a node whose pieces come in any order.
 *
 * Idea:   the ring holds records, each of which says where in the message its bytes belong; a reader puts them there
 *         as they come, and has all when they add up to the length of the message.
 * Use:    who gets a message from other nodes in parts, and may not wait for the first one to share the others.
 */
#include <config.h>

#include "coll/node/laps.h"

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
        if (!hitop_node_next_is_free(node, node->nslots)) {
            return 0;
        }
        hitop_laps_begin(node, writer);
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

    hitop_node_copy_out(node, node->ring, at, (unsigned char *)&record, sizeof(record), 0);
    if (record.at < capacity) {
        const size_t room = capacity - (size_t)record.at;
        const size_t n = record.bytes < room ? (size_t)record.bytes : room;

        hitop_wait_charge(n);
        hitop_node_copy_out(node, node->ring, at + sizeof(record), buffer + record.at, n, n);
    }
    return (size_t)record.bytes;
}

size_t hitop_node_read_pieces(struct hitop_node *node, const struct hitop_node_slot *slot,
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
