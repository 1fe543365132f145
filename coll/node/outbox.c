/* SPDX-License-Identifier: BSD-3-Clause */
/* outbox.c - posting blocks in a rank's own outbox, and reading those of others; see outbox.h. */
#include <config.h>

#include "coll/node/outbox.h"

#include "coll/node/layout.h"
#include "coll/node/node.h"

enum { LEAST = 32 * 1024 }; /* the smallest ring of an outbox */

/*
 * Two processors that write and read the same lines wait for each other's caches. A ring longer
 * than these caches lets them exchange lines in a shared cache, which is faster. A rank that shares
 * its processor finds in its cache what the last rank has written.
 */
static const struct {
    size_t all, most; /* all outboxes of a node; one of them */
} usual[] = {{2 * 1024 * 1024, 256 * 1024}, {8 * 1024 * 1024, 4 * 1024 * 1024}};

size_t hitop_node_outbox_bytes(int nranks, int alone)
{
    const size_t share = usual[alone != 0].all / (size_t)nranks / PAGE * PAGE;
    const size_t most = usual[alone != 0].most;

    if (nranks > HITOP_OUTBOX_RANKS) {
        return 0;
    }
    return share > most ? most : share < LEAST ? LEAST : share;
}

static size_t ring_at(const struct hitop_node_layout *layout)
{
    return hitop_node_round_up(sizeof(struct hitop_outbox) +
                                   2 * (size_t)layout->nplaces * sizeof(struct hitop_outbox_slot),
                               PAGE);
}

/*
 * Where places are few, cells for short blocks follow the ring: cells stay in the nearest cache,
 * the ring does not. Cells are an odd number of lines of 64 bytes apart, for the same reason as
 * outboxes.
 */
static size_t cell_of(const struct hitop_node_layout *layout)
{
    return layout->nplaces == HITOP_NODE_FEW_PLACES ? HITOP_NODE_SHORT + 64 : 0;
}

/*
 * Outboxes are an odd multiple of LINE apart, so that the same places of several outboxes do not
 * map to the same set of a cache.
 */
static size_t stride_of(const struct hitop_node_layout *layout)
{
    return ring_at(layout) + layout->outbox_bytes + HITOP_NODE_CELLS * cell_of(layout) + LINE;
}

size_t hitop_outboxes_bytes(const struct hitop_node_layout *layout)
{
    return layout->outbox_bytes
               ? hitop_node_round_up((size_t)layout->nranks * stride_of(layout), PAGE)
               : 0;
}

void hitop_outboxes_attach(struct hitop_node *node, void *memory,
                           const struct hitop_node_layout *layout)
{
    node->outbox = (struct hitop_outbox_state){.memory = memory,
                                               .stride = stride_of(layout),
                                               .ring = ring_at(layout),
                                               .ring_bytes = layout->outbox_bytes,
                                               .cell_bytes = cell_of(layout)};
}

void hitop_outboxes_format(void *memory, const struct hitop_node_layout *layout)
{
    for (int r = 0; layout->outbox_bytes && r < layout->nranks; r++) {
        memset((unsigned char *)memory + (size_t)r * stride_of(layout), 0, ring_at(layout));
    }
}

/* Posted blocks without a window in the ring; greater than all offsets of windows. */
enum { IN_CELL = -2, IN_SLOT = -1 };

/*
 * Have all readers of this block completed its operation? For one reader, a check fetches a line
 * that it writes in every operation, so the result is stored.
 */
static inline int is_taken(struct hitop_node *node, const struct hitop_posted *posted)
{
    uint64_t *left = &node->outbox.left[posted->reader < 0 ? 0 : posted->reader];

    if (node->done_min >= posted->seq) {
        return 1;
    }
    if (posted->reader < 0) {
        hitop_node_refresh_min_progress(node);
        return node->done_min >= posted->seq;
    }
    if (*left < posted->seq) {
        *left = hitop_node_done_by(node, posted->reader);
    }
    return *left >= posted->seq;
}

/*
 * Claim the operation's slot in this rank's outbox: wait until its last block is read, and record
 * a block of this operation. No wait is needed for a slot that this operation has used already, for
 * a rendezvous.
 */
static inline struct hitop_posted *claim_slot(struct hitop_node *node, int reader)
{
    struct hitop_posted *last = &node->outbox.place[node->seq & (node->nplaces - 1)];

    HITOP_WAIT_UNTIL(&node->wait, last->seq == node->seq || is_taken(node, last));
    *last = (struct hitop_posted){node->seq, (uint64_t)IN_SLOT, reader};
    return last;
}

size_t hitop_outbox_reserve(struct hitop_node *node, size_t window, int reader)
{
    struct hitop_outbox_state *l = &node->outbox;
    struct hitop_posted *mine = claim_slot(node, reader);
    const size_t index = (size_t)(l->end % l->ring_bytes), cell = node->seq % HITOP_NODE_CELLS;
    const int in_cell = window <= l->cell_bytes;
    const uint64_t start = index + window > l->ring_bytes ? l->end - index + l->ring_bytes : l->end;
    /* windows that begin below are overwritten */
    const uint64_t low = start + window > l->ring_bytes ? start + window - l->ring_bytes : 0;

    if (window == 0) {
        return 0;
    }
    for (const struct hitop_posted *p = l->place; p < l->place + node->nplaces; p++) {
        if (in_cell ? p->start == (uint64_t)IN_CELL && p->seq % HITOP_NODE_CELLS == cell
                    : p->start < low) {
            HITOP_WAIT_UNTIL(&node->wait, is_taken(node, p));
        }
    }
    if (in_cell) {
        mine->start = (uint64_t)IN_CELL;
        return l->ring_bytes + cell * l->cell_bytes;
    }
    mine->start = start;
    l->end = start + window;
    return (size_t)(start % l->ring_bytes);
}

void hitop_outbox_post(struct hitop_node *node, const void *data, size_t bytes, int reader)
{
    claim_slot(node, reader);
    hitop_outbox_fill_slot(node, hitop_outbox_slot_of(node, node->me), data, bytes);
}

void hitop_outbox_open(struct hitop_node *node, struct hitop_outbox_writer *writer, uint64_t total,
                       size_t window, int reader)
{
    const size_t start = hitop_outbox_reserve(node, hitop_node_round_up(window, 64), reader);

    *writer = (struct hitop_outbox_writer){.slot = hitop_outbox_slot_of(node, node->me),
                                           .ring = hitop_outbox_ring_of(node, node->me) + start,
                                           .total = total,
                                           .start = start,
                                           .window = window,
                                           .ahead = window,
                                           .reader = reader};
}

/* Would a piece of `bytes` overwrite only bytes that are read? */
static int has_room(struct hitop_node *node, struct hitop_outbox_writer *writer, size_t bytes)
{
    const uint64_t needed = writer->written + bytes;
    uint64_t least = UINT64_MAX;

    if (needed <= writer->taken + writer->window) {
        return 1;
    }
    if (writer->reader == HITOP_OUTBOX_LAST) {
        writer->reader = hitop_node_last(node);
    }
    if (writer->reader == HITOP_OUTBOX_LAST) {
        return 0; /* the last rank has not arrived yet */
    }
    for (int r = 0; r < node->nranks; r++) {
        if (r == writer->reader || (writer->reader == HITOP_OUTBOX_ALL && r != node->me)) {
            const uint64_t taken = hitop_outbox_taken_by(node, r);
            least = taken < least ? taken : least;
        }
    }
    /* a rank that has completed the operation reads nothing more of it */
    writer->taken = least < writer->total ? least : writer->total;
    return needed <= writer->taken + writer->window;
}

unsigned char *hitop_outbox_piece(struct hitop_node *node, struct hitop_outbox_writer *writer,
                                  size_t bytes)
{
    HITOP_WAIT_UNTIL(&node->wait, has_room(node, writer, bytes));
    return writer->ring + writer->written % writer->window;
}

/*
 * Publish a block with its first piece, so that a waiting reader fetches the line of the slot once.
 */
static void report_reader(struct hitop_node *node, const struct hitop_outbox_writer *writer)
{
    struct hitop_outbox_slot *slot = writer->slot;

    slot->u.staged.total = writer->total;
    slot->u.staged.start = writer->start;
    slot->u.staged.place = writer->place;
    slot->u.staged.window = writer->window;
    STORE_RELAXED(&slot->u.staged.fill, writer->written);
    STORE_RELAXED(&slot->u.staged.summed, 0);
    STORE_RELEASE(&slot->tag, node->seq << TAG_SHIFT | STAGED);
}

void hitop_outbox_prefetch_room(const struct hitop_node *node, size_t window)
{
    const struct hitop_outbox_state *l = &node->outbox;
    const struct hitop_posted *before = &l->place[(node->seq - 1) & (node->nplaces - 1)];
    const size_t index = (size_t)(l->end % l->ring_bytes), rest = l->ring_bytes - index;
    const size_t next = (node->seq + 1) % HITOP_NODE_CELLS;
    const unsigned char *ring = hitop_outbox_ring_of(node, node->me);

    if (before->seq != node->seq - 1) {
        return;
    }
    if (window <= l->cell_bytes && before->start == (uint64_t)IN_CELL) {
        hitop_node_prefetch_room(ring + l->ring_bytes + next * l->cell_bytes, window);
    } else if (window > l->cell_bytes && before->start < (uint64_t)IN_CELL) {
        hitop_node_prefetch_room(ring + index, window < rest ? window : rest);
    }
}

void hitop_outbox_publish(struct hitop_node *node, struct hitop_outbox_writer *writer, size_t bytes)
{
    const int is_first = writer->written == 0;

    writer->written += bytes;
    if (is_first) {
        report_reader(node, writer);
    } else {
        STORE_RELEASE(&writer->slot->u.staged.fill, writer->written);
    }
    hitop_wait_notify(&node->wait);
    if (writer->written == writer->total && writer->ahead > 0) {
        hitop_outbox_prefetch_room(node, writer->ahead);
    }
}

void hitop_outbox_write(struct hitop_node *node, struct hitop_outbox_writer *writer,
                        const void *data, size_t bytes)
{
    memcpy(hitop_outbox_piece(node, writer, bytes), data, bytes);
    hitop_outbox_publish(node, writer, bytes);
}

/* Short blocks: lines that carry a flag each. */

static void fill_lines(struct hitop_outbox_slot *slot, uint64_t seq, const unsigned char *data,
                       size_t bytes)
{
    slot->u.lined.total = bytes;
    memcpy(slot->u.lined.data, data, HITOP_OUTBOX_FIRST);
    STORE_RELEASE(&slot->tag, seq << TAG_SHIFT | LINED);
    data += HITOP_OUTBOX_FIRST;
    bytes -= HITOP_OUTBOX_FIRST;
    for (size_t i = 0, n; bytes > 0; i++, data += n, bytes -= n) {
        n = bytes < FLAGGED ? bytes : FLAGGED;
        if (n == FLAGGED) {
            memcpy(slot->line[i].data, data, FLAGGED); /* a constant length copies faster */
        } else {
            memcpy(slot->line[i].data, data, n);
        }
        STORE_RELEASE(&slot->line[i].seq, seq);
    }
}

void hitop_outbox_fill_slot(struct hitop_node *node, struct hitop_outbox_slot *slot,
                            const unsigned char *data, size_t bytes)
{
    if (bytes <= FLAGGED) {
        if (bytes > 0) { /* an empty block may have no address */
            hitop_node_copy_few(slot->u.data, data, bytes);
        }
        STORE_RELEASE(&slot->tag, node->seq << TAG_SHIFT | bytes);
    } else {
        fill_lines(slot, node->seq, data, bytes);
    }
    hitop_wait_notify(&node->wait);
}

void hitop_outbox_get(struct hitop_node *node, struct hitop_outbox_slot *slot, size_t from,
                      void *buffer, size_t bytes)
{
    unsigned char *to = buffer;
    size_t line;

    if ((LOAD_RELAXED(&slot->tag) & KIND) <= FLAGGED) {
        if (bytes > 0) {
            hitop_node_copy_few(to, slot->u.data + from, bytes);
        }
        return;
    }
    if (from < HITOP_OUTBOX_FIRST) {
        const size_t n = HITOP_OUTBOX_FIRST - from < bytes ? HITOP_OUTBOX_FIRST - from : bytes;

        memcpy(to, slot->u.lined.data + from, n);
        to += n;
        from += n;
        bytes -= n;
    }
    line = (from - HITOP_OUTBOX_FIRST) / FLAGGED;
    from = (from - HITOP_OUTBOX_FIRST) % FLAGGED;
    for (; bytes > 0; line++, from = 0) {
        const size_t n = FLAGGED - from < bytes ? FLAGGED - from : bytes;

        hitop_outbox_await(node, &slot->line[line].seq, node->seq);
        memcpy(to, slot->line[line].data + from, n);
        to += n;
        bytes -= n;
    }
}

void hitop_outboxes_bring(struct hitop_node *node, struct hitop_outbox_writer *writer,
                          const unsigned char *mine, size_t most)
{
    const size_t written = (size_t)writer->written, rest = (size_t)writer->total - written;
    const size_t step = hitop_outboxes_step(node), to_step = step - written % step;

    most = most < to_step ? most : to_step;
    hitop_outbox_write(node, writer, mine + written, most < rest ? most : rest);
}

uint64_t hitop_outboxes_take_some(struct hitop_node *node, int rank, struct hitop_outbox_slot *slot,
                                  uint64_t at, uint64_t end, unsigned char *block, size_t room)
{
    uint64_t fill;

    hitop_outbox_await(node, &slot->u.staged.fill, at + 1);
    fill = LOAD_ACQUIRE(&slot->u.staged.fill);
    fill = fill < end ? fill : end;
    if (at < room) {
        memcpy(block + at, hitop_outbox_at(node, rank, slot, at),
               (size_t)((fill < room ? fill : room) - at));
    }
    return fill;
}

void hitop_outboxes_take(struct hitop_node *node, const struct hitop_node_blocks *to, uint64_t at)
{
    const size_t step = hitop_outboxes_step(node);

    for (int r = 0; r < node->nranks; r++) {
        struct hitop_outbox_slot *slot = hitop_outbox_slot_of(node, r);
        const struct hitop_node_block block = hitop_node_block(to, r);
        uint64_t got = at, end;

        if (r == node->me || !hitop_outbox_is_staged(slot)) {
            continue;
        }
        end = slot->u.staged.total < at + step ? slot->u.staged.total : at + step;
        while (got < end) {
            got = hitop_outboxes_take_some(node, r, slot, got, end, block.at, block.bytes);
        }
    }
    hitop_outbox_took(node, at + step);
}
