/* SPDX-License-Identifier: BSD-3-Clause */
/* cma_bcast.c - a broadcast of a long message by CMA; see cma_bcast.h. */
#include <config.h>

#include "coll/node/arena.h"
#include "coll/node/cma_bcast.h"
#include "coll/node/ring.h"

struct receiving {
    struct hitop_node *node;
    const struct hitop_node_slot *slot;
    struct hitop_cma_request *request;
    unsigned char *buffer;
    size_t bytes, nchunks;
};

/* Publish the request of this reader. */
static void publish_request(const struct receiving *r)
{
    /*
     * first, so that the writer of an earlier operation that still polls the request finds no chunk
     */
    (void)atomic_exchange_explicit(&r->request->claimed, hitop_cma_word(r->node, 0),
                                   memory_order_acq_rel);
    atomic_store_explicit(&r->request->address, (uint64_t)(uintptr_t)r->buffer,
                          memory_order_release);
    atomic_store_explicit(&r->request->bytes, r->bytes, memory_order_release);
    atomic_store_explicit(&r->request->here, r->node->seq << 1, memory_order_release);
    hitop_wait_notify(&r->node->wait);
}

static int pull_chunk(const struct receiving *r, size_t i)
{
    const size_t chunk = (size_t)r->slot->u.cma.chunk;
    const int done =
        r->node->cma.works &&
        hitop_cma_read(&r->node->cma, (int)r->slot->u.cma.writer, r->buffer + i * chunk,
                       r->slot->u.cma.address + i * chunk, hitop_cma_chunk(r->bytes, chunk, i));

    hitop_wait_progress(&r->node->wait);
    return done;
}

/*
 * Copy the chunks that the writer does not, and wait for the others: 1 if all are copied, 0 if CMA
 * has failed.
 */
static int pull(const struct receiving *r)
{
    struct hitop_node *node = r->node;
    size_t front = 0;
    uint64_t pushed;
    unsigned round = 0;

    while (hitop_cma_claim(node, r->request, r->nchunks)) {
        if (!pull_chunk(r, front++)) {
            return 0;
        }
    }
    if (front == r->nchunks) {
        return 1;
    }
    for (;;) {
        pushed = atomic_load_explicit(&r->request->pushed, memory_order_acquire);
        if (hitop_cma_is_of(node, pushed)) {
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

/* CMA has failed: read the whole message through the window. */
static void be_fed(const struct receiving *r)
{
    struct hitop_node *node = r->node;
    const size_t room = hitop_cma_window(node);
    uint64_t piece = 0;

    node->cma.works = 0;
    /* words of much older operations could look like those of this one */
    atomic_store_explicit(&r->request->given, hitop_cma_word(node, 0), memory_order_relaxed);
    atomic_store_explicit(&r->request->taken, hitop_cma_word(node, 0), memory_order_relaxed);
    atomic_store_explicit(&r->request->here, node->seq << 1 | 1, memory_order_release);
    hitop_wait_notify(&node->wait);
    for (size_t at = 0; at < r->bytes; at += room) {
        const size_t n = r->bytes - at < room ? r->bytes - at : room;
        unsigned round = 0;
        piece++;
        while (atomic_load_explicit(&r->request->given, memory_order_acquire) !=
               hitop_cma_word(node, piece)) {
            hitop_wait_relax(&node->wait, &round);
        }
        hitop_node_copy_out(node, r->slot->u.cma.start, r->buffer + at, n);
        atomic_store_explicit(&r->request->taken, hitop_cma_word(node, piece),
                              memory_order_release);
        hitop_wait_notify(&node->wait);
    }
}

/* The writer has completed: read the copy in the arena. */
static void take_copy(const struct receiving *r)
{
    const uint64_t place = r->slot->u.cma.place;
    const unsigned char *copy = hitop_arena_at(r->node->arena, place);

    for (size_t at = 0; at < r->bytes; at += HITOP_COPY_AT_ONCE) {
        const size_t left = r->bytes - at;
        memcpy(r->buffer + at, copy + at, left < HITOP_COPY_AT_ONCE ? left : HITOP_COPY_AT_ONCE);
        hitop_wait_progress(&r->node->wait);
    }
    hitop_arena_drop(r->node->arena, place, 1);
}

size_t hitop_cma_bcast_read(struct hitop_node *node, struct hitop_node_slot *slot, void *buffer,
                            size_t capacity)
{
    const size_t total = (size_t)slot->u.cma.total;
    struct receiving r = {.node = node,
                          .slot = slot,
                          .request = &node->requests[node->me],
                          .buffer = buffer,
                          .bytes = capacity < total ? capacity : total};

    r.nchunks = hitop_cma_chunks(r.bytes, (size_t)slot->u.cma.chunk);
    if (atomic_fetch_add_explicit(&slot->u.cma.gate, 1, memory_order_acq_rel) & CLOSED) {
        take_copy(&r);
    } else { /* after the gate: the writer waits for every reader that passed it */
        publish_request(&r);
        if (!pull(&r)) {
            be_fed(&r);
        }
        atomic_fetch_add_explicit(&slot->u.cma.served, 1, memory_order_acq_rel);
    }
    hitop_node_complete(node, hitop_node_offset_after(slot->u.cma.start, hitop_cma_window(node)));
    return total;
}

/*
 * The writer of a long message serves the readers that have arrived, and copies the message to the
 * arena for the others.
 */

struct sending {
    struct hitop_node *node;
    struct hitop_node_slot *slot;
    const unsigned char *data;
    size_t bytes, chunk;
    uint64_t since; /* see hitop_node_must_leave() */
    /* readers that this writer serves */
    uint64_t readers;
    /* the gate is closed: later readers use the copy */
    int is_closed;
};

/* Copy one chunk to a reader that has arrived: 1 if there was one. */
static int push(struct sending *s, int reader)
{
    struct hitop_node *node = s->node;
    struct hitop_cma_request *request = &node->requests[reader];
    const size_t bytes = atomic_load_explicit(&request->bytes, memory_order_acquire);
    const uint64_t to = atomic_load_explicit(&request->address, memory_order_acquire);
    const size_t nchunks = hitop_cma_chunks(bytes, s->chunk);
    uint64_t pushed = atomic_load_explicit(&request->pushed, memory_order_relaxed);
    size_t i;

    pushed = hitop_cma_is_of(node, pushed) ? pushed : hitop_cma_word(node, 0);
    if (pushed & STUCK || !hitop_cma_claim(node, request, nchunks)) {
        return 0;
    }
    i = nchunks - 1 - (size_t)(pushed & CHUNKS);
    if (node->cma.works &&
        hitop_cma_write(&node->cma, reader, to + i * s->chunk, s->data + i * s->chunk,
                        hitop_cma_chunk(bytes, s->chunk, i))) {
        pushed++;
    } else {
        node->cma.works = 0;
        pushed |= STUCK; /* the reader copies the rest */
    }
    atomic_store_explicit(&request->pushed, pushed, memory_order_release);
    hitop_wait_notify(&node->wait);
    hitop_wait_progress(&node->wait);
    return 1;
}

/* The CMA of a reader has failed: write the message to the window, piece by piece. */
static void feed(struct sending *s, int reader)
{
    struct hitop_node *node = s->node;
    struct hitop_cma_request *request = &node->requests[reader];
    const size_t room = hitop_cma_window(node);
    const size_t bytes = atomic_load_explicit(&request->bytes, memory_order_acquire);
    const uint64_t start = s->slot->u.cma.start;
    uint64_t piece = 0;
    unsigned round = 0;

    node->cma.works = 0;
    while (!hitop_node_ring_is_free(node, start, room)) {
        hitop_wait_relax(&node->wait, &round);
    }
    for (size_t at = 0; at < bytes; at += room) {
        const size_t n = bytes - at < room ? bytes - at : room;
        hitop_node_copy_in(node, start, s->data + at, n);
        atomic_store_explicit(&request->given, hitop_cma_word(node, ++piece), memory_order_release);
        hitop_wait_notify(&node->wait);
        for (round = 0;
             !hitop_cma_has_come(atomic_load_explicit(&request->taken, memory_order_acquire),
                                 hitop_cma_word(node, piece));) {
            hitop_wait_relax(&node->wait, &round);
        }
    }
}

/* Serve the readers that have arrived: 1 if there was something to do. */
static int serve(struct sending *s)
{
    struct hitop_node *node = s->node;
    int busy = 0;

    for (int i = 0; i < node->nranks; i++) {
        const uint64_t here = atomic_load_explicit(&node->requests[i].here, memory_order_acquire);
        if (i == node->me || here >> 1 != node->seq << 1 >> 1) {
            continue;
        }
        if (!(here & 1)) {
            busy |= push(s, i);
        } else if (!hitop_cma_has_come(
                       atomic_load_explicit(&node->requests[i].given, memory_order_relaxed),
                       hitop_cma_word(node, 1))) {
            feed(s, i);
            busy = 1;
        }
    }
    return busy;
}

/* The number of readers that have the message. */
static uint64_t served(const struct sending *s)
{
    return atomic_load_explicit(&s->slot->u.cma.served, memory_order_acquire);
}

/* The number of readers that have arrived. */
static uint64_t came(const struct sending *s)
{
    return atomic_load_explicit(&s->slot->u.cma.gate, memory_order_relaxed) % CLOSED;
}

/*
 * Copy the message to the arena and close the gate, unless there is no room or all readers arrive
 * meanwhile.
 */
static void spill(struct sending *s)
{
    struct hitop_node *node = s->node;
    struct hitop_node_slot *slot = s->slot;
    const uint64_t place =
        node->arena ? hitop_arena_take(node->arena, s->bytes, (unsigned)node->nranks, NULL) : 0;
    uint64_t before;

    if (place == 0) {
        return;
    }
    for (size_t at = 0; at < s->bytes; at += HITOP_COPY_AT_ONCE) {
        const size_t n = s->bytes - at < HITOP_COPY_AT_ONCE ? s->bytes - at : HITOP_COPY_AT_ONCE;
        if (came(s) == s->readers) {
            hitop_arena_drop(node->arena, place, (unsigned)node->nranks);
            return;
        }
        memcpy((unsigned char *)hitop_arena_at(node->arena, place) + at, s->data + at, n);
        hitop_wait_progress(&node->wait);
    }
    slot->u.cma.place = place;
    before = atomic_fetch_or_explicit(&slot->u.cma.gate, CLOSED, memory_order_acq_rel);
    hitop_arena_drop(node->arena, place, (unsigned)before + 1); /* the writer too */
    s->readers = before;
    s->is_closed = 1;
}

static int reader_waits(const struct hitop_node *node)
{
    for (int i = 0; i < node->nranks; i++) {
        if (i != node->me &&
            atomic_load_explicit(&node->requests[i].awaited, memory_order_acquire) == node->seq) {
            return 1;
        }
    }
    return 0;
}

int hitop_cma_bcast_is_awaited(struct hitop_node *node, size_t bytes)
{
    const uint64_t since = hitop_wait_clock();
    unsigned round = 0;

    if (bytes > node->ring_bytes / 2) {
        return 1;
    }
    if (node->wrote_last && bytes < node->thresholds->cma_row_from) {
        return 0;
    }
    while (!reader_waits(node)) {
        if (hitop_wait_clock() - since >= HITOP_CMA_GRACE) {
            return 0;
        }
        hitop_wait_relax(&node->wait, &round);
    }
    return 1;
}

void hitop_cma_bcast_write(struct hitop_node *node, const void *data, size_t bytes, int note)
{
    struct hitop_node_slot *slot;
    struct sending s = {.node = node,
                        .data = data,
                        .bytes = bytes,
                        .readers = (uint64_t)node->nranks - 1,
                        .chunk = hitop_piece_for(node->thresholds->chunk, bytes)};
    unsigned round = 0;

    while (!hitop_node_slot_is_free(node, node->nslots)) {
        hitop_wait_relax(&node->wait, &round);
    }
    s.slot = slot = hitop_ring_slot(node);
    node->wrote_last = 1;
    slot->u.cma.total = bytes;
    slot->u.cma.chunk = s.chunk;
    slot->u.cma.start = node->offset;
    slot->u.cma.address = (uint64_t)(uintptr_t)data;
    slot->u.cma.writer = (uint64_t)node->me;
    atomic_store_explicit(&slot->u.cma.gate, 0, memory_order_relaxed);
    atomic_store_explicit(&slot->u.cma.served, 0, memory_order_relaxed);
    atomic_store_explicit(&slot->tag, node->seq << TAG_SHIFT | (note ? NOTE : 0) | BY_CMA,
                          memory_order_release);
    hitop_wait_notify(&node->wait);
    for (round = 0; served(&s) < s.readers;) {
        if (serve(&s)) {
            round = 0;
            s.since = 0;
        } else if (!s.is_closed && served(&s) == came(&s) &&
                   hitop_node_must_leave(&s.since, bytes, node->thresholds->patience)) {
            spill(&s);
            s.since = 0;
        } else {
            hitop_wait_relax(&node->wait, &round);
        }
    }
    hitop_node_complete(node, hitop_node_offset_after(node->offset, hitop_cma_window(node)));
}
