/* SPDX-License-Identifier: BSD-3-Clause */
/* progress.c - the progress of ranks, the leader or last rank of an operation, and wait states. */
#include <config.h>

#include "coll/node/layout.h"

#include <assert.h>

/* The progress of the other ranks. */

void hitop_node_refresh_min_progress(struct hitop_node *node)
{
    uint64_t done = UINT64_MAX, consumed = UINT64_MAX;

    for (int i = 0; i < node->nranks; i++) {
        if (i != node->me) { /* the caller's operation advances its own progress */
            const uint64_t d = hitop_node_done_by(node, i);
            const uint64_t c = LOAD_ACQUIRE(&node->members[i].consumed);
            done = d < done ? d : done;
            consumed = c < consumed ? c : consumed;
        }
    }
    /*
     * Known values may be old but never too large. `consumed` of a writer may lag behind: it does
     * not include its own message before it completes.
     */
    assert(done >= node->done_min);
    node->done_min = done;
    node->consumed_min = consumed > node->consumed_min ? consumed : node->consumed_min;
}

/* The leader of an operation: the first rank that asks. */

int hitop_node_claim(struct hitop_node *node)
{
    _Atomic uint64_t *word = &node->claims[node->seq % HITOP_NODE_SLOTS].word;
    uint64_t seen = LOAD_RELAXED(word);
    unsigned round = 0;

    /* the rank that claims may write: all have completed the operation that used the slot before */
    while (seen >> 16 != node->seq && !hitop_node_slot_is_free(node, HITOP_NODE_SLOTS)) {
        hitop_wait_relax(&node->wait, &round);
        seen = LOAD_RELAXED(word);
    }
    return seen >> 16 != node->seq && atomic_compare_exchange_strong_explicit(
                                          word, &seen, node->seq << 16 | (uint64_t)(node->me + 1),
                                          memory_order_acq_rel, memory_order_relaxed);
}

/*
 * The last rank to arrive at an operation.
 *
 * Idea:   Where all ranks post a block and one of them uses all blocks, the last rank to arrive is
 *         the only one that need not wait: the others post and complete. Ranks draw tickets from
 *         the word with which operations without a known writer are claimed; operations with a last
 *         rank are never claimed.
 * Source: Mellor-Crummey & Scott, Algorithms for scalable synchronization, TOCS 9 (1991), barriers
 *         with a counter.
 */

/* Below the number of the operation: the tickets drawn, or FOUND | the last rank. */
enum { FOUND = 0x8000, NUMBER = 0x7fff };

static _Atomic uint64_t *word_of(const struct hitop_node *node)
{
    return &node->claims[node->seq % HITOP_NODE_SLOTS].word;
}

int hitop_node_last(const struct hitop_node *node)
{
    const uint64_t word = LOAD_ACQUIRE(word_of(node));

    return word >> 16 == node->seq && word & FOUND ? (int)(word & NUMBER) : HITOP_NODE_LAST;
}

int hitop_node_comes_last(struct hitop_node *node)
{
    _Atomic uint64_t *word = word_of(node);
    uint64_t seen, next;

    /* all have completed the operation that used the word before */
    HITOP_WAIT_UNTIL(&node->wait, hitop_node_slot_is_free(node, HITOP_NODE_SLOTS));
    seen = LOAD_RELAXED(word);
    do {
        next = seen >> 16 == node->seq ? seen + 1 : node->seq << 16 | 1;
    } while (!atomic_compare_exchange_weak_explicit(word, &seen, next, memory_order_acq_rel,
                                                    memory_order_relaxed));
    if ((next & NUMBER) != (uint64_t)node->nranks) {
        return 0;
    }
    hitop_node_publish(node, word, node->seq << 16 | FOUND | (uint64_t)node->me);
    return 1;
}

void hitop_wait_state_note(struct hitop_node *node, uint64_t note)
{
    struct hitop_node_member *mine = &node->members[node->me];

    STORE_RELEASE(&mine->note, note);
    STORE_RELEASE(&mine->waits_in, node->seq);
}

/*
 * `done` is read last: a rank that has stored a note of a later operation has completed this one
 * before.
 */
enum hitop_wait_state hitop_wait_state_of(const struct hitop_node *node, int rank, uint64_t *note)
{
    const struct hitop_node_member *theirs = &node->members[rank];
    const uint64_t waits_in = LOAD_ACQUIRE(&theirs->waits_in);
    const uint64_t found = LOAD_ACQUIRE(&theirs->note);

    if (LOAD_ACQUIRE(&theirs->done) >= node->seq) {
        return HITOP_STATE_GONE;
    }
    if (waits_in != node->seq) {
        return HITOP_STATE_ABSENT;
    }
    *note = found;
    return HITOP_STATE_WAITS;
}

void hitop_wait_state_mark(struct hitop_node *node, uint64_t mark)
{
    _Atomic uint64_t *mine = &node->members[node->me].mark;

    if (LOAD_RELAXED(mine) != mark) {
        STORE_RELAXED(mine, mark);
    }
}

uint64_t hitop_wait_state_marked(const struct hitop_node *node, int rank)
{
    return LOAD_RELAXED(&node->members[rank].mark);
}
