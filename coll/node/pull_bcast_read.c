/* SPDX-License-Identifier: BSD-3-Clause */
/* pull_bcast_read.c - a reader of a long message pulls what the writer does not push. */
#include <config.h>

#include "coll/node/pull_bcast.h"

#include "coll/node/arena.h"

struct receiving {
    struct hitop_node *node;
    const struct hitop_node_slot *slot;
    struct hitop_pull_desk *desk;
    unsigned char *buffer;
    size_t bytes, nchunks;
};

/* Say where the message is wanted. */
static void sit_down(const struct receiving *r)
{
    /* first of all, so that a writer of the past that still looks at the desk finds nothing to do */
    (void)atomic_exchange_explicit(&r->desk->claimed, hitop_pull_word(r->node, 0),
                                   memory_order_acq_rel);
    atomic_store_explicit(&r->desk->address, (uint64_t)(uintptr_t)r->buffer, memory_order_release);
    atomic_store_explicit(&r->desk->bytes, r->bytes, memory_order_release);
    atomic_store_explicit(&r->desk->here, r->node->seq << 1, memory_order_release);
    hitop_wait_ring(&r->node->wait);
}

static int pull_chunk(const struct receiving *r, size_t i)
{
    const size_t chunk = (size_t)r->slot->u.pulled.chunk;
    const int done = r->node->pull.works &&
                     hitop_pull_read(&r->node->pull, (int)r->slot->u.pulled.writer,
                                     r->buffer + i * chunk, r->slot->u.pulled.address + i * chunk,
                                     hitop_pull_chunk(r->bytes, chunk, i));

    hitop_wait_poke(&r->node->wait);
    return done;
}

/* Take what nobody else does, and wait for the rest: 1 when all is there, 0 when the kernel does not let us. */
static int pull(const struct receiving *r)
{
    struct hitop_node *node = r->node;
    size_t front = 0;
    uint64_t pushed;
    unsigned round = 0;

    while (hitop_pull_claim(node, r->desk, r->nchunks)) {
        if (!pull_chunk(r, front++)) {
            return 0;
        }
    }
    if (front == r->nchunks) {
        return 1;
    }
    for (;;) {
        pushed = atomic_load_explicit(&r->desk->pushed, memory_order_acquire);
        if (hitop_pull_is_of(node, pushed)) {
            if (front + (pushed & CHUNKS) == r->nchunks) {
                return 1;
            }
            if (pushed & STUCK) {
                break;
            }
        }
        hitop_wait_relax(&node->wait, &round);
    }
    for (; front + (pushed & CHUNKS) < r->nchunks; front++) {
        if (!pull_chunk(r, front)) {
            return 0;
        }
    }
    return 1;
}

/* All through the window. */
static void be_fed(const struct receiving *r)
{
    struct hitop_node *node = r->node;
    const size_t room = hitop_pull_window(node);
    uint64_t piece = 0;

    node->pull.works = 0;
    /* words of long ago could look like words to come */
    atomic_store_explicit(&r->desk->given, hitop_pull_word(node, 0), memory_order_relaxed);
    atomic_store_explicit(&r->desk->taken, hitop_pull_word(node, 0), memory_order_relaxed);
    atomic_store_explicit(&r->desk->here, node->seq << 1 | 1, memory_order_release);
    hitop_wait_ring(&node->wait);
    for (size_t at = 0; at < r->bytes; at += room) {
        const size_t n = r->bytes - at < room ? r->bytes - at : room;
        unsigned round = 0;
        piece++;
        while (atomic_load_explicit(&r->desk->given, memory_order_acquire) !=
               hitop_pull_word(node, piece)) {
            hitop_wait_relax(&node->wait, &round);
        }
        hitop_node_copy_out(node, node->ring, r->slot->u.pulled.start, r->buffer + at, n, n);
        atomic_store_explicit(&r->desk->taken, hitop_pull_word(node, piece), memory_order_release);
        hitop_wait_ring(&node->wait);
    }
}

/* The writer has gone. */
static void take_copy(const struct receiving *r)
{
    const uint64_t place = r->slot->u.pulled.place;
    const unsigned char *copy = hitop_arena_at(r->node->arena, place);

    for (size_t at = 0; at < r->bytes; at += HITOP_COPY_AT_ONCE) {
        const size_t left = r->bytes - at;
        memcpy(r->buffer + at, copy + at, left < HITOP_COPY_AT_ONCE ? left : HITOP_COPY_AT_ONCE);
        hitop_wait_poke(&r->node->wait);
    }
    hitop_arena_drop(r->node->arena, place, 1);
}

size_t hitop_pull_bcast_read(struct hitop_node *node, struct hitop_node_slot *slot, void *buffer,
                             size_t capacity)
{
    const size_t total = (size_t)slot->u.pulled.total;
    struct receiving r = {.node = node,
                          .slot = slot,
                          .desk = &node->desks[node->me],
                          .buffer = buffer,
                          .bytes = capacity < total ? capacity : total};

    r.nchunks = hitop_pull_chunks(r.bytes, (size_t)slot->u.pulled.chunk);
    if (atomic_fetch_add_explicit(&slot->u.pulled.gate, 1, memory_order_acq_rel) & CLOSED) {
        take_copy(&r);
    } else { /* only now may the writer see a desk to push to: it waits for those who came in */
        sit_down(&r);
        if (!pull(&r)) {
            be_fed(&r);
        }
        atomic_fetch_add_explicit(&slot->u.pulled.served, 1, memory_order_acq_rel);
    }
    hitop_node_leave(node, hitop_node_offset_after(slot->u.pulled.start, hitop_pull_window(node)));
    return total;
}
