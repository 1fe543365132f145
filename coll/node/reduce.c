/* SPDX-License-Identifier: BSD-3-Clause */
/* reduce.c - reduce and allreduce through outboxes; see reduce.h. */
#include <config.h>

#include "coll/node/reduce.h"

#include "coll/node/outbox.h"
#include "coll/node/two_ranks.h"

/* Bytes that are combined at a time; they stay in the first cache together with the result. */
enum { AT_ONCE = 8 * 1024 };

/*
 * Can operands of `bytes` use a CMA reduce, given the threshold `from`? Equal in all ranks with the
 * same length.
 */
static int cma_suits(const struct hitop_node *node, size_t bytes, size_t from)
{
    return node->outbox.direct && bytes >= from;
}

/* The lined operand of `rank`, aligned for its elements: in the slot, or copied to `room`. */
static const void *lines_of(struct hitop_node *node, int rank, size_t bytes,
                            const struct hitop_combine *combine, unsigned char *room)
{
    struct hitop_outbox_slot *slot = hitop_outbox_slot_of(node, rank);

    /* the data are aligned to 8 bytes, behind the tag */
    if (bytes <= FLAGGED && combine->unit % 16 != 0) {
        return slot->u.data;
    }
    hitop_outbox_get(node, slot, 0, room, bytes);
    return room;
}

/*
 * Combine the lined operands of all others and `mine` to `result`, which does not overlap. Waits
 * for the operands. Returns 1 if one has another length; the result is undefined then.
 */
static int combine_lines(struct hitop_node *node, const void *mine, void *result, size_t bytes,
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

/*
 * Combine `bytes` from offset `at` of staged operands. All of these bytes are written and within
 * one window. This rank's operand is at mine + at, or in its outbox if mine is NULL. The result may
 * be at the last rank's operand.
 */
static void combine_staged(const struct hitop_node *node, const unsigned char *mine, uint64_t at,
                           unsigned char *result, size_t bytes, const struct hitop_combine *combine)
{
    const size_t chunk = hitop_reduce_whole(combine, AT_ONCE);

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

/* Wait for the operands of all others to begin; 1 if one is not staged or has another length. */
static int operands_differ(struct hitop_node *node, uint64_t bytes)
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

/* The root of a reduction: does another rank offer a CMA reduce? Waits for all ranks to arrive. */
static int cma_is_offered(struct hitop_node *node)
{
    int wanted = 0;

    for (int r = 0; r < node->nranks; r++) {
        wanted |= r != node->me && hitop_outbox_kind(node, hitop_outbox_slot_of(node, r)) == BY_CMA;
    }
    return wanted;
}

/*
 * Reduce: the root gets the operands of all ranks, combined in the order of ranks.
 *
 * Idea:   All ranks except the root post their operand in their outbox, in parts where it is long,
 *         and complete; the root combines directly from the outboxes. Operands so long that all
 *         would wait for the root use a CMA reduce (cma_reduce.c). With two ranks a short operand
 *         is a message (two_ranks.h).
 * Cost:   each byte is copied once by its owner and combined once by the root, both at the same
 *         time.
 */

/* The length of a part of a posted operand; equal in all ranks. */
static size_t part_of(const struct hitop_node *node, size_t bytes,
                      const struct hitop_combine *combine)
{
    const size_t wanted = hitop_piece_for(node->thresholds->reduce_part, bytes);
    const size_t most = node->outbox.ring_bytes / 4;

    return hitop_reduce_whole(combine, wanted < most ? wanted : most);
}

static void post_operand(struct hitop_node *node, const unsigned char *mine, size_t bytes, int root,
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

/* Wait until the other ranks have written the first `bytes` of their operands. */
static void await_all(struct hitop_node *node, uint64_t bytes)
{
    for (int r = 0; r < node->nranks; r++) {
        if (r != node->me) {
            hitop_outbox_await_fill(node, hitop_outbox_slot_of(node, r), bytes);
        }
    }
}

static void collect(struct hitop_node *node, const unsigned char *mine, unsigned char *result,
                    size_t bytes, const struct hitop_combine *combine)
{
    const size_t part = part_of(node, bytes, combine);
    const int last = node->nranks - 1;
    /*
     * in place the result is still an operand: the last rank's operand in its outbox is the
     * accumulator
     */
    const int apart = mine == result && node->me != last;

    for (size_t at = 0, n; at < bytes; at += n) {
        unsigned char *sum = result + at;

        n = bytes - at < part ? bytes - at : part;
        await_all(node, at + n);
        if (apart) {
            sum = hitop_outbox_at(node, last, hitop_outbox_slot_of(node, last), at);
        }
        combine_staged(node, mine, at, sum, n, combine);
        if (apart) {
            memcpy(result + at, sum, n);
        }
        hitop_outbox_took(node, at + n);
    }
}

/*
 * Bytes of the own operand that are copied to the result before the other operand arrives; at least
 * a part.
 */
enum { AHEAD = 32 * 1024 };

/* Copy at most `most` bytes of `mine` from offset `at` to the result. */
static void copy_ahead(const unsigned char *mine, unsigned char *result, size_t at, size_t most,
                       size_t bytes)
{
    if (mine != result && at < bytes) {
        memcpy(result + at, mine + at, bytes - at < most ? bytes - at : most);
    }
}

/*
 * Two operands whose order does not matter: the own one is copied to the result before the other
 * one arrives, which is then read once. Returns 1 if the lengths differ.
 */
static int collect_commuting(struct hitop_node *node, const unsigned char *mine,
                             unsigned char *result, size_t bytes,
                             const struct hitop_combine *combine)
{
    const size_t part = part_of(node, bytes, combine), ahead = part > AHEAD ? part : AHEAD;
    const int other = 1 - node->me;
    struct hitop_outbox_slot *slot = hitop_outbox_slot_of(node, other);

    copy_ahead(mine, result, 0, ahead, bytes);
    if (operands_differ(node, bytes)) {
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

/* Short operands; in place the own one is copied first. */
static int collect_lines(struct hitop_node *node, const void *mine, void *result, size_t bytes,
                         const struct hitop_combine *combine)
{
    _Alignas(64) unsigned char kept[HITOP_OUTBOX_LINED];

    if (mine == result) {
        memcpy(kept, mine, bytes);
        mine = kept;
    }
    return combine_lines(node, mine, result, bytes, combine);
}

static int goes_direct(const struct hitop_node *node, size_t bytes)
{
    return cma_suits(node, bytes, node->thresholds->reduce_direct_from);
}

/* Is there a length that uses a CMA reduce? If not, the root need not wait for all ranks first. */
static int some_go_direct(const struct hitop_node *node)
{
    return node->outbox.direct && node->thresholds->reduce_direct_from != SIZE_MAX;
}

/* The root's reply to an offered CMA reduce: 1 if all ranks take part. */
static int all_go_direct(struct hitop_node *node, const void *mine, void *result, size_t bytes,
                         int root, const struct hitop_combine *combine)
{
    if (!goes_direct(node, bytes)) {
        hitop_cma_reduce_offer(node, NULL, NULL, 0); /* a refusal: the ranks post their operands */
        return 0;
    }
    return hitop_cma_reduce(node, mine, result, bytes, root, combine);
}

/*
 * The root's part with two ranks if the other operand is a message: 1 if it is; *differs is 1 if it
 * has another length.
 */
static int take_message(struct hitop_node *node, const unsigned char *mine, unsigned char *result,
                        size_t bytes, const struct hitop_combine *combine, int *differs)
{
    _Alignas(64) unsigned char room[HITOP_TWO_RANKS_OPERAND];
    const int is_first = node->me == 0;
    unsigned char *other = is_first && mine != result ? result : room;
    size_t length;

    if (!is_first && mine != result &&
        bytes <= sizeof(room)) { /* before the other operand arrives */
        memcpy(result, mine, bytes);
    }
    length = hitop_two_ranks_read(node, &hitop_outbox_slot_of(node, 1 - node->me)->tag,
                                  HITOP_TWO_RANKS_OPERAND, bytes, other,
                                  bytes < sizeof(room) ? bytes : sizeof(room));
    *differs = length != bytes;
    if (length == bytes) {
        combine->run(combine->context, is_first ? mine : other, is_first ? other : result, bytes);
        if (is_first && other != result) {
            memcpy(result, other, bytes);
        }
    }
    return length != SIZE_MAX;
}

/* The whole operation of a rank that is not the root. */
static void bring(struct hitop_node *node, const unsigned char *mine, size_t bytes, int root,
                  const struct hitop_combine *combine)
{
    if (hitop_two_ranks_suits(node, bytes, HITOP_TWO_RANKS_OPERAND)) {
        hitop_two_ranks_post(node, mine, bytes);
        return;
    }
    if (bytes <= HITOP_OUTBOX_LINED) {
        hitop_outbox_post(node, mine, bytes, root);
    } else if (root >= 0 && goes_direct(node, bytes) &&
               hitop_cma_reduce(node, mine, NULL, bytes, root, combine)) {
        return;
    } else {
        post_operand(node, mine, bytes, root, combine);
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
    if (some_go_direct(node) && cma_is_offered(node) &&
        all_go_direct(node, mine, result, bytes, root, combine)) {
        return 0;
    }
    if (bytes <= HITOP_OUTBOX_LINED) {
        differs = collect_lines(node, mine, result, bytes, combine);
    } else if (node->nranks == 2 && combine->is_alike) {
        differs = collect_commuting(node, mine, result, bytes, combine);
    } else {
        differs = operands_differ(node, bytes);
        if (!differs) {
            collect(node, mine, result, bytes, combine);
        }
    }
    hitop_outbox_complete_all(node);
    return differs;
}

/*
 * Allreduce: all ranks get the operands of all, combined in the order of ranks.
 *
 * Idea:   Short: each rank posts its operand in lines and combines all of them itself: one
 *         exchange, and the same bits in all ranks. Longer: the same in parts, directly from the
 *         outboxes. Still longer: each rank combines a share of a part, in the last rank's outbox,
 *         from which all then copy the whole part. The longest operands use a CMA reduce
 *         (cma_reduce.c).
 * Cost:   short: one transfer of a line. In shares of P ranks: each byte is copied in, 1 / P of the
 *         bytes of all P operands is combined by each rank, and each byte is copied out.
 * Source: Rabenseifner, Optimization of collective reduction operations, ICCS 2004, for dividing
 *         the sum.
 */

/*
 * Prefetch this rank's lines of the next operation for writing, because they are in the caches of
 * other ranks. The next operand probably has `bytes`, too.
 */
static void prefetch_next(const struct hitop_node *node, size_t bytes)
{
    struct hitop_outbox_slot *slot = hitop_outbox_slot_of(node, node->me);
    const struct hitop_outbox_slot *next =
        (node->seq + 1) & (node->nplaces - 1) ? slot + 1 : slot + 1 - node->nplaces;

    hitop_node_prefetch_to_write(&next->tag);
    for (size_t at = HITOP_OUTBOX_FIRST, i = 0; bytes > FLAGGED && at < bytes; at += FLAGGED) {
        hitop_node_prefetch_to_write(&next->line[i++]);
    }
}

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
    differs = combine_lines(node, mine, result, bytes, combine);
    hitop_outbox_complete_all(node);
    prefetch_next(node, bytes);
    return differs;
}

/* Post the next part of the own operand, unless it is posted already. */
static void bring_part(struct hitop_node *node, struct hitop_outbox_writer *writer,
                       const unsigned char *mine, uint64_t at, size_t bytes)
{
    if (writer->written == at) {
        hitop_outbox_write(node, writer, mine + at, bytes);
    }
}

/* Combine this rank's share of the part of `bytes` at offset `at`. */
static void combine_share(struct hitop_node *node, uint64_t at, size_t bytes,
                          const struct hitop_combine *combine)
{
    const size_t n = bytes / combine->unit, me = (size_t)node->me, size = (size_t)node->nranks;
    const size_t low = n * me / size * combine->unit, high = n * (me + 1) / size * combine->unit;
    const int last = node->nranks - 1;

    combine_staged(node, NULL, at + low,
                   hitop_outbox_at(node, last, hitop_outbox_slot_of(node, last), at) + low,
                   high - low, combine);
}

/* Each rank combines a share of a part, in the last rank's outbox; then all copy the part. */
static void share_part(struct hitop_node *node, struct hitop_outbox_writer *writer,
                       unsigned char *result, uint64_t at, size_t n,
                       const struct hitop_combine *combine)
{
    const int last = node->nranks - 1;

    combine_share(node, at, n, combine);
    hitop_node_publish(node, &writer->slot->u.staged.summed, at + n);
    for (int r = 0; r < node->nranks; r++) {
        hitop_outbox_await(node, &hitop_outbox_slot_of(node, r)->u.staged.summed, at + n);
    }
    memcpy(result + at, hitop_outbox_at(node, last, hitop_outbox_slot_of(node, last), at), n);
}

/*
 * How parts are combined. SHARES: each rank combines a share. COMMUTING: each of two ranks copies
 * its own operand to the result before the other one arrives, which is then read once. ALL: each
 * rank combines all operands.
 */
enum how { SHARES, COMMUTING, ALL };

static void combine_parts(struct hitop_node *node, struct hitop_outbox_writer *writer,
                          const unsigned char *mine, unsigned char *result, size_t part,
                          enum how how, const struct hitop_combine *combine)
{
    const unsigned char *kept = mine == result ? NULL : mine; /* NULL: in the outbox */
    const int other = 1 - node->me;

    for (uint64_t at = 0; at < writer->total; at += part) {
        const size_t rest = (size_t)(writer->total - at);
        const size_t n = rest < part ? rest : part;

        bring_part(node, writer, mine, at, n);
        if (how == COMMUTING && kept) {
            memcpy(result + at, mine + at, n);
        }
        await_all(node, at + n);
        if (how == SHARES) {
            share_part(node, writer, result, at, n, combine);
        } else if (how == COMMUTING) {
            combine->run(combine->context,
                         hitop_outbox_at(node, other, hitop_outbox_slot_of(node, other), at),
                         result + at, n);
        } else {
            combine_staged(node, kept, at, result + at, n, combine);
        }
        hitop_outbox_took(node, at + n);
    }
}

/*
 * The window: the whole operand, or an even number of parts in at most half of the ring, so that
 * one part is written while others are read.
 */
static size_t window_of(size_t bytes, size_t part, size_t half)
{
    const size_t pairs = half / (2 * part);

    return bytes <= half ? bytes : 2 * part * (pairs > 0 ? pairs : 1);
}

int hitop_node_allreduce(struct hitop_node *node, const void *mine, void *result, size_t bytes,
                         const struct hitop_combine *combine)
{
    const size_t half = node->outbox.ring_bytes / 2;
    const enum how how = bytes >= node->thresholds->share_from    ? SHARES
                         : node->nranks == 2 && combine->is_alike ? COMMUTING
                                                                  : ALL;
    const size_t wanted = hitop_piece_for(node->thresholds->allreduce_part, bytes);
    const size_t part = hitop_reduce_whole(combine, half < wanted ? half : wanted);
    struct hitop_outbox_writer writer;
    int differs;

    if (bytes <= HITOP_OUTBOX_LINED) {
        return in_lines(node, mine, result, bytes, combine);
    }
    if (cma_suits(node, bytes, node->thresholds->allreduce_direct_from) &&
        hitop_cma_reduce(node, mine, result, bytes, HITOP_OUTBOX_ALL, combine)) {
        return 0;
    }
    hitop_outbox_open(node, &writer, bytes, window_of(bytes, part, half), HITOP_OUTBOX_ALL);
    bring_part(node, &writer, mine, 0, bytes <= part ? bytes : part);
    differs = operands_differ(node, bytes);
    if (!differs) { /* no rank reads blocks of another length */
        combine_parts(node, &writer, mine, result, part, how, combine);
    }
    hitop_outbox_complete_all(node);
    return differs;
}
