/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * alltoall.c - blocks from each rank to each, and from each to all.
 *
 * Alltoall: each rank gets a block of its own from every other one.
 *
 * Idea:   Each rank posts its blocks for all others in its outbox, long ones in rounds of one part
 *         of every block, and copies the parts for itself from the outboxes of the others. Still
 *         longer blocks use a CMA exchange.
 * Cost:   each byte is copied twice, by its owner and by its reader.
 */
#include <config.h>

#include "coll/node/cma_rendezvous.h"
#include "coll/node/outbox.h"

/* Parts of all blocks, one after another, make a round; a window has room for two rounds. */
struct rounds {
    size_t each; /* bytes of a block */
    size_t part; /* bytes of a block in each round except the last one */
    size_t row;  /* bytes of each round except the last one */
};

static struct rounds divide(const struct hitop_node *node, size_t each)
{
    const size_t size = (size_t)node->nranks;
    size_t most = node->outbox.ring_bytes / 4 / size;
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

static void post_round(struct hitop_node *node, struct hitop_outbox_writer *writer,
                       const struct rounds *r, const unsigned char *from, size_t at)
{
    const size_t n = bytes_at(r, at), all = n * (size_t)node->nranks;
    unsigned char *row = hitop_outbox_piece(node, writer, all);

    for (int to = 0; to < node->nranks; to++) {
        if (to != node->me) {
            memcpy(row + (size_t)to * n, from + (size_t)to * r->each + at, n);
        }
    }
    hitop_outbox_publish(node, writer, all);
}

static void take_round(struct hitop_node *node, const struct rounds *r, unsigned char *to,
                       size_t at)
{
    const uint64_t start = at / r->part * r->row;
    const size_t n = bytes_at(r, at), all = n * (size_t)node->nranks;

    for (int from = 0; from < node->nranks; from++) {
        struct hitop_outbox_slot *slot = hitop_outbox_slot_of(node, from);

        if (from != node->me) {
            hitop_outbox_await(node, &slot->u.staged.fill, start + all);
            memcpy(to + (size_t)from * r->each + at,
                   hitop_outbox_at(node, from, slot, start) + (size_t)node->me * n, n);
        }
    }
    hitop_outbox_took(node, start + all);
}

/* 1 if the blocks that another rank has posted have another length. */
static int differs_from(struct hitop_node *node, uint64_t bytes)
{
    int differs = 0;

    for (int r = 0; r < node->nranks; r++) {
        differs |= hitop_outbox_length(node, hitop_outbox_slot_of(node, r)) != bytes;
    }
    return differs;
}

static int exchange_lines(struct hitop_node *node, const unsigned char *from, unsigned char *to,
                          size_t each)
{
    const size_t bytes = each * (size_t)node->nranks, mine = each * (size_t)node->me;
    int differs;

    hitop_outbox_post(node, from, bytes, HITOP_OUTBOX_ALL);
    differs = differs_from(node, bytes);
    for (int r = 0; r < node->nranks && !differs; r++) {
        if (r != node->me) {
            hitop_outbox_get(node, hitop_outbox_slot_of(node, r), mine, to + (size_t)r * each,
                             each);
        }
    }
    return differs;
}

static int exchange_rounds(struct hitop_node *node, const unsigned char *from, unsigned char *to,
                           size_t each)
{
    const struct rounds r = divide(node, each);
    const uint64_t total = (uint64_t)each * (uint64_t)node->nranks;
    struct hitop_outbox_writer writer;
    int differs;

    hitop_outbox_open(node, &writer, total, total <= r.row ? r.row : 2 * r.row, HITOP_OUTBOX_ALL);
    post_round(node, &writer, &r, from, 0);
    differs = differs_from(node, total);
    for (size_t at = 0; at < each && !differs; at += r.part) {
        if (at > 0) {
            post_round(node, &writer, &r, from, at);
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

    return hitop_cma_exchange(node, from, total, total, each * (size_t)node->me, &blocks);
}

int hitop_node_alltoall(struct hitop_node *node, const void *from, void *to, size_t each,
                        int in_place)
{
    const size_t mine = each * (size_t)node->me;
    int differs = 0;

    if (each * (size_t)node->nranks <= HITOP_OUTBOX_LINED) {
        differs = exchange_lines(node, from, to, each);
    } else if (in_place ||
               !hitop_cma_exchange_suits(node, each, node->thresholds->alltoall_direct_from) ||
               !exchange_directly(node, from, to, each)) {
        differs = exchange_rounds(node, from, to, each);
    }
    if (from != to) {
        memcpy((unsigned char *)to + mine, (const unsigned char *)from + mine, each);
    }
    hitop_outbox_complete_all(node);
    return differs;
}

/*
 * Allgather: each rank gets the block of every other one.
 *
 * Idea:   Each rank posts its block in its outbox, a long one in steps, and copies those of the
 *         others from their outboxes. Still longer blocks use a CMA exchange.
 * Cost:   each byte is copied once by its owner and once by each other rank, at the same time.
 */

static int through_outboxes(struct hitop_node *node, const void *mine, size_t bytes,
                            const struct hitop_node_blocks *to)
{
    const size_t step = hitop_outboxes_step(node);
    struct hitop_outbox_writer writer = {.total = 0};
    uint64_t longest = 0;
    int differs;

    if (bytes <= HITOP_OUTBOX_LINED) {
        hitop_outbox_post(node, mine, bytes, HITOP_OUTBOX_ALL);
    } else {
        hitop_outbox_open(node, &writer, bytes, hitop_outboxes_window(node, bytes),
                          HITOP_OUTBOX_ALL);
        hitop_outboxes_bring(node, &writer, mine, step);
    }
    differs = hitop_node_copy_own(hitop_node_block(to, node->me), mine,
                                  bytes); /* meanwhile the others arrive */
    for (int r = 0; r < node->nranks; r++) {
        if (r != node->me) {
            differs |= hitop_outboxes_begin(node, r, to, &longest);
        }
    }
    for (uint64_t at = 0; at < longest || writer.written < writer.total; at += step) {
        if (at > 0 && writer.written < writer.total) {
            hitop_outboxes_bring(node, &writer, mine, step);
        }
        hitop_outboxes_take(node, to, at);
    }
    return differs;
}

/* The length of the longest block; all ranks know all lengths. */
static size_t longest_block(const struct hitop_node *node, const struct hitop_node_blocks *to)
{
    size_t longest = 0;

    for (int r = 0; r < node->nranks; r++) {
        const size_t bytes = hitop_node_block(to, r).bytes;

        longest = bytes > longest ? bytes : longest;
    }
    return longest;
}

int hitop_node_allgather(struct hitop_node *node, const void *mine, size_t bytes,
                         const struct hitop_node_blocks *to)
{
    const int is_direct = hitop_cma_exchange_suits(node, longest_block(node, to),
                                                   node->thresholds->allgather_direct_from);
    int differs;

    if (is_direct && hitop_cma_exchange(node, mine, bytes, 0, 0, to)) {
        differs = hitop_node_copy_own(hitop_node_block(to, node->me), mine, bytes);
    } else {
        differs = through_outboxes(node, mine, bytes, to);
    }
    hitop_outbox_complete_all(node);
    return differs;
}
