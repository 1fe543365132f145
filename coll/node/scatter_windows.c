/* SPDX-License-Identifier: BSD-3-Clause */
/* scatter_windows.c - see scatter_windows.h. */
#include <config.h>

#include "coll/node/scatter_windows.h"

#include "coll/node/hand.h"

/* The windows in the root's lane, or in memory of the node. */
struct windows {
    size_t bytes; /* of each */
    size_t all;   /* in the lane */
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
    return rank != node->me && bytes > HITOP_BOX_LINED &&
           !(hitop_lane_is_handed(node, box) && hitop_hand_state(box) == HITOP_HAND_DONE);
}

/* Blocks that shall have windows. */
struct demand {
    size_t n, longest, all;
};

static void add(struct demand *d, size_t bytes)
{
    d->longest = bytes > d->longest ? bytes : d->longest;
    d->all += hitop_node_round_up(bytes, 64);
    d->n++;
}

/* The longest of so many windows in the lane. */
static size_t longest_window(const struct hitop_node *node, const struct demand *d)
{
    return node->lanes.ring_bytes / 2 / d->n / 128 * 128;
}

static int may_leave(const struct hitop_node *node, const struct demand *d)
{
    return node->arena && d->all <= node->thresholds->leave_to;
}

size_t hitop_scatter_hand_from(const struct hitop_node *node, const struct hitop_node_blocks *from)
{
    const size_t wanted = node->thresholds->scatter_hand_from;
    struct demand d = {0};
    size_t bytes, most;

    if (node->wait.alone || wanted == SIZE_MAX) {
        return wanted;
    }
    for (int r = 0; r < node->nranks; r++) {
        (void)hitop_node_block(from, r, &bytes);
        if (r != node->me && bytes > HITOP_BOX_LINED && bytes < wanted) {
            add(&d, bytes);
        }
    }
    if (d.n == 0) {
        return wanted;
    }
    most = longest_window(node, &d);
    return d.longest <= most || may_leave(node, &d) ? wanted : most + 1;
}

/*
 * Divide the lane among those whose block is long. Where ranks share processors, and a block does not fit, it is a turn of
 * the scheduler to wait for room; all blocks together in memory of the node spare that.
 */
static struct windows make_windows(struct hitop_node *node, const struct hitop_node_blocks *from)
{
    struct windows w = {0};
    struct demand d = {0};
    size_t most, bytes;

    for (int r = 0; r < node->nranks; r++) {
        if (is_pending(node, from, r)) {
            (void)hitop_node_block(from, r, &bytes);
            add(&d, bytes);
        }
    }
    if (d.n > 0) {
        most = longest_window(node, &d);
        w.step = hitop_node_piece(node, d.longest, node->thresholds->scatter_step);
        if (w.step > most / 2) {
            w.step = most / 2;
        }
        w.bytes = d.longest <= most ? hitop_node_round_up(d.longest, 64) : most / w.step * w.step;
        if (d.longest > most && may_leave(node, &d)) {
            w.place = hitop_arena_take(node->arena, d.all, (unsigned)d.n, NULL);
        }
        if (w.place == 0) {
            w.all = d.n * w.bytes;
            w.start = hitop_lane_reserve(node, w.all, HITOP_LANE_ALL);
        }
    }
    return w;
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
    hitop_node_copy(node, memory + w->start, block, n);
    box->u.staged.total = bytes;
    box->u.staged.start = w->start;
    box->u.staged.window = w->place ? hitop_node_round_up(bytes, 64) : w->bytes;
    box->u.staged.place = w->place;
    w->start += box->u.staged.window;
    atomic_store_explicit(&box->u.staged.fill, n, memory_order_relaxed);
    atomic_store_explicit(&box->tag, node->seq << TAG_SHIFT | STAGED, memory_order_release);
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
    hitop_node_copy(node, hitop_lane_at(node, node->me, box, at), block + at, n);
    atomic_store_explicit(&box->u.staged.fill, at + n, memory_order_release);
    hitop_wait_ring(&node->wait);
    return at + n < bytes;
}

static void write_in_turns(struct hitop_node *node, const struct windows *w,
                           const struct hitop_node_blocks *from)
{
    int more = 1;

    for (size_t at = w->step; more; at += w->step) {
        more = 0;
        for (int r = 0; r < node->nranks; r++) {
            if (is_pending(node, from, r)) {
                more |= write_step(node, w, from, r, at);
            }
        }
    }
}

/* Where no window fills up: who has all can go. */
static void write_one_by_one(struct hitop_node *node, const struct windows *w,
                             const struct hitop_node_blocks *from)
{
    for (int r = 0; r < node->nranks; r++) {
        for (size_t at = w->step; is_pending(node, from, r) && write_step(node, w, from, r, at);) {
            at += w->step;
        }
    }
}

void hitop_scatter_windows(struct hitop_node *node, const struct hitop_node_blocks *from)
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
    if (w.place) {
        write_one_by_one(node, &w, from);
        return;
    }
    if (more) {
        write_in_turns(node, &w, from);
    }
    hitop_lane_fetch_room(node, w.all);
}
