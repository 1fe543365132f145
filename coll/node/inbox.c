/* SPDX-License-Identifier: BSD-3-Clause */
/* inbox.c - blocks of one root for many readers; see inbox.h. */
#include <config.h>

#include "coll/node/inbox.h"

/* The last root to use the inboxes of this operation, plus 1; 0: none. */
static int *filler(struct hitop_node *node)
{
    return &node->outbox.filler[node->seq & (node->nplaces - 1)];
}

void hitop_inbox_await(struct hitop_node *node, int rank)
{
    const int root = *filler(node) - 1;
    const uint64_t last = node->seq - node->nplaces; /* to use the same slots */

    if (node->seq > node->nplaces) {
        HITOP_WAIT_UNTIL(&node->wait, hitop_outbox_has_completed(node, rank, last));
        HITOP_WAIT_UNTIL(&node->wait, root < 0 || root == node->me ||
                                          hitop_outbox_has_completed(node, root, last));
    }
}

void hitop_inbox_complete(struct hitop_node *node, int root)
{
    *filler(node) = root + 1;
    hitop_outbox_complete(node);
}

int hitop_inbox_read(struct hitop_node *node, unsigned char *mine, size_t bytes, int root)
{
    struct hitop_outbox_slot *inbox = hitop_inbox_slot_of(node, node->me);
    uint64_t length, at = 0;

    if (hitop_outbox_kind(node, inbox) == BY_CMA) {
        hitop_rendezvous_accept(node, inbox, inbox->rendezvous.total == bytes ? mine : NULL);
        if (hitop_rendezvous_finish(node, inbox, root, HITOP_RENDEZVOUS_READER) ==
            HITOP_RENDEZVOUS_DONE) {
            return 0;
        }
    }
    length = hitop_outbox_length(node, inbox);
    if (!hitop_outbox_is_staged(inbox)) {
        hitop_outbox_get(node, inbox, 0, mine, length < bytes ? (size_t)length : bytes);
        return length != bytes;
    }
    while (at < length) {
        const uint64_t window = inbox->u.staged.window, end = (at / window + 1) * window;
        const uint64_t most = at + HITOP_COPY_AT_ONCE;

        at = hitop_outboxes_take_some(node, root, inbox, at, end < most ? end : most, mine, bytes);
        hitop_outbox_took(node, at);
        if (at == most) {
            hitop_wait_progress(&node->wait);
        }
    }
    if (inbox->u.staged.place) {
        hitop_arena_drop(node->arena, inbox->u.staged.place, 1);
    }
    return length != bytes;
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
    struct hitop_outbox_slot *inbox = hitop_inbox_slot_of(node, rank);
    size_t bytes;

    (void)hitop_node_block(from, rank, &bytes);
    return rank != node->me && bytes > HITOP_INBOX_LINED &&
           !(hitop_outbox_is_by_cma(node, inbox) &&
             hitop_rendezvous_state(inbox) == HITOP_RENDEZVOUS_DONE);
}

unsigned hitop_inbox_pending(struct hitop_node *node, const struct hitop_node_blocks *from)
{
    unsigned n = 0;

    for (int r = 0; r < node->nranks; r++) {
        n += is_pending(node, from, r) != 0;
    }
    return n;
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

static int may_spill(const struct hitop_node *node, const struct demand *d)
{
    return node->arena && d->all <= node->thresholds->spill_to;
}

size_t hitop_inbox_cma_from(const struct hitop_node *node, const struct hitop_node_blocks *from)
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
    return d.longest <= most || may_spill(node, &d) ? wanted : most + 1;
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
        if (d.longest > most && may_spill(node, &d)) {
            w.place = hitop_arena_take(node->arena, d.all, (unsigned)d.n, NULL);
        }
        if (w.place == 0) {
            w.all = d.n * w.bytes;
            w.start = hitop_outbox_reserve(node, w.all, HITOP_OUTBOX_ALL);
        }
    }
    return w;
}

/*
 * Publish the window of `rank` at `start`, in the arena if there is a place, with the first `fill`
 * bytes of its block of `bytes`.
 */
static void post_window(struct hitop_node *node, int rank, uint64_t start, uint64_t window,
                        uint64_t place, size_t fill, size_t bytes)
{
    struct hitop_outbox_slot *inbox = hitop_inbox_slot_of(node, rank);

    inbox->u.staged.total = bytes;
    inbox->u.staged.start = start;
    inbox->u.staged.window = window;
    inbox->u.staged.place = place;
    STORE_RELAXED(&inbox->u.staged.fill, fill);
    hitop_node_publish(node, &inbox->tag, node->seq << TAG_SHIFT | STAGED);
}

void hitop_inbox_post_copy(struct hitop_node *node, const struct hitop_node_blocks *from,
                           uint64_t place)
{
    size_t bytes;

    for (int r = 0; r < node->nranks; r++) {
        if (is_pending(node, from, r)) {
            (void)hitop_node_block(from, r, &bytes);
            post_window(node, r, 0, bytes, place, bytes, bytes);
        }
    }
}

/* Publish a reader's window with the first step of its block; 1 if there is more. */
static int open_window(struct hitop_node *node, struct windows *w,
                       const struct hitop_node_blocks *from, int rank)
{
    size_t bytes, n;
    const unsigned char *block = hitop_node_block(from, rank, &bytes);
    const uint64_t window = w->place ? hitop_node_round_up(bytes, 64) : w->bytes;
    unsigned char *memory = w->place ? (unsigned char *)hitop_arena_at(node->arena, w->place)
                                     : hitop_outbox_ring_of(node, node->me);

    n = bytes < w->step ? bytes : w->step;
    memcpy(memory + w->start, block, n);
    post_window(node, rank, w->start, window, w->place, n, bytes);
    w->start += window;
    return n < bytes;
}

/* Write the step of a block that begins at `at`: 1 if there is more. */
static int write_step(struct hitop_node *node, const struct windows *w,
                      const struct hitop_node_blocks *from, int rank, size_t at)
{
    struct hitop_outbox_slot *inbox = hitop_inbox_slot_of(node, rank);
    size_t bytes, n;
    const unsigned char *block = hitop_node_block(from, rank, &bytes);

    if (at >= bytes) {
        return 0;
    }
    n = bytes - at < w->step ? bytes - at : w->step;
    HITOP_WAIT_UNTIL(&node->wait,
                     at + n <= inbox->u.staged.window ||
                         hitop_outbox_taken_by(node, rank) >= at + n - inbox->u.staged.window);
    memcpy(hitop_outbox_at(node, node->me, inbox, at), block + at, n);
    hitop_node_publish(node, &inbox->u.staged.fill, at + n);
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
 * Write one block after another where each window has room for its whole block: a reader can
 * complete as soon as it has its own.
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
void hitop_inbox_write_windows(struct hitop_node *node, const struct hitop_node_blocks *from)
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
