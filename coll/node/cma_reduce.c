/* SPDX-License-Identifier: BSD-3-Clause */
/* cma_reduce.c - reductions of long operands by CMA; see reduce.h. */
#include <config.h>

#include "coll/node/cma_rendezvous.h"
#include "coll/node/reduce.h"

/*
 * The final report of a rank: one of the first three, plus WORDS times the number of the chunk that
 * the rank could not complete.
 */
enum { DID_ALL = 1, LACKS_OPERANDS = 2, LACKS_RESULTS = 3, WORDS = 4 };

/* A range of an operand. */
struct range {
    size_t at, bytes;
};

/* One operation under way. */
struct direct {
    struct hitop_node *node;
    const struct hitop_combine *combine;
    const unsigned char *mine;
    unsigned char *result; /* NULL: this rank gets no result */
    size_t bytes, chunk;
    int root;               /* or HITOP_OUTBOX_ALL */
    unsigned char *operand; /* a chunk of another rank */
    unsigned char *kept;    /* a chunk of the result */
};

static struct hitop_outbox_slot *slot_of(const struct direct *d, int rank)
{
    return hitop_outbox_slot_of(d->node, rank);
}

static int is_wanted_by(const struct direct *d, int rank)
{
    return d->root == HITOP_OUTBOX_ALL || d->root == rank;
}

/* The counter of claimed chunks, in the slot of the root, or of rank 0 if all get the result. */
static _Atomic uint64_t *claimed(const struct direct *d)
{
    return &slot_of(d, d->root == HITOP_OUTBOX_ALL ? 0 : d->root)->cma.claimed;
}

static size_t chunks(const struct direct *d)
{
    return hitop_cma_chunks(d->bytes, d->chunk);
}

static struct range chunk_of(const struct direct *d, uint64_t i)
{
    return (struct range){(size_t)i * d->chunk, hitop_cma_chunk(d->bytes, d->chunk, (size_t)i)};
}

/* Wait for all ranks: 1 if all offer a CMA reduce with operands of this length. */
static int all_agree(struct hitop_node *node, size_t bytes)
{
    int agree = 1;

    for (int r = 0; r < node->nranks; r++) {
        struct hitop_outbox_slot *slot = hitop_outbox_slot_of(node, r);

        agree &= hitop_outbox_kind(node, slot) == BY_CMA && slot->cma.total == bytes;
    }
    return agree;
}

/*
 * Reserve two chunks in this rank's outbox. Its older windows are free: all ranks have arrived at
 * this operation and so completed the earlier ones.
 */
static void make_room(struct direct *d)
{
    struct hitop_node *node = d->node;
    const size_t most = node->outbox.ring_bytes / 2;
    const size_t share = hitop_node_round_up(d->bytes / (size_t)node->nranks + 1, PAGE);
    uint64_t start;

    d->chunk = hitop_reduce_whole(d->combine, share < most ? share : most);
    hitop_node_note_all_progress(node);
    start = hitop_outbox_reserve(node, 2 * most, HITOP_OUTBOX_ALL);
    d->operand = hitop_outbox_ring_of(node, node->me) + start;
    d->kept = d->operand + most;
    slot_of(d, node->me)->cma.chunk = start + most;
}

static int read_operand(const struct direct *d, int rank, void *to, size_t at, size_t n)
{
    return d->node->cma.works &&
           hitop_cma_read(&d->node->cma, rank, to, slot_of(d, rank)->cma.from + at, n);
}

/*
 * Combine a chunk to `sum`, from the last operand to the first: 1 if all operands could be read. If
 * this rank is the last one and the operands may change places, the operand of the rank before is
 * copied to `sum` first, so that this rank's own one need not be copied.
 */
static int combine_chunk(const struct direct *d, unsigned char *sum, size_t at, size_t n)
{
    const int me = d->node->me, last = d->node->nranks - 1;
    const int swaps = me == last && d->combine->is_alike;
    const int first = swaps ? last - 1 : last; /* operand that is copied to `sum` first */

    if (first == me) {
        memcpy(sum, d->mine + at, n);
    } else if (!read_operand(d, first, sum, at, n)) {
        return 0;
    }
    for (int r = last - 1; r >= 0; r--) {
        const int next = r == first ? last : r;

        if (next != me && !read_operand(d, next, d->operand, at, n)) {
            return 0;
        }
        d->combine->run(d->combine->context, next == me ? d->mine + at : d->operand, sum, n);
    }
    return 1;
}

/* Copy a chunk of the result to all other ranks that want it: 1 if all copies worked. */
static int spread_chunk(const struct direct *d, const unsigned char *sum, size_t at, size_t n)
{
    const struct hitop_node *node = d->node;

    for (int i = 1; i < node->nranks; i++) {
        const int r = (node->me + i) % node->nranks;

        if (is_wanted_by(d, r) &&
            !(node->cma.works &&
              hitop_cma_write(&node->cma, r, slot_of(d, r)->cma.to + at, sum, n))) {
            return 0;
        }
    }
    return 1;
}

/*
 * Combine and distribute one chunk; returns this rank's report. In place, the chunk is combined in
 * `kept`: if a read fails, the operand must still be there. If a result could not be written, the
 * chunk stays in `kept`, where all ranks can read it.
 */
static uint64_t do_chunk(const struct direct *d, size_t at, size_t n)
{
    unsigned char *sum = d->result && d->result != d->mine ? d->result + at : d->kept;

    if (!combine_chunk(d, sum, at, n)) {
        return LACKS_OPERANDS;
    }
    if (d->result && sum == d->kept) {
        memcpy(d->result + at, sum, n);
    }
    if (!spread_chunk(d, sum, at, n)) {
        if (sum != d->kept) {
            memcpy(d->kept, sum, n);
        }
        return LACKS_RESULTS;
    }
    return DID_ALL;
}

/* Claim and complete chunks until none is left or one fails; then publish the report. */
static void do_chunks(const struct direct *d)
{
    struct hitop_wait *wait = &d->node->wait;
    uint64_t report = DID_ALL, i;

    while (report == DID_ALL &&
           (i = atomic_fetch_add_explicit(claimed(d), 1, memory_order_acq_rel)) < chunks(d)) {
        const struct range chunk = chunk_of(d, i);

        report = do_chunk(d, chunk.at, chunk.bytes);
        if (report != DID_ALL) {
            report += i * WORDS;
        }
        hitop_wait_progress(wait);
    }
    STORE_RELEASE(&slot_of(d, d->node->me)->cma.nread, report);
    hitop_wait_notify(wait);
}

/*
 * Wait for the reports of all ranks. Chunks that a rank could not write to others are read from its
 * outbox; ranges that no rank has combined go to `lacks`, the same in all ranks. Returns their
 * number.
 */
static int collect_reports(const struct direct *d, struct range *lacks)
{
    const struct hitop_node *node = d->node;
    uint64_t done;
    int n = 0, failed = 0;

    for (int r = 0; r < node->nranks; r++) {
        struct hitop_outbox_slot *slot = slot_of(d, r);
        struct range chunk;
        uint64_t report;

        hitop_outbox_await(d->node, &slot->cma.nread, DID_ALL);
        report = LOAD_RELAXED(&slot->cma.nread);
        chunk = chunk_of(d, report / WORDS);
        failed += report != DID_ALL;
        if (report % WORDS == LACKS_OPERANDS) {
            lacks[n++] = chunk;
        } else if (report % WORDS == LACKS_RESULTS && r != node->me && d->result) {
            memcpy(d->result + chunk.at, hitop_outbox_ring_of(node, r) + slot->cma.chunk,
                   chunk.bytes);
        }
    }
    done = LOAD_ACQUIRE(claimed(d));
    if (done < chunks(d)) { /* all ranks have stopped early */
        const size_t at = (size_t)done * d->chunk;

        lacks[n++] = (struct range){at, d->bytes - at};
    }
    if (failed) {
        d->node->outbox.direct = 0;
    }
    return n;
}

int hitop_cma_reduce(struct hitop_node *node, const void *mine, void *result, size_t bytes,
                     int root, const struct hitop_combine *combine)
{
    const int gets = root == HITOP_OUTBOX_ALL || root == node->me;
    struct direct d = {.node = node,
                       .combine = combine,
                       .mine = mine,
                       .result = gets ? result : NULL,
                       .bytes = bytes,
                       .root = root};
    struct range lacks[HITOP_OUTBOX_RANKS + 1];
    int n;

    (void)hitop_outbox_reserve(node, 0, HITOP_OUTBOX_ALL);
    hitop_cma_offer(node, slot_of(&d, node->me), mine, bytes, node->thresholds->rendezvous_chunk,
                    d.result);
    if (!all_agree(node, bytes)) {
        return 0;
    }
    make_room(&d);
    do_chunks(&d);
    n = collect_reports(&d, lacks);
    hitop_outbox_complete_all(node);
    for (int i = 0; i < n; i++) { /* as operations of their own, without CMA */
        const unsigned char *operand = d.mine + lacks[i].at;

        hitop_node_begin(node);
        if (root == HITOP_OUTBOX_ALL) {
            (void)hitop_node_allreduce(node, operand, d.result + lacks[i].at, lacks[i].bytes,
                                       combine);
        } else {
            (void)hitop_node_reduce(node, operand, d.result ? d.result + lacks[i].at : NULL,
                                    lacks[i].bytes, root, combine);
        }
    }
    return 1;
}
