/* SPDX-License-Identifier: BSD-3-Clause */
/* reduce.c - reduce and allreduce through outboxes; see reduce.h. */
#include <config.h>

#include "coll/node/reduce.h"

#include "coll/node/cma_rendezvous.h"
#include "coll/node/two_ranks.h"

/* Bytes that are combined at a time; they stay in the first cache together with the result. */
enum { AT_ONCE = 8 * 1024 };

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
 * Combine the lined operands of all others and `mine` to `result`. In place the own one is copied
 * first. Waits for the operands. Returns 1 if one has another length; the result is undefined then.
 */
static int combine_lines(struct hitop_node *node, const void *mine, void *result, size_t bytes,
                         const struct hitop_combine *combine)
{
    _Alignas(64) unsigned char room[HITOP_OUTBOX_LINED], kept[HITOP_OUTBOX_LINED];
    int differs = 0;

    if (mine == result) {
        mine = memcpy(kept, mine, bytes);
    }
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

/* Byte `at` of the staged operand of `rank`. */
static unsigned char *operand_of(const struct hitop_node *node, int rank, uint64_t at)
{
    return hitop_outbox_at(node, rank, hitop_outbox_slot_of(node, rank), at);
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
                r == node->me && mine ? mine + at : operand_of(node, r, at);

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

/* Wait until the other ranks have written the first `bytes` of their operands. */
static void await_all(struct hitop_node *node, uint64_t bytes)
{
    for (int r = 0; r < node->nranks; r++) {
        if (r != node->me) {
            hitop_outbox_await(node, &hitop_outbox_slot_of(node, r)->u.staged.fill, bytes);
        }
    }
}

/*
 * How parts are combined. ALL: this rank combines all operands. IN_OUTBOX: the same in place, where
 * the result is still an operand: the last rank's operand in its outbox is the accumulator.
 * COMMUTING: each of two ranks copies its own operand to the result before the other one arrives,
 * which is then read once. SHARES: each rank combines a share.
 */
enum how { ALL, IN_OUTBOX, COMMUTING, SHARES };

/* A reduction of long operands, in parts. */
struct parts {
    struct hitop_outbox_writer *writer; /* of the own operand; NULL: it is not posted */
    const unsigned char *mine;
    unsigned char *result;
    size_t bytes, part;
    enum how how;
    const struct hitop_combine *combine;
};

/* Each rank combines a share of a part of `n` bytes, in the last rank's outbox. */
static void combine_shares(struct hitop_node *node, const struct parts *p, size_t at, size_t n)
{
    const size_t unit = p->combine->unit, elements = n / unit, size = (size_t)node->nranks;
    const size_t low = elements * (size_t)node->me / size * unit;
    const size_t high = elements * ((size_t)node->me + 1) / size * unit;

    combine_staged(node, NULL, at + low, operand_of(node, node->nranks - 1, at) + low, high - low,
                   p->combine);
    hitop_node_publish(node, &p->writer->slot->u.staged.summed, at + n);
    for (int r = 0; r < node->nranks; r++) {
        hitop_outbox_await(node, &hitop_outbox_slot_of(node, r)->u.staged.summed, at + n);
    }
}

/* Combine the part of `n` bytes at offset `at`, which all others have written. */
static void combine_part(struct hitop_node *node, const struct parts *p, size_t at, size_t n)
{
    const int last = node->nranks - 1;
    unsigned char *to = p->result + at;

    switch (p->how) {
    case COMMUTING:
        p->combine->run(p->combine->context, operand_of(node, 1 - node->me, at), to, n);
        break;
    case ALL: /* the own operand is in the outbox if the result takes its place */
        combine_staged(node, p->mine == p->result && p->writer ? NULL : p->mine, at, to, n,
                       p->combine);
        break;
    case IN_OUTBOX:
        combine_staged(node, p->mine, at, operand_of(node, last, at), n, p->combine);
        memcpy(to, operand_of(node, last, at), n);
        break;
    case SHARES:
        combine_shares(node, p, at, n);
        memcpy(to, operand_of(node, last, at), n);
        break;
    }
}

/* Returns 1 if the lengths of operands differ. */
static int combine_parts(struct hitop_node *node, const struct parts *p)
{
    for (size_t at = 0, n; at < p->bytes; at += n) {
        n = p->bytes - at < p->part ? p->bytes - at : p->part;
        if (p->writer) {
            hitop_outbox_write(node, p->writer, p->mine + at, n);
        }
        if (p->how == COMMUTING && p->mine != p->result) {
            memcpy(p->result + at, p->mine + at, n);
        }
        if (at == 0 && operands_differ(node, p->bytes)) {
            return 1; /* no rank reads blocks of another length */
        }
        await_all(node, at + n);
        combine_part(node, p, at, n);
        hitop_outbox_took(node, at + n);
    }
    return 0;
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
        hitop_node_post_copy(node, mine, bytes, 0);
        return;
    }
    if (bytes <= HITOP_OUTBOX_LINED) {
        hitop_outbox_post(node, mine, bytes, root);
    } else if (root >= 0 &&
               hitop_cma_exchange_suits(node, bytes, node->thresholds->reduce_direct_from) &&
               hitop_cma_reduce(node, mine, NULL, bytes, root, combine)) {
        return;
    } else {
        post_operand(node, mine, bytes, root, combine);
    }
    hitop_outbox_complete(node);
}

/* The root's part with longer operands; 1 if lengths differ. */
static int collect(struct hitop_node *node, const void *mine, void *result, size_t bytes,
                   const struct hitop_combine *combine)
{
    const struct parts p = {
        .mine = mine,
        .result = result,
        .bytes = bytes,
        .part = part_of(node, bytes, combine),
        .how = node->nranks == 2 && combine->is_alike           ? COMMUTING
               : mine == result && node->me != node->nranks - 1 ? IN_OUTBOX
                                                                : ALL,
        .combine = combine,
    };

    return combine_parts(node, &p);
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
    /* if no length uses a CMA reduce, the root need not wait for all ranks first */
    if (node->outbox.direct && node->thresholds->reduce_direct_from != SIZE_MAX &&
        cma_is_offered(node) && hitop_cma_reduce(node, mine, result, bytes, root, combine)) {
        return 0;
    }
    differs = bytes <= HITOP_OUTBOX_LINED ? combine_lines(node, mine, result, bytes, combine)
                                          : collect(node, mine, result, bytes, combine);
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

/*
 * The window: the whole operand, or an even number of parts in at most half of the ring, so that
 * one part is written while others are read.
 */
static size_t window_of(size_t bytes, size_t part, size_t half)
{
    const size_t pairs = half / (2 * part);

    return bytes <= half ? bytes : 2 * part * (pairs > 0 ? pairs : 1);
}

static int in_parts(struct hitop_node *node, const void *mine, void *result, size_t bytes,
                    const struct hitop_combine *combine)
{
    const size_t half = node->outbox.ring_bytes / 2;
    const size_t wanted = hitop_piece_for(node->thresholds->allreduce_part, bytes);
    struct hitop_outbox_writer writer;
    const struct parts p = {
        .writer = &writer,
        .mine = mine,
        .result = result,
        .bytes = bytes,
        .part = hitop_reduce_whole(combine, half < wanted ? half : wanted),
        .how = bytes >= node->thresholds->share_from    ? SHARES
               : node->nranks == 2 && combine->is_alike ? COMMUTING
                                                        : ALL,
        .combine = combine,
    };

    hitop_outbox_open(node, &writer, bytes, window_of(bytes, p.part, half), HITOP_OUTBOX_ALL);
    return combine_parts(node, &p);
}

int hitop_node_allreduce(struct hitop_node *node, const void *mine, void *result, size_t bytes,
                         const struct hitop_combine *combine)
{
    int differs;

    if (hitop_cma_exchange_suits(node, bytes, node->thresholds->allreduce_direct_from) &&
        hitop_cma_reduce(node, mine, result, bytes, HITOP_OUTBOX_ALL, combine)) {
        return 0;
    }
    if (bytes > HITOP_OUTBOX_LINED) {
        differs = in_parts(node, mine, result, bytes, combine);
        hitop_outbox_complete_all(node);
        return differs;
    }
    hitop_outbox_post(node, mine, bytes, HITOP_OUTBOX_ALL);
    differs = combine_lines(node, mine, result, bytes, combine);
    hitop_outbox_complete_all(node);
    prefetch_next(node, bytes);
    return differs;
}
