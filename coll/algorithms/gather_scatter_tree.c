/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gather_scatter_tree.c - up or down a tree, each link carries the blocks of its subtree:
 * gather_tree, scatter_tree.
 *
 * Idea:   scatter: a rank receives the blocks of its subtree in one message, keeps its own and
 *         sends each child a part of the message. gather is the reverse. The blocks in a message
 *         are in the order of the tree's line of ranks (hitop_tree_rank_at()).
 * Cost:   latencies: the depth of the tree; the bytes of each subtree over the link to it.
 * Use:    a flat tree for long blocks, where the links of the root carry all blocks anyway;
 *         binomial trees for short ones. The root copies the blocks of subtrees that are not
 *         consecutive ranks.
 * Needs:  a tree. Any number of ranks, any lengths of blocks. Where lengths differ and ranks do
 *         not know them, messages with 8 bytes for each block come first. Their cost counts; the
 *         executor fills in the lengths.
 * Source: CPM, scatter(v) and gather(v) over trees.
 */
#include <config.h>

#include "coll/algorithms/messages.h"
#include "coll/algorithms/tree_steps.h"

enum { COUNT_BYTES = 8 };

/* Values of the parameter; the same as those of the CPM parameter sgv. */
enum counts { PROPAGATED, BROADCAST, KNOWN };

static const struct hitop_param counts_param[] = {
    {"counts", "lengths of unlike blocks: 0 propagated, 1 broadcast, 2 known to all ranks", KNOWN,
     PROPAGATED, KNOWN, ""}};

/* ---- Lengths of blocks that differ ---- */

/* Where the lengths of a subtree are among those of the subtree of this rank. */
static struct hitop_span counts_of(const struct hitop_coll_args *a, int top)
{
    const int before =
        hitop_tree_first_place(a->tree, top) - hitop_tree_first_place(a->tree, a->rank);

    return hitop_span_work((size_t)before * COUNT_BYTES,
                           (size_t)hitop_tree_weight(a->tree, top) * COUNT_BYTES);
}

/* Send each rank the lengths of its subtree, or those of all ranks. */
static void pass_counts_down(const struct hitop_coll_args *a, int everything,
                             struct hitop_sched *sched)
{
    const struct hitop_span all = hitop_span_work(0, (size_t)a->size * COUNT_BYTES);
    const int parent = hitop_tree_parent(a->tree, a->rank);
    int n;
    const int *child = hitop_tree_children(a->tree, a->rank, &n);

    if (parent != HITOP_NO_RANK) {
        hitop_sched_recv(sched, parent, everything ? all : counts_of(a, a->rank));
        hitop_sched_fence(sched);
    }
    for (int i = 0; i < n; i++) {
        hitop_sched_send(sched, child[i], everything ? all : counts_of(a, child[i]));
    }
    hitop_sched_fence(sched);
}

/* Send lengths up to the children of the root; the root knows them. */
static void pass_counts_up(const struct hitop_coll_args *a, struct hitop_sched *sched)
{
    const int parent = hitop_tree_parent(a->tree, a->rank);
    int n;
    const int *child = hitop_tree_children(a->tree, a->rank, &n);

    if (a->rank == a->root) {
        return;
    }
    for (int i = n - 1; i >= 0; i--) {
        hitop_sched_recv(sched, child[i], counts_of(a, child[i]));
    }
    hitop_sched_fence(sched);
    if (parent != a->root) {
        hitop_sched_send(sched, parent, counts_of(a, a->rank));
        hitop_sched_fence(sched);
    }
}

/* ---- The blocks of a subtree as one message ---- */

/*
 * Bytes of the blocks at places first .. end - 1 of the line of ranks. Takes O(end - first) where
 * lengths differ.
 */
static size_t bytes_between(const struct hitop_coll_args *a, int first, int end)
{
    size_t bytes = 0;

    if (!a->starts) {
        return (size_t)(end - first) * a->bytes;
    }
    for (int place = first; place < end; place++) {
        bytes += hitop_block_bytes(a, hitop_tree_rank_at(a->tree, place), 1);
    }
    return bytes;
}

/* Bytes of the blocks of a rank's subtree. */
static size_t bytes_below(const struct hitop_coll_args *a, int rank)
{
    const int first = hitop_tree_first_place(a->tree, rank);

    return bytes_between(a, first, first + hitop_tree_weight(a->tree, rank));
}

/* A part of this rank's message that begins at a place. */
static struct hitop_span part_at(const struct hitop_coll_args *a, int place, size_t bytes)
{
    const int own = hitop_tree_first_place(a->tree, a->rank);

    return hitop_span_work(bytes_between(a, own, place), bytes);
}

/* The blocks of a child's subtree in this rank's message. */
static struct hitop_span part_of(const struct hitop_coll_args *a, int child)
{
    return part_at(a, hitop_tree_first_place(a->tree, child), bytes_below(a, child));
}

/*
 * Where the root has the blocks of a child's subtree: in the buffer of all blocks if they are
 * consecutive ranks in the order of the line; else packed in work memory from *packed on, which
 * grows by them.
 */
static struct hitop_span gathered(const struct hitop_coll_args *a, enum hitop_buffer buffer,
                                  int child, size_t *packed)
{
    const int first = hitop_tree_first_place(a->tree, child);
    const int n = hitop_tree_weight(a->tree, child);
    const int lowest = hitop_tree_rank_at(a->tree, first);
    struct hitop_span span = {buffer, hitop_block_start(a, lowest), 0};

    for (int i = 1; i < n; i++) {
        if (hitop_tree_rank_at(a->tree, first + i) != lowest + i) {
            span = hitop_span_work(*packed, bytes_below(a, child));
            *packed += span.bytes;
            return span;
        }
    }
    span.bytes = hitop_block_bytes(a, lowest, n);
    return span;
}

/* Copy the blocks of a child's subtree between the buffer of all blocks and packed memory. */
static void repack(const struct hitop_coll_args *a, enum hitop_buffer buffer, int child,
                   struct hitop_span packed, struct hitop_sched *sched)
{
    const int first = hitop_tree_first_place(a->tree, child);
    size_t at = packed.offset;

    for (int i = 0; i < hitop_tree_weight(a->tree, child) && packed.buffer != buffer; i++) {
        const int rank = hitop_tree_rank_at(a->tree, first + i);
        const size_t bytes = hitop_block_bytes(a, rank, 1);
        const struct hitop_span block = {buffer, hitop_block_start(a, rank), bytes};
        const struct hitop_span copy = hitop_span_work(at, bytes);
        hitop_sched_copy(sched, buffer == HITOP_BUFFER_SEND ? block : copy,
                         buffer == HITOP_BUFFER_SEND ? copy : block);
        at += bytes;
    }
}

/* ---- Gather ---- */

/*
 * Post the receive from the last child in send order first: it has the least to collect, so its
 * message arrives first.
 */
static void receive_at_root(const struct hitop_coll_args *a, struct hitop_sched *sched)
{
    const size_t own = hitop_block_bytes(a, a->rank, 1);
    size_t packed = 0;
    int n;
    const int *child = hitop_tree_children(a->tree, a->rank, &n);

    for (int i = n - 1; i >= 0; i--) {
        message_recv(sched, child[i], gathered(a, HITOP_BUFFER_RECV, child[i], &packed));
    }
    hitop_sched_copy(sched, hitop_span_send(0, own),
                     hitop_span_recv(hitop_block_start(a, a->rank), own));
    hitop_sched_fence(sched);
    packed = 0;
    for (int i = n - 1; i >= 0; i--) {
        const struct hitop_span span = gathered(a, HITOP_BUFFER_RECV, child[i], &packed);
        repack(a, HITOP_BUFFER_RECV, child[i], span, sched);
    }
    if (packed > 0) {
        hitop_sched_fence(sched);
    }
}

static void pass_up(const struct hitop_coll_args *a, struct hitop_sched *sched)
{
    const size_t own = hitop_block_bytes(a, a->rank, 1), all = bytes_below(a, a->rank);
    int n;
    const int *child = hitop_tree_children(a->tree, a->rank, &n);

    if (all == 0) {
        return;
    }
    if (n > 0) {
        for (int i = n - 1; i >= 0; i--) {
            message_recv(sched, child[i], part_of(a, child[i]));
        }
        hitop_sched_copy(sched, hitop_span_send(0, own),
                         part_at(a, hitop_tree_place(a->tree, a->rank), own));
        hitop_sched_fence(sched);
    }
    hitop_sched_send(sched, hitop_tree_parent(a->tree, a->rank),
                     n == 0 ? hitop_span_send(0, own) : hitop_span_work(0, all));
    hitop_sched_fence(sched);
}

void hitop_tree_gather(const struct hitop_coll_args *a, struct hitop_sched *sched)
{
    if (a->rank == a->root) {
        receive_at_root(a, sched);
    } else {
        pass_up(a, sched);
    }
}

static void gather_tree_plan(const struct hitop_coll_args *a, struct hitop_sched *sched)
{
    if (a->starts && a->params[0] == BROADCAST) {
        pass_counts_down(a, 1, sched);
    } else if (a->starts && a->params[0] == PROPAGATED) {
        pass_counts_up(a, sched);
    }
    hitop_tree_gather(a, sched);
}

/* ---- Scatter ---- */

static void send_from_root(const struct hitop_coll_args *a, struct hitop_sched *sched)
{
    const size_t own = hitop_block_bytes(a, a->rank, 1);
    size_t packed = 0;
    int n;
    const int *child = hitop_tree_children(a->tree, a->rank, &n);

    for (int i = 0; i < n; i++) {
        const struct hitop_span span = gathered(a, HITOP_BUFFER_SEND, child[i], &packed);
        repack(a, HITOP_BUFFER_SEND, child[i], span, sched);
        message_send_down(sched, a->tree, child[i], span);
    }
    hitop_sched_copy(sched, hitop_span_send(hitop_block_start(a, a->rank), own),
                     hitop_span_recv(0, own));
    hitop_sched_fence(sched);
}

/* Receive the subtree's blocks, send each child its part, keep the own one. */
static void pass_down(const struct hitop_coll_args *a, struct hitop_sched *sched)
{
    const size_t own = hitop_block_bytes(a, a->rank, 1), all = bytes_below(a, a->rank);
    int n;
    const int *child = hitop_tree_children(a->tree, a->rank, &n);

    if (all > 0) {
        hitop_sched_recv(sched, hitop_tree_parent(a->tree, a->rank),
                         n == 0 ? hitop_span_recv(0, own) : hitop_span_work(0, all));
        hitop_sched_fence(sched);
    }
    for (int i = 0; i < n; i++) {
        message_send_down(sched, a->tree, child[i], part_of(a, child[i]));
    }
    if (n > 0) {
        hitop_sched_copy(sched, part_at(a, hitop_tree_place(a->tree, a->rank), own),
                         hitop_span_recv(0, own));
        hitop_sched_fence(sched);
    }
}

static void scatter_tree_plan(const struct hitop_coll_args *a, struct hitop_sched *sched)
{
    if (a->starts && a->params[0] != KNOWN) {
        pass_counts_down(a, a->params[0] == BROADCAST, sched);
    }
    if (a->rank == a->root) {
        send_from_root(a, sched);
    } else {
        pass_down(a, sched);
    }
}

const struct hitop_coll_type hitop_gather_tree = {
    .name = "gather_tree",
    .summary = "gather up any tree",
    .family = "gather",
    .needs = HITOP_NEED_TREE,
    .in_place = 1,
    .below = 1,
    .params = counts_param,
    .nparams = 1,
    .up = HITOP_PASS_BLOCKS,
    .plan = gather_tree_plan,
};

const struct hitop_coll_type hitop_scatter_tree = {
    .name = "scatter_tree",
    .summary = "scatter down any tree",
    .family = "scatter",
    .needs = HITOP_NEED_TREE,
    .in_place = 1,
    .below = 1,
    .params = counts_param,
    .nparams = 1,
    .down = HITOP_PASS_BLOCKS,
    .plan = scatter_tree_plan,
};
