/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * reduce.c - one process gets what all bring, combined in the order of ranks.
 *
 * Idea:   all but the root leave their operand in their lane, in parts where it is long, and are done; the root
 *         combines straight out of the lanes. Of operands so long that all would wait for the root, all combine a part
 *         (fold_direct.h). Among two a short operand is a message (pair.h).
 * Cost:   each byte is copied once by its owner and combined once by the root, both at the same time.
 */
#include <config.h>

#include "coll/node/fold.h"
#include "coll/node/fold_direct.h"
#include "coll/node/pair.h"

/* All parts of a deposit have this length, which does not depend on who asks. */
static size_t part_of(const struct hitop_node *node, size_t bytes,
                      const struct hitop_combine *combine)
{
    const size_t wanted = hitop_piece_for(node->thresholds->reduce_part, bytes);
    const size_t most = node->lanes.ring_bytes / 4;

    return hitop_fold_whole(combine, wanted < most ? wanted : most);
}

static void deposit(struct hitop_node *node, const unsigned char *mine, size_t bytes, int root,
                    const struct hitop_combine *combine)
{
    const size_t part = part_of(node, bytes, combine);
    const size_t most = node->lanes.ring_bytes / 2 / part * part;
    struct hitop_lane_writer writer;

    hitop_lane_open(node, &writer, bytes, bytes < most ? bytes : most, root);
    while (writer.written < bytes) {
        const size_t rest = bytes - (size_t)writer.written;

        hitop_lane_write(node, &writer, mine + writer.written, rest < part ? rest : part);
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
                hitop_lane_await_fill(node, hitop_lane_slot_of(node, r), at + n);
            }
        }
        if (apart) {
            sum = hitop_lane_at(node, last, hitop_lane_slot_of(node, last), at);
        }
        hitop_fold_staged(node, mine, at, sum, n, combine);
        if (apart) {
            memcpy(result + at, sum, n);
        }
        hitop_lane_took(node, at + n);
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
    struct hitop_lane_slot *slot = hitop_lane_slot_of(node, other);

    copy_ahead(mine, result, 0, ahead, bytes);
    if (hitop_fold_differs(node, bytes)) {
        return 1;
    }
    for (size_t at = 0, n; at < bytes; at += n) {
        n = bytes - at < part ? bytes - at : part;
        hitop_lane_await_fill(node, slot, at + n);
        combine->run(combine->context, hitop_lane_at(node, other, slot, at), result + at, n);
        hitop_lane_took(node, at + n);
        copy_ahead(mine, result, at + ahead, n, bytes);
    }
    return 0;
}

/* Short operands; in place the result is one of them. */
static int collect_lines(struct hitop_node *node, const void *mine, void *result, size_t bytes,
                         const struct hitop_combine *combine)
{
    _Alignas(64) unsigned char kept[HITOP_LANE_LINED];

    if (mine == result) {
        memcpy(kept, mine, bytes);
        mine = kept;
    }
    return hitop_fold_lines(node, mine, result, bytes, combine);
}

static int goes_direct(const struct hitop_node *node, size_t bytes)
{
    return hitop_fold_agree_suits(node, bytes, node->thresholds->reduce_direct_from);
}

/* Are there lengths that go this way? If not, the root need not wait for the others before it begins. */
static int some_go_direct(const struct hitop_node *node)
{
    return node->lanes.direct && node->thresholds->reduce_direct_from != SIZE_MAX;
}

/* The root's answer to those who want to go this way: 1 when all do. */
static int all_go_direct(struct hitop_node *node, const void *mine, void *result, size_t bytes,
                         int root, const struct hitop_combine *combine)
{
    if (!goes_direct(node, bytes)) {
        hitop_fold_agree_refuse(node);
        return 0;
    }
    return hitop_fold_direct(node, mine, result, bytes, root, combine);
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
    length = hitop_pair_take(node, &hitop_lane_slot_of(node, 1 - node->me)->tag, HITOP_PAIR_OPERAND,
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
        hitop_pair_put(node, mine, bytes);
        return;
    }
    if (bytes <= HITOP_LANE_LINED) {
        hitop_lane_put(node, mine, bytes, root);
    } else if (root >= 0 && goes_direct(node, bytes) &&
               hitop_fold_direct(node, mine, NULL, bytes, root, combine)) {
        return;
    } else {
        deposit(node, mine, bytes, root, combine);
    }
    hitop_lane_leave(node);
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
    if (some_go_direct(node) && hitop_fold_agree_is_wanted(node) &&
        all_go_direct(node, mine, result, bytes, root, combine)) {
        return 0;
    }
    if (bytes <= HITOP_LANE_LINED) {
        differs = collect_lines(node, mine, result, bytes, combine);
    } else if (node->nranks == 2 && combine->is_alike) {
        differs = collect_pair(node, mine, result, bytes, combine);
    } else {
        differs = hitop_fold_differs(node, bytes);
        if (!differs) {
            collect(node, mine, result, bytes, combine);
        }
    }
    hitop_lane_leave_all(node);
    return differs;
}
