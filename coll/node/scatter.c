/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * scatter.c - one rank has a block for each.
 *
 * Idea:   The root posts short blocks in the inboxes of their readers. Long ones go through its
 *         outbox, in which each reader has a window of its own and reads while the root fills the
 *         windows in turn; the inbox contains the place of the window. Readers wait only for the
 *         root. The root waits only for readers whose window or inbox is full, or whose block is so
 *         long that both copy it by a CMA rendezvous (cma_rendezvous.h). With two ranks a short
 *         block is a message (outbox.h).
 * Cost:   each byte is copied twice, the first time by the root; the longest blocks once, by both.
 */
#include <config.h>

#include "coll/node/cma_rendezvous.h"
#include "coll/node/outbox.h"

static int *filler(struct hitop_node *node)
{
    return &node->outbox.filler[((node->seq) & (node->nplaces - 1))];
}

/* Wait until `rank` has completed the operation that used the same slots before. */
static void await_leave(struct hitop_node *node, int rank)
{
    unsigned round = 0;

    while (!hitop_outbox_has_left(node, rank, node->seq - node->nplaces)) {
        hitop_wait_relax(&node->wait, &round);
    }
}

/*
 * Wait until an inbox slot is free: its reader has completed the operation that used it before, and
 * so has that operation's root, which may still poll the inboxes of readers that have gone on.
 */
static void await_box(struct hitop_node *node, int rank)
{
    if (node->seq > node->nplaces) {
        await_leave(node, rank);
        if (*filler(node) > 0 && *filler(node) - 1 != node->me) {
            await_leave(node, *filler(node) - 1);
        }
    }
}

/* Where blocks are: in inboxes, in the root's memory for a rendezvous, or not published yet. */
enum { BOXED = 0, BY_RENDEZVOUS = 1, AWAITS_WINDOW = 2 }; /* bits */

/* Post a block that needs no window: a short one in the inbox, a long one by a CMA rendezvous. */
static unsigned fill_box(struct hitop_node *node, const struct hitop_node_blocks *from, int rank,
                         size_t cma_from)
{
    struct hitop_outbox_slot *box = hitop_inbox_slot_of(node, rank);
    size_t bytes;
    const unsigned char *block = hitop_node_block(from, rank, &bytes);

    await_box(node, rank);
    if (bytes <= HITOP_INBOX_LINED) {
        hitop_outbox_fill_slot(node, box, block, bytes);
        return BOXED;
    }
    if (hitop_rendezvous_suits(node, bytes, cma_from)) {
        hitop_rendezvous_open(node, box, block, bytes);
        return BY_RENDEZVOUS;
    }
    return AWAITS_WINDOW;
}

/*
 * Copy the root's own block to `mine`, unless it stays in place. Returns 1 if its lengths differ.
 */
static int keep(struct hitop_node *node, const struct hitop_node_blocks *from, void *mine,
                size_t bytes)
{
    size_t length;
    const unsigned char *block = hitop_node_block(from, node->me, &length);

    if (!mine || mine == block) {
        return 0;
    }
    if (length > 0) { /* empty blocks may have no address */
        memcpy(mine, block, length < bytes ? length : bytes);
    }
    return length != bytes;
}

static void hitop_scatter_windows(struct hitop_node *node, const struct hitop_node_blocks *from);

static int hand_out(struct hitop_node *node, const struct hitop_node_blocks *from, void *mine,
                    size_t bytes)
{
    const size_t cma_from = hitop_scatter_cma_from(node, from);
    unsigned there = BOXED;
    int differs;

    for (int r = 0; r < node->nranks; r++) {
        if (r != node->me) {
            there |= fill_box(node, from, r, cma_from);
        }
    }
    if (!(there & BY_RENDEZVOUS)) {
        if (there & AWAITS_WINDOW) { /* not so the own block */
            hitop_scatter_windows(node, from);
        }
        return keep(node, from, mine, bytes);
    }
    differs = keep(node, from, mine, bytes); /* readers copy meanwhile */
    hitop_rendezvous_push_all(node);
    hitop_scatter_windows(node, from);
    return differs;
}

/* Accept a rendezvous: 1 if the block is copied. */
static int pull(struct hitop_node *node, struct hitop_outbox_slot *box, unsigned char *mine,
                size_t bytes, int root)
{
    hitop_rendezvous_accept(node, box, box->rendezvous.total == bytes ? mine : NULL);
    return hitop_rendezvous_finish(node, box, root, hitop_rendezvous_pull) == HITOP_RENDEZVOUS_DONE;
}

/* A reader's part; returns 1 if the block has another length. */
static int take(struct hitop_node *node, unsigned char *mine, size_t bytes, int root)
{
    struct hitop_outbox_slot *box = hitop_inbox_slot_of(node, node->me);
    uint64_t length, at = 0;

    if (hitop_outbox_kind(node, box) == BY_CMA && pull(node, box, mine, bytes, root)) {
        return 0;
    }
    length = hitop_outbox_length(node, box);
    if (!hitop_outbox_is_staged(box)) {
        hitop_outbox_get(node, box, 0, mine, length < bytes ? (size_t)length : bytes);
        return length != bytes;
    }
    while (at < length) {
        const uint64_t window = box->u.staged.window, end = (at / window + 1) * window;

        at = hitop_outboxes_take_some(node, root, box, at, end, mine, bytes);
        hitop_outbox_took(node, at);
    }
    if (box->u.staged.place) {
        hitop_arena_drop(node->arena, box->u.staged.place, 1);
    }
    return length != bytes;
}

/*
 * A scatter of two ranks whose block for the other one is a message: 1 if it is; *differs is 1 if a
 * length differs.
 */
static int is_message(struct hitop_node *node, const struct hitop_node_blocks *from, void *mine,
                      size_t bytes, int root, int *differs)
{
    size_t length;

    if (node->nranks != 2) {
        return 0;
    }
    if (node->me == root) {
        const unsigned char *block = hitop_node_block(from, 1 - root, &length);

        if (!hitop_pair_suits(node, length, hitop_pair_block(node))) {
            return 0;
        }
        hitop_pair_post(node, block, length);
        *differs = keep(node, from, mine, bytes);
        return 1;
    }
    length = hitop_pair_take(node, &hitop_inbox_slot_of(node, node->me)->tag,
                             hitop_pair_block(node), bytes, mine, bytes);
    *differs = length != bytes;
    return length != SIZE_MAX;
}

int hitop_node_scatter(struct hitop_node *node, const struct hitop_node_blocks *from, void *mine,
                       size_t bytes, int root)
{
    int differs;

    if (is_message(node, from, mine, bytes, root, &differs)) {
        return differs;
    }
    differs = node->me == root ? hand_out(node, from, mine, bytes) : take(node, mine, bytes, root);
    if (node->me != root) {
        hitop_node_note_peer_progress(node);
    }
    *filler(node) = root + 1;
    hitop_outbox_complete(node);
    return differs;
}

/* The windows in the root's outbox, or in the arena. */
struct windows {
    size_t bytes; /* of each window */
    size_t all;   /* of all windows in the outbox */
    size_t step;  /* written at a time */
    uint64_t start;
    /* in the arena, with windows as long as their blocks; 0: in the outbox */
    uint64_t place;
};

/* Does the block of `rank` use a window? Not if it is short or copied by a rendezvous. */
static int is_pending(struct hitop_node *node, const struct hitop_node_blocks *from, int rank)
{
    struct hitop_outbox_slot *box = hitop_inbox_slot_of(node, rank);
    size_t bytes;

    (void)hitop_node_block(from, rank, &bytes);
    return rank != node->me && bytes > HITOP_INBOX_LINED &&
           !(hitop_outbox_is_handed(node, box) &&
             hitop_rendezvous_state(box) == HITOP_RENDEZVOUS_DONE);
}

/* The blocks that need windows. */
struct demand {
    size_t n, longest, all;
};

static void add(struct demand *d, size_t bytes)
{
    d->longest = bytes > d->longest ? bytes : d->longest;
    d->all += hitop_node_round_up(bytes, 64);
    d->n++;
}

/* The longest window of `d->n` equal ones in the outbox. */
static size_t longest_window(const struct hitop_node *node, const struct demand *d)
{
    return node->outbox.ring_bytes / 2 / d->n / 128 * 128;
}

static int may_leave(const struct hitop_node *node, const struct demand *d)
{
    return node->arena && d->all <= node->thresholds->leave_to;
}

size_t hitop_scatter_cma_from(const struct hitop_node *node, const struct hitop_node_blocks *from)
{
    const size_t wanted = node->thresholds->scatter_cma_from;
    struct demand d = {0};
    size_t bytes, most;

    if (node->wait.alone || wanted == SIZE_MAX) {
        return wanted;
    }
    for (int r = 0; r < node->nranks; r++) {
        (void)hitop_node_block(from, r, &bytes);
        if (r != node->me && bytes > HITOP_INBOX_LINED && bytes < wanted) {
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
 * Divide the outbox among the readers of long blocks. Where ranks share processors and a block does
 * not fit, a wait for room costs a turn of the scheduler; all blocks go to the arena instead.
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
            w.start = hitop_outbox_reserve(node, w.all, HITOP_OUTBOX_ALL);
        }
    }
    return w;
}

/* Publish a reader's window with the first step of its block: 1 if there is more. */
static int open_window(struct hitop_node *node, struct windows *w,
                       const struct hitop_node_blocks *from, int rank)
{
    struct hitop_outbox_slot *box = hitop_inbox_slot_of(node, rank);
    size_t bytes, n;
    const unsigned char *block = hitop_node_block(from, rank, &bytes);
    unsigned char *memory = w->place ? (unsigned char *)hitop_arena_at(node->arena, w->place)
                                     : hitop_outbox_ring_of(node, node->me);

    n = bytes < w->step ? bytes : w->step;
    memcpy(memory + w->start, block, n);
    box->u.staged.total = bytes;
    box->u.staged.start = w->start;
    box->u.staged.window = w->place ? hitop_node_round_up(bytes, 64) : w->bytes;
    box->u.staged.place = w->place;
    w->start += box->u.staged.window;
    atomic_store_explicit(&box->u.staged.fill, n, memory_order_relaxed);
    atomic_store_explicit(&box->tag, node->seq << TAG_SHIFT | STAGED, memory_order_release);
    hitop_wait_notify(&node->wait);
    return n < bytes;
}

/* Write the step of a block that begins at `at`: 1 if there is more. */
static int write_step(struct hitop_node *node, const struct windows *w,
                      const struct hitop_node_blocks *from, int rank, size_t at)
{
    struct hitop_outbox_slot *box = hitop_inbox_slot_of(node, rank);
    unsigned round = 0;
    size_t bytes, n;
    const unsigned char *block = hitop_node_block(from, rank, &bytes);

    if (at >= bytes) {
        return 0;
    }
    n = bytes - at < w->step ? bytes - at : w->step;
    while (at + n > box->u.staged.window &&
           hitop_outbox_taken_by(node, rank) < at + n - box->u.staged.window) {
        hitop_wait_relax(&node->wait, &round);
    }
    memcpy(hitop_outbox_at(node, node->me, box, at), block + at, n);
    atomic_store_explicit(&box->u.staged.fill, at + n, memory_order_release);
    hitop_wait_notify(&node->wait);
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

/*
 * Write one block after another where no window can fill up: a reader with its whole block can
 * complete.
 */
static void write_one_by_one(struct hitop_node *node, const struct windows *w,
                             const struct hitop_node_blocks *from)
{
    for (int r = 0; r < node->nranks; r++) {
        for (size_t at = w->step; is_pending(node, from, r) && write_step(node, w, from, r, at);) {
            at += w->step;
        }
    }
}

/* Write all blocks that are longer than lines and not copied by a rendezvous. */
static void hitop_scatter_windows(struct hitop_node *node, const struct hitop_node_blocks *from)
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
    hitop_outbox_prefetch_room(node, w.all);
}
