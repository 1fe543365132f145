/* SPDX-License-Identifier: BSD-3-Clause */
/* staged_read.c - readers copy a long message out of the ring, while it comes. */
#include <config.h>

#include "staged.h"

#include "domain.h"

/* A message that is being read. */
struct reading {
    struct hitop_node *node;
    const struct hitop_node_slot *slot;
    enum hitop_domain_role role;
    uint64_t end; /* ring offset after the message, were it all in the ring */
    uint64_t at;  /* that of the first byte not read yet */
};

/* The first byte that lies in memory of the node instead of the ring, once its place is known. */
static uint64_t first_elsewhere(const struct reading *r, uint64_t place)
{
    return place ? r->slot->u.staged.start + r->slot->u.staged.in_ring : UINT64_MAX;
}

/* Wait for more of it than we have read. Returns up to where, and whether it is to be taken from the mirror. */
static uint64_t await(const struct reading *r, int *from_mirror)
{
    unsigned round = 0;
    uint64_t fill;

    *from_mirror = 0;
    if (r->role == HITOP_DOMAIN_LATER) {
        fill = hitop_domain_await(r->node, r->slot, r->at, from_mirror);
        return fill < r->end ? fill : r->end;
    }
    while ((fill = atomic_load_explicit(&r->slot->u.staged.fill, memory_order_acquire)) <= r->at) {
        hitop_wait_relax(&r->node->wait, &round);
    }
    return fill;
}

/*
 * Who mirrors: the next piece of what the ring holds up to `fill`, of which those who come later need not wait for the
 * rest; or, where nothing of it is in the ring any more, the end. Returns up to where.
 */
static uint64_t mirror(struct reading *r, uint64_t fill, uint64_t elsewhere)
{
    const size_t piece = hitop_piece_for(r->node->thresholds->fragment, r->slot->u.staged.total);

    if (r->at < elsewhere) {
        fill = fill - r->at < piece ? fill : r->at + piece;
        hitop_domain_mirror(r->node, r->at, fill);
    }
    if (fill == r->end || r->at >= elsewhere) {
        hitop_domain_end(r->node);
        r->role = HITOP_DOMAIN_NONE;
    }
    return fill;
}

/* Copy what is there, or that of it which lies in one place, as far as there is room; returns the offset after it. */
static uint64_t take_piece(struct reading *r, unsigned char *buffer, size_t capacity)
{
    struct hitop_node *node = r->node;
    int from_mirror;
    uint64_t fill = await(r, &from_mirror);
    const uint64_t place = atomic_load_explicit(&r->slot->u.staged.place, memory_order_acquire);
    const uint64_t elsewhere = first_elsewhere(r, place);
    size_t wanted;

    if (r->at < elsewhere && fill > elsewhere) {
        fill = elsewhere;
    }
    if (r->role == HITOP_DOMAIN_FIRST) {
        fill = mirror(r, fill, elsewhere);
        from_mirror = 1;
    }
    wanted = fill - r->at < capacity ? (size_t)(fill - r->at) : capacity;
    if (r->at >= elsewhere) {
        memcpy(buffer,
               (const unsigned char *)hitop_arena_at(node->arena, place) + (r->at - elsewhere),
               wanted);
    } else {
        hitop_node_copy_out(node, from_mirror ? node->mirror : node->ring, r->at, buffer, wanted);
    }
    hitop_wait_charge(wanted);
    return fill;
}

/* All is read; the ring goes on where the message has left it. */
static void leave(const struct reading *r)
{
    const uint64_t place = atomic_load_explicit(&r->slot->u.staged.place, memory_order_relaxed);
    const uint64_t in_ring = place ? r->slot->u.staged.in_ring : r->slot->u.staged.total;

    if (place != 0) {
        hitop_arena_drop(r->node->arena, place, 1);
    }
    hitop_node_leave(r->node, hitop_node_offset_after(r->slot->u.staged.start, (size_t)in_ring));
}

size_t hitop_staged_read(struct hitop_node *node, const struct hitop_node_slot *slot,
                         unsigned char *buffer, size_t capacity)
{
    struct hitop_node_member *mine = &node->members[node->me];
    const size_t total = (size_t)slot->u.staged.total;
    struct reading r = {.node = node,
                        .slot = slot,
                        .role = hitop_domain_role_in(node, slot),
                        .end = slot->u.staged.start + total,
                        .at = slot->u.staged.start};

    node->mirrored += r.role == HITOP_DOMAIN_FIRST;
    while (r.at < r.end) {
        const uint64_t before = r.at;
        size_t piece;

        r.at = take_piece(&r, buffer, capacity);
        piece = r.at - before < capacity ? (size_t)(r.at - before) : capacity;
        buffer += piece;
        capacity -= piece;
        if (r.at < r.end &&
            atomic_load_explicit(&slot->u.staged.place, memory_order_relaxed) == 0) {
            /* the writer may be waiting for this room */
            atomic_store_explicit(&mine->consumed, r.at, memory_order_release);
            hitop_wait_ring(&node->wait);
        }
    }
    leave(&r);
    return total;
}
