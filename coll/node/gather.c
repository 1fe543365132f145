/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gather.c - one rank gets a block from each.
 *
 * Idea:   All ranks except the root post their block in their outbox and complete. The root copies
 *         the blocks; of long ones it copies one step of each in turn, so that all owners can go on
 *         writing. The owner of a block that does not fit into its outbox would have to wait anyway
 *         and uses a CMA rendezvous, in which the root copies as well (cma_rendezvous.h). With two
 *         ranks a short block is a message (two_ranks.h).
 * Cost:   each byte is copied twice, the second time by the root; the longest blocks once, by both.
 */
#include <config.h>

#include "coll/node/cma_rendezvous.h"
#include "coll/node/layout.h"
#include "coll/node/outbox.h"
#include "coll/node/two_ranks.h"

enum { KEPT_AT_ONCE = 32 * 1024 }; /* bytes between two checks for blocks of others */

static void post_operand(struct hitop_node *node, const unsigned char *mine, size_t bytes, int root)
{
    const size_t piece = hitop_node_piece(node, bytes, hitop_outboxes_step(node));
    struct hitop_outbox_writer writer;

    hitop_outbox_open(node, &writer, bytes, hitop_outboxes_window(node, bytes), root);
    while (writer.written < bytes) {
        hitop_outboxes_bring(node, &writer, mine, piece);
    }
}

/* Offer the block by a CMA rendezvous: 1 if the root has it. */
static int offer(struct hitop_node *node, const void *mine, size_t bytes, int root)
{
    struct hitop_outbox_slot *slot = hitop_outbox_slot_of(node, node->me);

    (void)hitop_outbox_reserve(node, 0, root);
    hitop_cma_offer(node, slot, mine, bytes, node->thresholds->rendezvous_chunk, NULL);
    return hitop_rendezvous_finish(node, slot, root, HITOP_RENDEZVOUS_OWNER) ==
           HITOP_RENDEZVOUS_DONE;
}

/* Wait for all ranks and accept the rendezvous, whose owners begin to copy: 1 if there are any. */
static int accept_all(struct hitop_node *node, const struct hitop_node_blocks *to)
{
    int n = 0;

    for (int r = 0; r < node->nranks; r++) {
        struct hitop_outbox_slot *slot = hitop_outbox_slot_of(node, r);
        const struct hitop_node_block block = hitop_node_block(to, r);

        if (r != node->me && hitop_outbox_kind(node, slot) == BY_CMA) {
            hitop_rendezvous_accept(node, slot, slot->cma.total == block.bytes ? block.at : NULL);
            n++;
        }
    }
    return n > 0;
}

/*
 * A gather of two ranks whose other block is a message: 1 if it is; *differs becomes 1 if it has
 * another length.
 */
static int take_message(struct hitop_node *node, const struct hitop_node_blocks *to, int *differs)
{
    const struct hitop_node_block block = hitop_node_block(to, 1 - node->me);
    const size_t length =
        hitop_two_ranks_read(node, &hitop_outbox_slot_of(node, 1 - node->me)->tag,
                             hitop_two_ranks_block(node), block.bytes, block.at, block.bytes);

    *differs |= length != SIZE_MAX && length != block.bytes;
    return length != SIZE_MAX;
}

/* Has any other rank published a block? */
static int another_came(const struct hitop_node *node)
{
    for (int r = 0; r < node->nranks; r++) {
        if (r != node->me && hitop_node_tag(node, &hitop_outbox_slot_of(node, r)->tag) != 0) {
            return 1;
        }
    }
    return node->nranks == 2 && hitop_node_is_published(node);
}

/*
 * Until a block of another rank arrives, copy the own block; returns the number of its first bytes
 * that are copied.
 */
static size_t copy_meanwhile(struct hitop_node *node, struct hitop_node_block own,
                             const unsigned char *mine, size_t bytes)
{
    const size_t end = bytes < own.bytes ? bytes : own.bytes;
    size_t kept = 0;

    while (own.at != mine && kept + KEPT_AT_ONCE <= end && !another_came(node)) {
        memcpy(own.at + kept, mine + kept, KEPT_AT_ONCE);
        kept += KEPT_AT_ONCE;
        hitop_wait_progress(&node->wait);
    }
    return kept;
}

static int collect(struct hitop_node *node, const unsigned char *mine, size_t bytes,
                   const struct hitop_node_blocks *to)
{
    /* owners of rendezvous blocks wait for the root, so their blocks come before the own one */
    const int answers = hitop_rendezvous_suits(node, bytes, node->thresholds->gather_cma_from);
    struct hitop_node_block own = hitop_node_block(to, node->me);
    const size_t kept = answers ? copy_meanwhile(node, own, mine, bytes) : 0;
    uint64_t longest = 0;
    int differs = answers ? 0 : hitop_node_copy_own(own, mine, bytes), accepted;

    own.at += kept;
    own.bytes -= kept;
    if (node->nranks == 2 && take_message(node, to, &differs)) {
        return answers ? differs | hitop_node_copy_own(own, mine + kept, bytes - kept) : differs;
    }
    accepted = accept_all(node, to);
    if (answers) {
        differs |= hitop_node_copy_own(own, mine + kept, bytes - kept);
    }
    if (accepted) {
        hitop_rendezvous_finish_all(node, HITOP_RENDEZVOUS_READER);
    }
    for (int r = 0; r < node->nranks; r++) {
        if (r != node->me) {
            differs |= hitop_outboxes_begin(node, r, to, &longest);
        }
    }
    for (uint64_t at = 0; at < longest; at += hitop_outboxes_step(node)) {
        hitop_outboxes_take(node, to, at);
    }
    hitop_outbox_complete_all(node);
    return differs;
}

/* The length of the block of `rank`, where `bytes` are expected. */
static size_t length_of(struct hitop_node *node, int rank, size_t bytes)
{
    struct hitop_outbox_slot *slot = hitop_outbox_slot_of(node, rank);
    const size_t message =
        node->nranks == 2
            ? hitop_two_ranks_length(node, &slot->tag, hitop_two_ranks_block(node), bytes)
            : SIZE_MAX;

    return message != SIZE_MAX ? message : (size_t)hitop_outbox_length(node, slot);
}

void hitop_node_lengths(struct hitop_node *node, size_t bytes, size_t *starts)
{
    starts[0] = 0;
    for (int r = 0; r < node->nranks; r++) {
        starts[r + 1] = starts[r] + (r == node->me ? bytes : length_of(node, r, bytes));
    }
}

int hitop_node_gather(struct hitop_node *node, const void *mine, size_t bytes,
                      const struct hitop_node_blocks *to, int root)
{
    if (node->me == root) {
        return collect(node, mine, bytes, to);
    }
    if (hitop_two_ranks_suits(node, bytes, hitop_two_ranks_block(node))) {
        hitop_node_post_copy(node, mine, bytes, 0);
        return 0;
    }
    if (bytes <= HITOP_OUTBOX_LINED) {
        hitop_outbox_post(node, mine, bytes, root);
    } else if (root < 0 ||
               !hitop_rendezvous_suits(node, bytes, node->thresholds->gather_cma_from) ||
               !offer(node, mine, bytes, root)) {
        post_operand(node, mine, bytes, root);
    }
    hitop_outbox_complete(node);
    return 0;
}
