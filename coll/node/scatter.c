/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * scatter.c - one process has a block for each.
 *
 * Idea:   the root leaves short blocks in the boxes of their readers; long ones go through its own lane, in which each
 *         reader has a window of its own and takes what is there, while the root fills the windows in turns. The box says
 *         where. Readers wait for nobody but the root, the root only for readers whose window or box is full, or whose
 *         block is so long that both copy it straight from memory to memory (hand.h).
 * Cost:   each byte is copied twice, the first time by the root; of the longest blocks once, by both.
 */
#include <config.h>

#include "hand.h"
#include "operations.h"

/* The windows in the root's lane, or in memory of the node. */
struct windows {
    size_t bytes; /* of each */
    size_t step;  /* written at a time */
    uint64_t start;
    uint64_t place; /* not 0: there, each as long as its block */
};

/* Is this a block for the windows? Boxes tell which long ones were handed over. */
static int is_pending(struct hitop_node *node, const struct hitop_node_blocks *from, int rank)
{
    struct hitop_lane_slot *box = hitop_lane_box_of(node, rank);
    size_t bytes;

    (void)hitop_node_block(from, rank, &bytes);
    return rank != node->me && bytes > HITOP_LANE_LINED &&
           !(hitop_lane_is_handed(node, box) && hitop_hand_state(box) == HITOP_HAND_DONE);
}

/*
 * Divide the lane among those whose block is long. Where ranks share processors, and a block does not fit, it is a turn of
 * the scheduler to wait for room; all blocks together in memory of the node spare that.
 */
static struct windows make_windows(struct hitop_node *node, const struct hitop_node_blocks *from)
{
    struct windows w = {0};
    size_t n = 0, longest = 0, all = 0, most, bytes;

    for (int r = 0; r < node->nranks; r++) {
        if (is_pending(node, from, r)) {
            (void)hitop_node_block(from, r, &bytes);
            longest = bytes > longest ? bytes : longest;
            all += hitop_node_round_up(bytes, 64);
            n++;
        }
    }
    if (n > 0) {
        most = node->lanes.ring_bytes / 2 / n / 128 * 128;
        w.step = hitop_node_piece(node, longest, node->thresholds->scatter_step);
        if (w.step > most / 2) {
            w.step = most / 2;
        }
        w.bytes = longest <= most ? hitop_node_round_up(longest, 64) : most / w.step * w.step;
        if (longest > most && node->arena && all <= node->thresholds->leave_to) {
            w.place = hitop_arena_take(node->arena, all, (unsigned)n, NULL);
        }
        if (w.place == 0) {
            w.start = hitop_lane_reserve(node, n * w.bytes, HITOP_LANE_ALL);
        }
    }
    return w;
}

static int *filler(struct hitop_node *node)
{
    return &node->lanes.filler[node->seq % node->nplaces];
}

/*
 * A box is free when its reader has left the operation that used it before, and its root as well, which still looks at the
 * boxes of readers that have gone on.
 */
static void await_box(struct hitop_node *node, int rank)
{
    if (node->seq > node->nplaces) {
        hitop_lane_await(node, &node->members[rank].done, node->seq - node->nplaces);
        if (*filler(node) > 0 && *filler(node) - 1 != node->me) {
            hitop_lane_await(node, &node->members[*filler(node) - 1].done,
                             node->seq - node->nplaces);
        }
    }
}

/* What needs no window: short blocks, and those that are handed over. 1 when it is one of the latter. */
static int fill_box(struct hitop_node *node, const struct hitop_node_blocks *from, int rank)
{
    struct hitop_lane_slot *box = hitop_lane_box_of(node, rank);
    size_t bytes;
    const unsigned char *block = hitop_node_block(from, rank, &bytes);

    await_box(node, rank);
    if (bytes <= HITOP_LANE_LINED) {
        hitop_lane_fill_slot(node, box, block, bytes);
    } else if (hitop_hand_suits(node, bytes, node->thresholds->scatter_hand_from)) {
        hitop_hand_open(node, box, block, bytes);
        return 1;
    }
    return 0;
}

/* Tell a reader of its window, with the first step of its block in it. 1 when there is more. */
static int open_window(struct hitop_node *node, struct windows *w,
                       const struct hitop_node_blocks *from, int rank)
{
    struct hitop_lane_slot *box = hitop_lane_box_of(node, rank);
    size_t bytes, n;
    const unsigned char *block = hitop_node_block(from, rank, &bytes);
    unsigned char *memory = w->place ? (unsigned char *)hitop_arena_at(node->arena, w->place)
                                     : hitop_lane_ring_of(node, node->me);

    n = bytes < w->step ? bytes : w->step;
    memcpy(memory + w->start, block, n);
    box->u.staged.total = bytes;
    box->u.staged.start = w->start;
    box->u.staged.window = w->place ? hitop_node_round_up(bytes, 64) : w->bytes;
    box->u.staged.place = w->place;
    w->start += box->u.staged.window;
    atomic_store_explicit(&box->u.staged.fill, n, memory_order_relaxed);
    atomic_store_explicit(&box->tag, node->seq << 8 | STAGED, memory_order_release);
    hitop_wait_ring(&node->wait);
    return n < bytes;
}

/* The step of a block that begins at `at`. 1 when there is more. */
static int write_step(struct hitop_node *node, const struct windows *w,
                      const struct hitop_node_blocks *from, int rank, size_t at)
{
    struct hitop_lane_slot *box = hitop_lane_box_of(node, rank);
    unsigned round = 0;
    size_t bytes, n;
    const unsigned char *block = hitop_node_block(from, rank, &bytes);

    if (at >= bytes) {
        return 0;
    }
    n = bytes - at < w->step ? bytes - at : w->step;
    while (at + n > box->u.staged.window &&
           hitop_lane_taken_by(node, rank) < at + n - box->u.staged.window) {
        hitop_wait_relax(&node->wait, &round);
    }
    memcpy(hitop_lane_at(node, node->me, box, at), block + at, n);
    atomic_store_explicit(&box->u.staged.fill, at + n, memory_order_release);
    hitop_wait_ring(&node->wait);
    return at + n < bytes;
}

static void stream(struct hitop_node *node, const struct hitop_node_blocks *from)
{
    struct windows w = make_windows(node, from);
    int more = 0;

    if (w.bytes == 0) {
        return;
    }
    for (int r = 0; r < node->nranks; r++) {
        if (is_pending(node, from, r)) {
            more |= open_window(node, &w, from, r);
        }
    }
    for (int r = 0; w.place && r < node->nranks;
         r++) { /* one after the other: who has all can go */
        for (size_t at = w.step; is_pending(node, from, r) && write_step(node, &w, from, r, at);) {
            at += w.step;
        }
    }
    for (size_t at = w.step; more && !w.place; at += w.step) {
        more = 0;
        for (int r = 0; r < node->nranks; r++) {
            if (is_pending(node, from, r)) {
                more |= write_step(node, &w, from, r, at);
            }
        }
    }
}

/* The root's own block stays where it is, or goes to `mine`. 1 when its lengths differ. */
static int keep(struct hitop_node *node, const struct hitop_node_blocks *from, void *mine,
                size_t bytes)
{
    size_t length;
    const unsigned char *block = hitop_node_block(from, node->me, &length);

    if (!mine || mine == block) {
        return 0;
    }
    if (length > 0) { /* where all blocks are empty there may be no address */
        memcpy(mine, block, length < bytes ? length : bytes);
    }
    return length != bytes;
}

static int hand_out(struct hitop_node *node, const struct hitop_node_blocks *from, void *mine,
                    size_t bytes)
{
    int handed = 0, differs;

    for (int r = 0; r < node->nranks; r++) {
        if (r != node->me) {
            handed |= fill_box(node, from, r);
        }
    }
    if (!handed) {
        stream(node, from); /* for which others wait, as nobody does for our own */
        return keep(node, from, mine, bytes);
    }
    differs = keep(node, from, mine, bytes); /* others copy meanwhile */
    hitop_hand_push_all(node);
    stream(node, from);
    return differs;
}

/* 1 when the block is here. */
static int pull(struct hitop_node *node, struct hitop_lane_slot *box, unsigned char *mine,
                size_t bytes, int root)
{
    hitop_hand_accept(node, box, box->handed.total == bytes ? mine : NULL);
    return hitop_hand_finish(node, box, root, hitop_hand_pull) == HITOP_HAND_DONE;
}

/* 1 when the block has another length. */
static int take(struct hitop_node *node, unsigned char *mine, size_t bytes, int root)
{
    struct hitop_lane_slot *box = hitop_lane_box_of(node, node->me);
    uint64_t length, at = 0;

    if (hitop_lane_kind(node, box) == PULLED && pull(node, box, mine, bytes, root)) {
        return 0;
    }
    length = hitop_lane_length(node, box);
    if (!hitop_lane_is_staged(box)) {
        hitop_lane_get(node, box, 0, mine, length < bytes ? (size_t)length : bytes);
        return length != bytes;
    }
    while (at < length) {
        const uint64_t to_end = box->u.staged.window - at % box->u.staged.window;
        uint64_t fill;

        hitop_lane_await(node, &box->u.staged.fill, at + 1);
        fill = atomic_load_explicit(&box->u.staged.fill, memory_order_acquire);
        fill = fill < at + to_end ? fill : at + to_end;
        if (at < bytes) {
            memcpy(mine + at, hitop_lane_at(node, root, box, at),
                   (size_t)((fill < bytes ? fill : bytes) - at));
        }
        at = fill;
        hitop_lane_took(node, at);
    }
    if (box->u.staged.place) {
        hitop_arena_drop(node->arena, box->u.staged.place, 1);
    }
    return length != bytes;
}

int hitop_node_scatter(struct hitop_node *node, const struct hitop_node_blocks *from, void *mine,
                       size_t bytes, int root)
{
    const int differs =
        node->me == root ? hand_out(node, from, mine, bytes) : take(node, mine, bytes, root);

    *filler(node) = root + 1;
    hitop_lane_leave(node);
    return differs;
}
