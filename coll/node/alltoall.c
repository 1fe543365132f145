/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * alltoall.c - everybody gets a block of its own from each.
 *
 * Idea:   each leaves what it has for all the others in its lane, where it is long a part of every block at a time, and
 *         takes its own parts out of theirs; where even that is too much, straight out of their memory.
 * Cost:   each byte is copied twice, by its owner and by its reader.
 */
#include <config.h>

#include "coll/node/direct.h"

/* Parts of all blocks, one after another, make a round; two of them a window. */
struct rounds {
    size_t each; /* bytes of a block */
    size_t part; /* bytes of it in a round, but for the last one */
    size_t row;  /* bytes of a round, but for the last one */
};

static struct rounds divide(const struct hitop_node *node, size_t each)
{
    const size_t size = (size_t)node->nranks;
    size_t most = node->lanes.ring_bytes / 4 / size;
    struct rounds r = {.each = each};

    most = most > 64 ? most / 64 * 64 : most;
    r.part = each < most ? each : most;
    r.row = r.part * size;
    return r;
}

static size_t bytes_at(const struct rounds *r, size_t at)
{
    return r->each - at < r->part ? r->each - at : r->part;
}

static void deposit_round(struct hitop_node *node, struct hitop_lane_writer *writer,
                          const struct rounds *r, const unsigned char *from, size_t at)
{
    const size_t n = bytes_at(r, at), all = n * (size_t)node->nranks;
    unsigned char *row = hitop_lane_piece(node, writer, all);

    for (int to = 0; to < node->nranks; to++) {
        if (to != node->me) {
            memcpy(row + (size_t)to * n, from + (size_t)to * r->each + at, n);
        }
    }
    hitop_lane_publish(node, writer, all);
}

static void take_round(struct hitop_node *node, const struct rounds *r, unsigned char *to,
                       size_t at)
{
    const uint64_t start = at / r->part * r->row;
    const size_t n = bytes_at(r, at), all = n * (size_t)node->nranks;

    for (int from = 0; from < node->nranks; from++) {
        struct hitop_lane_slot *slot = hitop_lane_slot_of(node, from);

        if (from != node->me) {
            hitop_lane_await_fill(node, slot, start + all);
            memcpy(to + (size_t)from * r->each + at,
                   hitop_lane_at(node, from, slot, start) + (size_t)node->me * n, n);
        }
    }
    hitop_lane_took(node, start + all);
}

/* 1 when the deposit of another has not the length of ours. */
static int differs_from(struct hitop_node *node, uint64_t bytes)
{
    int differs = 0;

    for (int r = 0; r < node->nranks; r++) {
        differs |= hitop_lane_length(node, hitop_lane_slot_of(node, r)) != bytes;
    }
    return differs;
}

static int exchange_lines(struct hitop_node *node, const unsigned char *from, unsigned char *to,
                          size_t each)
{
    const size_t bytes = each * (size_t)node->nranks, mine = each * (size_t)node->me;
    int differs;

    hitop_lane_put(node, from, bytes, HITOP_LANE_ALL);
    differs = differs_from(node, bytes);
    for (int r = 0; r < node->nranks && !differs; r++) {
        if (r != node->me) {
            hitop_lane_get(node, hitop_lane_slot_of(node, r), mine, to + (size_t)r * each, each);
        }
    }
    return differs;
}

static int exchange_rounds(struct hitop_node *node, const unsigned char *from, unsigned char *to,
                           size_t each)
{
    const struct rounds r = divide(node, each);
    const uint64_t total = (uint64_t)each * (uint64_t)node->nranks;
    struct hitop_lane_writer writer;
    int differs;

    hitop_lane_open(node, &writer, total, total <= r.row ? r.row : 2 * r.row, HITOP_LANE_ALL);
    deposit_round(node, &writer, &r, from, 0);
    differs = differs_from(node, total);
    for (size_t at = 0; at < each && !differs; at += r.part) {
        if (at > 0) {
            deposit_round(node, &writer, &r, from, at);
        }
        take_round(node, &r, to, at);
    }
    return differs;
}

static int exchange_directly(struct hitop_node *node, const unsigned char *from, unsigned char *to,
                             size_t each)
{
    const size_t total = each * (size_t)node->nranks;
    const struct hitop_node_blocks blocks = {.base = to, .each = each};

    return hitop_direct_exchange(node, from, total, total, each * (size_t)node->me, &blocks);
}

int hitop_node_alltoall(struct hitop_node *node, const void *from, void *to, size_t each,
                        int in_place)
{
    const size_t mine = each * (size_t)node->me;
    int differs = 0;

    if (each * (size_t)node->nranks <= HITOP_LANE_LINED) {
        differs = exchange_lines(node, from, to, each);
    } else if (in_place ||
               !hitop_direct_suits(node, each, node->thresholds->alltoall_direct_from) ||
               !exchange_directly(node, from, to, each)) {
        differs = exchange_rounds(node, from, to, each);
    }
    if (from != to) {
        memcpy((unsigned char *)to + mine, (const unsigned char *)from + mine, each);
    }
    hitop_lane_leave_all(node);
    return differs;
}
