/* SPDX-License-Identifier: BSD-3-Clause */
/* layout.c - the segment of a node: what lies where, and how processes attach to it. */
#include <config.h>

#include "coll/node/cma_bcast.h"
#include "coll/node/layout.h"
#include "coll/node/node.h"
#include "coll/node/outbox.h"

#include <assert.h>
#include <string.h>

static size_t ring_offset(const struct hitop_node_layout *layout)
{
    return hitop_node_round_up(
        HITOP_NODE_SLOTS * (sizeof(struct hitop_node_slot) + sizeof(struct hitop_node_claim)) +
            sizeof(struct hitop_eventcount) +
            (size_t)layout->nranks * sizeof(struct hitop_node_member) +
            hitop_cma_bytes(layout->nranks) +
            (size_t)layout->nranks * sizeof(struct hitop_cma_request) +
            (size_t)layout->nplaces * sizeof(struct hitop_node_place),
        PAGE);
}

size_t hitop_node_segment_bytes(const struct hitop_node_layout *layout)
{
    return ring_offset(layout) + layout->ring_bytes + hitop_outboxes_bytes(layout);
}

static void view(struct hitop_node *node, void *memory, const struct hitop_node_layout *layout)
{
    const int has_few = layout->nplaces == HITOP_NODE_FEW_PLACES;

    node->slots = memory;
    node->claims = (struct hitop_node_claim *)(node->slots + HITOP_NODE_SLOTS);
    node->eventcount = (struct hitop_eventcount *)(node->claims + HITOP_NODE_SLOTS);
    node->members = (struct hitop_node_member *)(node->eventcount + 1);
    node->peers = node->members + layout->nranks;
    node->requests = (struct hitop_cma_request *)((unsigned char *)node->peers +
                                                  hitop_cma_bytes(layout->nranks));
    node->places = (struct hitop_node_place *)(node->requests + layout->nranks);
    node->ring = (unsigned char *)memory + ring_offset(layout);
    node->ring_bytes = layout->ring_bytes;
    node->nplaces = (uint64_t)layout->nplaces;
    node->nslots = has_few ? HITOP_NODE_FEW_SLOTS : HITOP_NODE_SLOTS;
    node->ncells = has_few ? HITOP_NODE_CELLS : node->nplaces;
    node->nranks = layout->nranks;
}

void hitop_node_format(void *memory, const struct hitop_node_layout *layout)
{
    struct hitop_node node;

    view(&node, memory, layout);
    memset(memory, 0, ring_offset(layout)); /* rings are written before they are read */
    for (int i = 0; i < HITOP_NODE_SLOTS; i++) {
        atomic_init(&node.slots[i].tag, 0);
        atomic_init(&node.claims[i].word, 0);
        atomic_init(&node.claims[i].written, 0);
    }
    for (int i = 0; i < layout->nranks; i++) {
        atomic_init(&node.members[i].done, layout->first);
        atomic_init(&node.members[i].consumed, 0);
        atomic_init(&node.members[i].lateness, 0);
        atomic_init(&node.members[i].note, 0);
        atomic_init(&node.members[i].waits_in, 0);
        atomic_init(&node.members[i].mark, 0);
    }
    hitop_outboxes_format(node.ring + node.ring_bytes, layout);
}

void hitop_node_attach(struct hitop_node *node, void *memory,
                       const struct hitop_node_layout *layout, int me,
                       const struct hitop_wait *wait)
{
    *node = (struct hitop_node){.me = me, .wait = *wait, .seq = layout->first};
    view(node, memory, layout);
    hitop_outboxes_attach(node, node->ring + node->ring_bytes, layout);
    node->done_min = layout->first;
    node->slot.last = node->line.last = node->cell.last = layout->first;
    node->thresholds = hitop_thresholds_for(layout->nranks, wait->alone);
    hitop_wait_attach(&node->wait, node->eventcount);
}

void hitop_node_prove(struct hitop_node *node, int allowed)
{
    hitop_cma_prove(&node->cma, node->peers, node->nranks, node->me, allowed, &node->wait);
    node->outbox.direct = node->cma.works;
}

/* How far the other processes are. */

void hitop_node_refresh_min_progress(struct hitop_node *node)
{
    uint64_t done = UINT64_MAX, consumed = UINT64_MAX;

    for (int i = 0; i < node->nranks; i++) {
        if (i != node->me) { /* our own progress is made by the operation that asks */
            const uint64_t d = hitop_node_done_by(node, i);
            const uint64_t c =
                atomic_load_explicit(&node->members[i].consumed, memory_order_acquire);
            done = d < done ? d : done;
            consumed = c < consumed ? c : consumed;
        }
    }
    /*
     * what was known may be old, but never too much; a writer has not said yet that it wants
     * nothing of its own message
     */
    assert(done >= node->done_min);
    node->done_min = done;
    node->consumed_min = consumed > node->consumed_min ? consumed : node->consumed_min;
}

/* Which process leads an operation: the first one that asks, or the last one to come. */

int hitop_node_claim(struct hitop_node *node)
{
    _Atomic uint64_t *word = &node->claims[node->seq % HITOP_NODE_SLOTS].word;
    uint64_t seen = atomic_load_explicit(word, memory_order_relaxed);
    unsigned round = 0;

    /* the process that claims may write: all have left the operation that used the slot before */
    while (seen >> 16 != node->seq && !hitop_node_slot_is_free(node, HITOP_NODE_SLOTS)) {
        hitop_wait_relax(&node->wait, &round);
        seen = atomic_load_explicit(word, memory_order_relaxed);
    }
    return seen >> 16 != node->seq && atomic_compare_exchange_strong_explicit(
                                          word, &seen, node->seq << 16 | (uint64_t)(node->me + 1),
                                          memory_order_acq_rel, memory_order_relaxed);
}

void hitop_node_stamp(struct hitop_node *node)
{
    atomic_store_explicit(&node->claims[node->seq % HITOP_NODE_SLOTS].written, hitop_wait_clock(),
                          memory_order_relaxed);
}

void hitop_node_note_lateness(struct hitop_node *node)
{
    _Atomic uint64_t *lateness = &node->members[node->me].lateness;
    uint64_t late = 0;

    if (hitop_node_is_published(node)) {
        late = hitop_wait_clock() -
               atomic_load_explicit(&node->claims[node->seq % HITOP_NODE_SLOTS].written,
                                    memory_order_relaxed);
    }
    if (atomic_load_explicit(lateness, memory_order_relaxed) != late) {
        atomic_store_explicit(lateness, late, memory_order_relaxed);
    }
}

uint64_t hitop_node_lateness(const struct hitop_node *node, int local)
{
    return atomic_load_explicit(&node->members[local].lateness, memory_order_relaxed);
}

/*
 * The last one to come to an operation.
 *
 * Idea:   where all bring something and one of them has to go on with it, the last one is the only
 *         one that need not wait for anybody: all others deposit and leave. Processes draw tickets
 *         from the word that operations without a known writer are claimed with, which this kind of
 *         operation does not need.
 * Source: coming last as a role: Mellor-Crummey & Scott, Algorithms for scalable synchronization,
 *         TOCS 9 (1991), barriers with a counter.
 */

/* Below the number of the operation: tickets drawn, or who was last. */
enum { FOUND = 0x8000, NUMBER = 0x7fff };

static _Atomic uint64_t *word_of(const struct hitop_node *node)
{
    return &node->claims[node->seq % HITOP_NODE_SLOTS].word;
}

int hitop_node_last(const struct hitop_node *node)
{
    const uint64_t word = atomic_load_explicit(word_of(node), memory_order_acquire);

    return word >> 16 == node->seq && word & FOUND ? (int)(word & NUMBER) : HITOP_NODE_LAST;
}

int hitop_node_comes_last(struct hitop_node *node)
{
    _Atomic uint64_t *word = word_of(node);
    uint64_t seen, next;
    unsigned round = 0;

    /* all have left the operation that used the word before */
    while (!hitop_node_slot_is_free(node, HITOP_NODE_SLOTS)) {
        hitop_wait_relax(&node->wait, &round);
    }
    seen = atomic_load_explicit(word, memory_order_relaxed);
    do {
        next = seen >> 16 == node->seq ? seen + 1 : node->seq << 16 | 1;
    } while (!atomic_compare_exchange_weak_explicit(word, &seen, next, memory_order_acq_rel,
                                                    memory_order_relaxed));
    if ((next & NUMBER) != (uint64_t)node->nranks) {
        return 0;
    }
    atomic_store_explicit(word, node->seq << 16 | FOUND | (uint64_t)node->me, memory_order_release);
    hitop_wait_notify(&node->wait);
    return 1;
}

void hitop_wait_state_note(struct hitop_node *node, uint64_t note)
{
    struct hitop_node_member *mine = &node->members[node->me];

    atomic_store_explicit(&mine->note, note, memory_order_relaxed);
    atomic_store_explicit(&mine->waits_in, node->seq, memory_order_release);
}

enum hitop_wait_state hitop_wait_state_of(const struct hitop_node *node, int rank, uint64_t *note)
{
    const struct hitop_node_member *theirs = &node->members[rank];

    if (atomic_load_explicit(&theirs->done, memory_order_acquire) >= node->seq) {
        return HITOP_STATE_GONE;
    }
    if (atomic_load_explicit(&theirs->waits_in, memory_order_acquire) != node->seq) {
        return HITOP_STATE_ABSENT;
    }
    *note = atomic_load_explicit(&theirs->note, memory_order_relaxed);
    return HITOP_STATE_WAITS;
}

void hitop_wait_state_mark(struct hitop_node *node, uint64_t mark)
{
    _Atomic uint64_t *mine = &node->members[node->me].mark;

    if (atomic_load_explicit(mine, memory_order_relaxed) != mark) {
        atomic_store_explicit(mine, mark, memory_order_relaxed);
    }
}

uint64_t hitop_wait_state_marked(const struct hitop_node *node, int rank)
{
    return atomic_load_explicit(&node->members[rank].mark, memory_order_relaxed);
}

/*
 * Nobody leaves before everybody has come.
 *
 * Idea:   where each process has a processor, each says in a line of its own that it has come and looks at the lines of
 *         the others: one hop of a cache line. It has two such lines, in turn, so that the next one is fetched for writing while the
 *         program computes. Where processes share processors, what costs is their turns, and a common counter is the least to
 *         look at.
 * Source: measured on an AMD EPYC, two processes that come at about one time, ns: 283 where they are far, 213 where they are near;
 *         with both words in one line, so that the second one to write has the word of the first, 323 and 213. One barrier
 *         after another 190 and 53, in one line 135 and 52 (bench/RESULTS.md).
 */

/* Where `rank` says that it has come to this one. */
static _Atomic uint64_t *came(const struct hitop_node *node, int rank, uint64_t round)
{
    return &hitop_outbox_of(node, rank)->came[round % 2].word;
}

void hitop_node_barrier(struct hitop_node *node)
{
    const uint64_t round = ++node->outbox.barriers;

    if (node->nranks <= node->thresholds->barrier_lines_to) {
        atomic_store_explicit(came(node, node->me, round), round, memory_order_release);
        hitop_wait_notify(&node->wait);
        for (int r = 0; r < node->nranks; r++) {
            if (r != node->me) {
                hitop_outbox_await(node, came(node, r, round), round);
            }
        }
        hitop_node_prefetch_to_write(came(node, node->me, round + 1));
    } else {
        _Atomic uint64_t *all = &hitop_outbox_of(node, 0)->all;

        (void)atomic_fetch_add_explicit(all, 1, memory_order_acq_rel);
        hitop_wait_notify(&node->wait);
        hitop_outbox_await(node, all, round * (uint64_t)node->nranks);
    }
    hitop_outbox_complete_all(node);
}
