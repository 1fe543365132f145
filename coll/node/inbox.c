/* SPDX-License-Identifier: BSD-3-Clause */
/* inbox.c - blocks of one root for many readers; see inbox.h. */
#include <config.h>

#include "coll/node/inbox.h"

int hitop_inbox_read(struct hitop_node *node, unsigned char *mine, size_t bytes, int root)
{
    struct hitop_outbox_slot *inbox = hitop_inbox_slot_of(node, node->me);
    uint64_t length, at = 0;

    if (hitop_outbox_kind(node, inbox) == BY_CMA) {
        hitop_rendezvous_accept(node, inbox, inbox->cma.total == bytes ? mine : NULL);
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

/* Does the block of `rank` use a window? Not if it is short or copied by a rendezvous. */
static int is_pending(struct hitop_node *node, const struct hitop_node_blocks *from, int rank)
{
    struct hitop_outbox_slot *inbox = hitop_inbox_slot_of(node, rank);

    return rank != node->me && hitop_node_block(from, rank).bytes > HITOP_INBOX_LINED &&
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
    size_t most;

    if (node->wait.alone || wanted == SIZE_MAX) {
        return wanted;
    }
    for (int r = 0; r < node->nranks; r++) {
        const size_t bytes = hitop_node_block(from, r).bytes;

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

/* The writers of the blocks that use windows; `total` of the others is 0. */
struct windows {
    struct hitop_outbox_writer writer[HITOP_OUTBOX_RANKS];
    size_t step; /* bytes that are written at a time */
    size_t all;  /* bytes of all windows in the outbox; 0: they are in the arena */
};

/*
 * Divide the outbox among the readers of long blocks. Where ranks share processors and a block does
 * not fit, a wait for room costs a turn of the scheduler; all blocks go to the arena instead, with
 * windows as long as the blocks. Returns 0 if there are none.
 */
static int make_windows(struct hitop_node *node, const struct hitop_node_blocks *from,
                        struct windows *w)
{
    unsigned char *memory = hitop_outbox_ring_of(node, node->me);
    size_t start = 0, most, window;
    struct demand d = {0};
    uint64_t place = 0;

    for (int r = 0; r < node->nranks; r++) {
        w->writer[r].total = is_pending(node, from, r) ? hitop_node_block(from, r).bytes : 0;
        if (w->writer[r].total > 0) {
            add(&d, w->writer[r].total);
        }
    }
    if (d.n == 0) {
        return 0;
    }
    most = longest_window(node, &d);
    w->step = hitop_node_piece(node, d.longest, node->thresholds->scatter_step);
    w->step = w->step > most / 2 ? most / 2 : w->step;
    window = d.longest <= most ? hitop_node_round_up(d.longest, 64) : most / w->step * w->step;
    if (d.longest > most && may_spill(node, &d)) {
        place = hitop_arena_take(node->arena, d.all, (unsigned)d.n, NULL);
    }
    w->all = place ? 0 : d.n * window;
    if (place) {
        memory = hitop_arena_at(node->arena, place);
    } else {
        start = hitop_outbox_reserve(node, w->all, HITOP_OUTBOX_ALL);
    }
    for (int r = 0; r < node->nranks; r++) {
        const uint64_t total = w->writer[r].total;
        const size_t own = place ? hitop_node_round_up((size_t)total, 64) : window;

        w->writer[r] = (struct hitop_outbox_writer){.slot = hitop_inbox_slot_of(node, r),
                                                    .ring = memory + start,
                                                    .total = total,
                                                    .start = start,
                                                    .window = own,
                                                    .place = place,
                                                    .reader = r};
        start += total > 0 ? own : 0;
    }
    return 1;
}

void hitop_inbox_post_copy(struct hitop_node *node, const struct hitop_node_blocks *from,
                           uint64_t place)
{
    for (int r = 0; r < node->nranks; r++) {
        if (is_pending(node, from, r)) {
            const size_t bytes = hitop_node_block(from, r).bytes;
            struct hitop_outbox_writer writer = {.slot = hitop_inbox_slot_of(node, r),
                                                 .total = bytes,
                                                 .window = bytes,
                                                 .place = place};

            hitop_outbox_publish(node, &writer, bytes);
        }
    }
}

/* Write the next step of the block of `rank`: 1 if there is more. */
static int write_step(struct hitop_node *node, struct windows *w,
                      const struct hitop_node_blocks *from, int rank)
{
    struct hitop_outbox_writer *writer = &w->writer[rank];
    const size_t rest = (size_t)(writer->total - writer->written);

    if (rest == 0) {
        return 0;
    }
    hitop_outbox_write(node, writer, hitop_node_block(from, rank).at + writer->written,
                       rest < w->step ? rest : w->step);
    return rest > w->step;
}

void hitop_inbox_write_windows(struct hitop_node *node, const struct hitop_node_blocks *from)
{
    struct windows w;
    int more = make_windows(node, from, &w), has_begun = 0;

    if (!more) {
        return;
    }
    for (; more; has_begun = 1) {
        more = 0;
        for (int r = 0; r < node->nranks; r++) {
            int is_partial = write_step(node, &w, from, r);

            /* in the arena there is room for whole blocks: a reader completes when it has its own
             */
            while (is_partial && has_begun && w.all == 0) {
                is_partial = write_step(node, &w, from, r);
            }
            more |= is_partial;
        }
    }
    if (w.all > 0) {
        hitop_outbox_prefetch_room(node, w.all);
    }
}
