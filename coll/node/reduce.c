/* SPDX-License-Identifier: BSD-3-Clause */
/* fold.c - see fold.h. */
#include <config.h>

#include "coll/node/reduce.h"

#include "coll/node/outbox.h"

/* What `rank` has left in lines, where it may be read as elements. */
static const void *lines_of(struct hitop_node *node, int rank, size_t bytes,
                            const struct hitop_combine *combine, unsigned char *room)
{
    struct hitop_outbox_slot *slot = hitop_outbox_slot_of(node, rank);

    if (bytes <= FLAGGED && combine->unit % 16 != 0) { /* beside a flag of 8 bytes */
        return slot->u.data;
    }
    hitop_outbox_get(node, slot, 0, room, bytes);
    return room;
}

int hitop_reduce_lines(struct hitop_node *node, const void *mine, void *result, size_t bytes,
                       const struct hitop_combine *combine)
{
    _Alignas(64) unsigned char room[HITOP_OUTBOX_LINED];
    int differs = 0;

    for (int r = node->nranks - 1; r >= 0; r--) {
        const int is_last = r == node->nranks - 1;
        const void *operand = mine;

        if (r != node->me) {
            struct hitop_outbox_slot *slot = hitop_outbox_slot_of(node, r);

            if (hitop_outbox_length(node, slot) != bytes) {
                differs = 1;
                continue;
            }
            if (is_last) {
                hitop_outbox_get(node, slot, 0, result, bytes);
                continue;
            }
            operand = lines_of(node, r, bytes, combine, room);
        }
        if (is_last) {
            hitop_node_copy_few(result, operand, bytes);
        } else {
            combine->run(combine->context, operand, result, bytes);
        }
    }
    return differs;
}

void hitop_reduce_staged(const struct hitop_node *node, const unsigned char *mine, uint64_t at,
                         unsigned char *result, size_t bytes, const struct hitop_combine *combine)
{
    const size_t chunk = hitop_reduce_whole(combine, HITOP_REDUCE_CHUNK);

    for (size_t n; bytes > 0; at += n, result += n, bytes -= n) {
        n = bytes < chunk ? bytes : chunk;
        for (int r = node->nranks - 1; r >= 0; r--) {
            const unsigned char *operand =
                r == node->me && mine ? mine + at
                                      : hitop_outbox_at(node, r, hitop_outbox_slot_of(node, r), at);

            if (r < node->nranks - 1) {
                combine->run(combine->context, operand, result, n);
            } else if (operand != result) {
                memcpy(result, operand, n);
            }
        }
    }
}

int hitop_reduce_differs(struct hitop_node *node, uint64_t bytes)
{
    int differs = 0;

    for (int r = 0; r < node->nranks; r++) {
        if (r != node->me) {
            struct hitop_outbox_slot *slot = hitop_outbox_slot_of(node, r);

            differs |= hitop_outbox_length(node, slot) != bytes || !hitop_outbox_is_staged(slot);
        }
    }
    return differs;
}

void hitop_cma_reduce_offer(struct hitop_node *node, const void *mine, const void *result,
                            size_t bytes)
{
    struct hitop_outbox_slot *slot = hitop_outbox_slot_of(node, node->me);

    (void)hitop_outbox_reserve(node, 0, HITOP_OUTBOX_ALL);
    slot->combined.seq = node->seq;
    slot->combined.total = bytes;
    slot->combined.from = (uint64_t)(uintptr_t)mine;
    slot->combined.result = (uint64_t)(uintptr_t)result;
    atomic_store_explicit(&slot->combined.claimed, 0, memory_order_relaxed);
    atomic_store_explicit(&slot->combined.said, 0, memory_order_relaxed);
    atomic_store_explicit(&slot->tag, node->seq << TAG_SHIFT | BY_CMA, memory_order_release);
    hitop_wait_notify(&node->wait);
}

int hitop_cma_reduce_is_offered(struct hitop_node *node)
{
    int wanted = 0;

    for (int r = 0; r < node->nranks; r++) {
        wanted |= r != node->me && hitop_outbox_kind(node, hitop_outbox_slot_of(node, r)) == BY_CMA;
    }
    return wanted;
}

int hitop_cma_reduce_all_agree(struct hitop_node *node, size_t bytes)
{
    int agree = 1;

    for (int r = 0; r < node->nranks; r++) {
        struct hitop_outbox_slot *slot = hitop_outbox_slot_of(node, r);

        agree &= hitop_outbox_kind(node, slot) == BY_CMA && slot->combined.total == bytes;
    }
    return agree;
}

/*
 * One process gets what all bring, combined in the order of ranks.
 *
 * Idea:   all but the root leave their operand in their box, in parts where it is long, and are done; the root
 *         combines straight out of the lanes. Of operands so long that all would wait for the root, all combine a part
 *         (fold_direct.h). Among two a short operand is a message (pair.h).
 * Cost:   each byte is copied once by its owner and combined once by the root, both at the same time.
 */

/* All parts of a deposit have this length, which does not depend on who asks. */
static size_t part_of(const struct hitop_node *node, size_t bytes,
                      const struct hitop_combine *combine)
{
    const size_t wanted = hitop_piece_for(node->thresholds->reduce_part, bytes);
    const size_t most = node->outbox.ring_bytes / 4;

    return hitop_reduce_whole(combine, wanted < most ? wanted : most);
}

static void deposit(struct hitop_node *node, const unsigned char *mine, size_t bytes, int root,
                    const struct hitop_combine *combine)
{
    const size_t part = part_of(node, bytes, combine);
    const size_t most = node->outbox.ring_bytes / 2 / part * part;
    struct hitop_outbox_writer writer;

    hitop_outbox_open(node, &writer, bytes, bytes < most ? bytes : most, root);
    while (writer.written < bytes) {
        const size_t rest = bytes - (size_t)writer.written;

        hitop_outbox_write(node, &writer, mine + writer.written, rest < part ? rest : part);
    }
}

static void collect(struct hitop_node *node, const unsigned char *mine, unsigned char *result,
                    size_t bytes, const struct hitop_combine *combine)
{
    const size_t part = part_of(node, bytes, combine);
    const int last = node->nranks - 1;
    /* in place the result is still an operand: what comes last serves as accumulator */
    const int apart = mine == result && node->me != last;

    for (size_t at = 0, n; at < bytes; at += n) {
        unsigned char *sum = result + at;

        n = bytes - at < part ? bytes - at : part;
        for (int r = 0; r < node->nranks; r++) {
            if (r != node->me) {
                hitop_outbox_await_fill(node, hitop_outbox_slot_of(node, r), at + n);
            }
        }
        if (apart) {
            sum = hitop_outbox_at(node, last, hitop_outbox_slot_of(node, last), at);
        }
        hitop_reduce_staged(node, mine, at, sum, n, combine);
        if (apart) {
            memcpy(result + at, sum, n);
        }
        hitop_outbox_took(node, at + n);
    }
}

/* Bytes of our operand that are in the result before the other's are, at least a part. */
enum { AHEAD = 32 * 1024 };

/* At most `most` bytes of ours from `at` on, into the result. */
static void copy_ahead(const unsigned char *mine, unsigned char *result, size_t at, size_t most,
                       size_t bytes)
{
    if (mine != result && at < bytes) {
        memcpy(result + at, mine + at, bytes - at < most ? bytes - at : most);
    }
}

/*
 * Two operands whose order does not show: ours is in the result while the other's is still to come, which is read once. 1
 * when lengths differ.
 */
static int collect_pair(struct hitop_node *node, const unsigned char *mine, unsigned char *result,
                        size_t bytes, const struct hitop_combine *combine)
{
    const size_t part = part_of(node, bytes, combine), ahead = part > AHEAD ? part : AHEAD;
    const int other = 1 - node->me;
    struct hitop_outbox_slot *slot = hitop_outbox_slot_of(node, other);

    copy_ahead(mine, result, 0, ahead, bytes);
    if (hitop_reduce_differs(node, bytes)) {
        return 1;
    }
    for (size_t at = 0, n; at < bytes; at += n) {
        n = bytes - at < part ? bytes - at : part;
        hitop_outbox_await_fill(node, slot, at + n);
        combine->run(combine->context, hitop_outbox_at(node, other, slot, at), result + at, n);
        hitop_outbox_took(node, at + n);
        copy_ahead(mine, result, at + ahead, n, bytes);
    }
    return 0;
}

/* Short operands; in place the result is one of them. */
static int collect_lines(struct hitop_node *node, const void *mine, void *result, size_t bytes,
                         const struct hitop_combine *combine)
{
    _Alignas(64) unsigned char kept[HITOP_OUTBOX_LINED];

    if (mine == result) {
        memcpy(kept, mine, bytes);
        mine = kept;
    }
    return hitop_reduce_lines(node, mine, result, bytes, combine);
}

static int goes_direct(const struct hitop_node *node, size_t bytes)
{
    return hitop_cma_reduce_suits(node, bytes, node->thresholds->reduce_direct_from);
}

/* Are there lengths that go this way? If not, the root need not wait for the others before it begins. */
static int some_go_direct(const struct hitop_node *node)
{
    return node->outbox.direct && node->thresholds->reduce_direct_from != SIZE_MAX;
}

/* The root's answer to those who want to go this way: 1 when all do. */
static int all_go_direct(struct hitop_node *node, const void *mine, void *result, size_t bytes,
                         int root, const struct hitop_combine *combine)
{
    if (!goes_direct(node, bytes)) {
        hitop_cma_reduce_refuse(node);
        return 0;
    }
    return hitop_cma_reduce(node, mine, result, bytes, root, combine);
}

/* All of the root's part among two where the other operand is a message: 1 when it is; *differs: when it has another length. */
static int take_message(struct hitop_node *node, const unsigned char *mine, unsigned char *result,
                        size_t bytes, const struct hitop_combine *combine, int *differs)
{
    _Alignas(64) unsigned char room[HITOP_PAIR_OPERAND];
    const int is_first = node->me == 0;
    unsigned char *other = is_first && mine != result ? result : room;
    size_t length;

    if (!is_first && mine != result &&
        bytes <= sizeof(room)) { /* while the other is still to come */
        memcpy(result, mine, bytes);
    }
    length =
        hitop_pair_take(node, &hitop_outbox_slot_of(node, 1 - node->me)->tag, HITOP_PAIR_OPERAND,
                        bytes, other, bytes < sizeof(room) ? bytes : sizeof(room));
    *differs = length != bytes;
    if (length == bytes) {
        combine->run(combine->context, is_first ? mine : other, is_first ? other : result, bytes);
        if (is_first && other != result) {
            memcpy(result, other, bytes);
        }
    }
    return length != SIZE_MAX;
}

/* All that a process does that is not the root. */
static void bring(struct hitop_node *node, const unsigned char *mine, size_t bytes, int root,
                  const struct hitop_combine *combine)
{
    if (hitop_pair_suits(node, bytes, HITOP_PAIR_OPERAND)) {
        hitop_pair_post(node, mine, bytes);
        return;
    }
    if (bytes <= HITOP_OUTBOX_LINED) {
        hitop_outbox_post(node, mine, bytes, root);
    } else if (root >= 0 && goes_direct(node, bytes) &&
               hitop_cma_reduce(node, mine, NULL, bytes, root, combine)) {
        return;
    } else {
        deposit(node, mine, bytes, root, combine);
    }
    hitop_outbox_complete(node);
}

int hitop_node_reduce(struct hitop_node *node, const void *mine, void *result, size_t bytes,
                      int root, const struct hitop_combine *combine)
{
    int differs;

    if (node->me != root) {
        bring(node, mine, bytes, root, combine);
        return 0;
    }
    if (node->nranks == 2 && take_message(node, mine, result, bytes, combine, &differs)) {
        return differs;
    }
    if (some_go_direct(node) && hitop_cma_reduce_is_offered(node) &&
        all_go_direct(node, mine, result, bytes, root, combine)) {
        return 0;
    }
    if (bytes <= HITOP_OUTBOX_LINED) {
        differs = collect_lines(node, mine, result, bytes, combine);
    } else if (node->nranks == 2 && combine->is_alike) {
        differs = collect_pair(node, mine, result, bytes, combine);
    } else {
        differs = hitop_reduce_differs(node, bytes);
        if (!differs) {
            collect(node, mine, result, bytes, combine);
        }
    }
    hitop_outbox_complete_all(node);
    return differs;
}

/*
 * Everybody gets what all bring, combined in the order of ranks.
 *
 * Idea:   short: each leaves its operand in lines and combines all of them itself, which is one exchange and gives the
 *         same bits everywhere. Longer: the same in parts, straight out of the outbox; where that is too much to do for each,
 *         each combines its share of a part, in the last one's box, from which all then copy the whole. The longest are
 *         combined where they lie (fold_direct.h).
 * Cost:   short: one hop. In shares of P processes: each byte is copied in, (P - 1) / P of it combined, copied out.
 * Source: Rabenseifner, Optimization of collective reduction operations, ICCS 2004, for dividing the sum.
 */

static int in_lines(struct hitop_node *node, const void *mine, void *result, size_t bytes,
                    const struct hitop_combine *combine)
{
    _Alignas(64) unsigned char kept[HITOP_OUTBOX_LINED];
    int differs;

    hitop_outbox_post(node, mine, bytes, HITOP_OUTBOX_ALL);
    if (mine == result) {
        memcpy(kept, mine, bytes);
        mine = kept;
    }
    differs = hitop_reduce_lines(node, mine, result, bytes, combine);
    hitop_outbox_complete_all(node);
    hitop_outbox_prefetch_next(node, bytes);
    return differs;
}

static void await_all(struct hitop_node *node, uint64_t bytes)
{
    for (int r = 0; r < node->nranks; r++) {
        if (r != node->me) {
            hitop_outbox_await_fill(node, hitop_outbox_slot_of(node, r), bytes);
        }
    }
}

/* Deposit the next part of ours, unless it is there. */
static void bring_part(struct hitop_node *node, struct hitop_outbox_writer *writer,
                       const unsigned char *mine, uint64_t at, size_t bytes)
{
    if (writer->written == at) {
        hitop_outbox_write(node, writer, mine + at, bytes);
    }
}

/* Two operands whose order does not show: ours is in the result while the other's is still to come, which is read once. */
static void combine_pair(struct hitop_node *node, struct hitop_outbox_writer *writer,
                         const unsigned char *mine, unsigned char *result, size_t part,
                         const struct hitop_combine *combine)
{
    const int other = 1 - node->me;
    struct hitop_outbox_slot *slot = hitop_outbox_slot_of(node, other);

    for (uint64_t at = 0; at < writer->total; at += part) {
        const size_t rest = (size_t)(writer->total - at);
        const size_t n = rest < part ? rest : part;

        bring_part(node, writer, mine, at, n);
        if (mine != result) {
            memcpy(result + at, mine + at, n);
        }
        await_all(node, at + n);
        combine->run(combine->context, hitop_outbox_at(node, other, slot, at), result + at, n);
        hitop_outbox_took(node, at + n);
    }
}

/* Everybody combines everything. */
static void combine_all(struct hitop_node *node, struct hitop_outbox_writer *writer,
                        const unsigned char *mine, unsigned char *result, size_t part,
                        const struct hitop_combine *combine)
{
    const unsigned char *kept = mine == result ? NULL : mine; /* else our lane keeps it */

    for (uint64_t at = 0; at < writer->total; at += part) {
        const size_t rest = (size_t)(writer->total - at);
        const size_t n = rest < part ? rest : part;

        bring_part(node, writer, mine, at, n);
        await_all(node, at + n);
        hitop_reduce_staged(node, kept, at, result + at, n, combine);
        hitop_outbox_took(node, at + n);
    }
}

/* Our share of a part of `bytes` that begins at `at`. */
static void combine_share(struct hitop_node *node, uint64_t at, size_t bytes,
                          const struct hitop_combine *combine)
{
    const size_t n = bytes / combine->unit, me = (size_t)node->me, size = (size_t)node->nranks;
    const size_t low = n * me / size * combine->unit, high = n * (me + 1) / size * combine->unit;
    const int last = node->nranks - 1;

    hitop_reduce_staged(node, NULL, at + low,
                        hitop_outbox_at(node, last, hitop_outbox_slot_of(node, last), at) + low,
                        high - low, combine);
}

static void combine_shares(struct hitop_node *node, struct hitop_outbox_writer *writer,
                           const unsigned char *mine, unsigned char *result, size_t part,
                           const struct hitop_combine *combine)
{
    const int last = node->nranks - 1;

    for (uint64_t at = 0; at < writer->total; at += part) {
        const size_t rest = (size_t)(writer->total - at);
        const size_t n = rest < part ? rest : part;

        bring_part(node, writer, mine, at, n);
        await_all(node, at + n);
        combine_share(node, at, n, combine);
        atomic_store_explicit(&writer->slot->u.staged.summed, at + n, memory_order_release);
        hitop_wait_notify(&node->wait);
        for (int r = 0; r < node->nranks; r++) {
            hitop_outbox_await(node, &hitop_outbox_slot_of(node, r)->u.staged.summed, at + n);
        }
        memcpy(result + at, hitop_outbox_at(node, last, hitop_outbox_slot_of(node, last), at), n);
        hitop_outbox_took(node, at + n);
    }
}

/* All of the operand, or whole pairs of parts, in at most half of the ring: one part is written while others are read. */
static size_t window_of(size_t bytes, size_t part, size_t half)
{
    const size_t pairs = half / (2 * part);

    return bytes <= part || bytes <= half ? bytes : 2 * part * (pairs > 0 ? pairs : 1);
}

int hitop_node_allreduce(struct hitop_node *node, const void *mine, void *result, size_t bytes,
                         const struct hitop_combine *combine)
{
    const size_t half = node->outbox.ring_bytes / 2;
    const int share = bytes >= node->thresholds->share_from;
    const size_t wanted = hitop_piece_for(node->thresholds->allreduce_part, bytes);
    const size_t part = hitop_reduce_whole(combine, half < wanted ? half : wanted);
    struct hitop_outbox_writer writer;
    int differs;

    if (bytes <= HITOP_OUTBOX_LINED) {
        return in_lines(node, mine, result, bytes, combine);
    }
    if (hitop_cma_reduce_suits(node, bytes, node->thresholds->allreduce_direct_from) &&
        hitop_cma_reduce(node, mine, result, bytes, HITOP_OUTBOX_ALL, combine)) {
        return 0;
    }
    hitop_outbox_open(node, &writer, bytes, window_of(bytes, part, half), HITOP_OUTBOX_ALL);
    bring_part(node, &writer, mine, 0, bytes <= part ? bytes : part);
    differs = hitop_reduce_differs(node, bytes);
    if (differs) { /* nobody reads what would not fit */
    } else if (share) {
        combine_shares(node, &writer, mine, result, part, combine);
    } else if (node->nranks == 2 && combine->is_alike) {
        combine_pair(node, &writer, mine, result, part, combine);
    } else {
        combine_all(node, &writer, mine, result, part, combine);
    }
    hitop_outbox_complete_all(node);
    return differs;
}
