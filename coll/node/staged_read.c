/* SPDX-License-Identifier: BSD-3-Clause */
/* staged_read.c - readers copy a long message out of the ring, while it comes. */
#include <config.h>

#include "coll/node/staged.h"

#include "coll/node/domain.h"
#include "coll/node/laps.h"

/* A message that is being read. */
struct reading {
    struct hitop_node *node;
    const struct hitop_node_slot *slot;
    enum hitop_domain_role role;
    uint64_t total, got; /* bytes */
    uint64_t turn;       /* what is known of it, see laps.h */
    uint64_t place;      /* in memory of the node, of what is not in the ring; 0: nothing yet */
};

/* What is next, in the ring's offsets. */
static uint64_t position(const struct reading *r)
{
    return hitop_laps_offset(r->node, r->slot->u.staged.start, r->got, r->turn);
}

/*
 * Wait for more than we have read, and learn where it lies. Returns up to where the ring is filled, and whether it is to be
 * taken from the mirror.
 */
static uint64_t await(struct reading *r, int *from_mirror)
{
    const uint64_t at = position(r);
    unsigned round = 0;
    uint64_t fill;

    *from_mirror = 0;
    if (r->role == HITOP_DOMAIN_LATER) {
        fill = hitop_domain_await(r->node, r->slot, at, from_mirror);
    } else {
        while ((fill = atomic_load_explicit(&r->slot->u.staged.fill, memory_order_acquire)) <= at) {
            hitop_wait_relax(&r->node->wait, &round);
        }
    }
    r->place = atomic_load_explicit(&r->slot->u.staged.place, memory_order_acquire);
    r->turn = atomic_load_explicit(&r->slot->u.staged.turn, memory_order_relaxed);
    return fill;
}

/* Is the next byte of the message in memory of the node instead of the ring? */
static int is_elsewhere(const struct reading *r)
{
    return r->place != 0 && r->got >= r->slot->u.staged.in_ring;
}

/*
 * Of what the ring is filled with, the next bytes of the message that lie in one place, and not so many that a writer who
 * goes round in a lap hears of them too late.
 */
static uint64_t next_bytes(const struct reading *r, uint64_t fill)
{
    const uint64_t there = fill - position(r), run = hitop_laps_run(r->node, r->got, r->turn);
    const uint64_t step = hitop_lap(r->node->ring_bytes) / HITOP_LAP_STEPS;
    uint64_t most = r->total - r->got;

    most = run < most ? run : most;
    most = step < most ? step : most;
    if (r->place != 0 && !is_elsewhere(r) && r->slot->u.staged.in_ring - r->got < most) {
        most = r->slot->u.staged.in_ring - r->got;
    }
    return there < most ? there : most;
}

/*
 * Who mirrors: the first piece of what is there, of which those who come later need not wait for the rest; or, where
 * nothing of it is in the ring any more, the end. Returns its bytes.
 */
static uint64_t mirror(struct reading *r, uint64_t bytes)
{
    const size_t piece = hitop_piece_for(r->node->thresholds->fragment, r->total);

    if (!is_elsewhere(r)) {
        bytes = bytes < piece ? bytes : piece;
        hitop_domain_mirror(r->node, position(r), position(r) + bytes);
    }
    if (r->got + bytes == r->total || is_elsewhere(r)) {
        hitop_domain_end(r->node);
        r->role = HITOP_DOMAIN_NONE;
    }
    return bytes;
}

/* Copy what is there, or that of it which lies in one place, as far as there is room; returns how much was there. */
static uint64_t take_piece(struct reading *r, unsigned char *buffer, size_t capacity)
{
    struct hitop_node *node = r->node;
    int from_mirror;
    const uint64_t fill = await(r, &from_mirror);
    uint64_t bytes = next_bytes(r, fill);
    size_t wanted;

    if (r->role == HITOP_DOMAIN_FIRST) {
        bytes = mirror(r, bytes);
        from_mirror = 1;
    }
    wanted = bytes < capacity ? (size_t)bytes : capacity;
    if (wanted == 0) { /* then there may be no address */
    } else if (is_elsewhere(r)) {
        memcpy(buffer,
               (const unsigned char *)hitop_arena_at(node->arena, r->place) + r->got -
                   r->slot->u.staged.in_ring,
               wanted);
    } else {
        hitop_node_copy_out(node, from_mirror ? node->mirror : node->ring, position(r), buffer,
                            wanted, hitop_node_fragment(node, (size_t)r->total));
    }
    hitop_wait_charge(wanted);
    return bytes;
}

/* All is read; the ring goes on where the message has left it. */
static void leave(const struct reading *r)
{
    if (r->place != 0) {
        hitop_arena_drop(r->node->arena, r->place, 1);
    }
    hitop_node_leave(r->node,
                     hitop_laps_after(r->node, r->slot->u.staged.start,
                                      r->place ? r->slot->u.staged.in_ring : r->total, r->turn));
    if (r->node->nranks == 2) { /* who has written it reads nothing of it */
        r->node->consumed_min = r->node->offset;
    }
}

size_t hitop_staged_read(struct hitop_node *node, const struct hitop_node_slot *slot,
                         unsigned char *buffer, size_t capacity)
{
    struct hitop_node_member *mine = &node->members[node->me];
    struct reading r = {.node = node,
                        .slot = slot,
                        .role = hitop_domain_role_in(node, slot),
                        .total = slot->u.staged.total};

    node->mirrored += r.role == HITOP_DOMAIN_FIRST;
    while (r.got < r.total) {
        const uint64_t bytes = take_piece(&r, buffer, capacity);
        const size_t piece = bytes < capacity ? (size_t)bytes : capacity;

        buffer += piece;
        capacity -= piece;
        r.got += bytes;
        if (r.got < r.total && r.place == 0) { /* the writer may be waiting for this room */
            atomic_store_explicit(&mine->consumed, position(&r), memory_order_release);
            hitop_wait_ring(&node->wait);
        }
    }
    leave(&r);
    return (size_t)r.total;
}
