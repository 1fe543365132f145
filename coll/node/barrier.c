/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * barrier.c - nobody leaves before everybody has come.
 *
 * Idea:   where each process has a processor, each says in a line of its own that it has come and looks at the lines of
 *         the others: one hop of a cache line. It has two such lines, in turn, so that the next one is fetched for writing while the
 *         program computes. Where processes share processors, what costs is their turns, and a common counter is the least to
 *         look at.
 * Source: measured on an AMD EPYC, two processes that come at about one time, ns: 283 where they are far, 213 where they are near;
 *         with both words in one line, so that the second one to write has the word of the first, 323 and 213. One barrier
 *         after another 190 and 53, in one line 135 and 52 (bench/RESULTS.md).
 */
#include <config.h>

#include "coll/node/lanes.h"
#include "coll/node/operations.h"

/* Where `rank` says that it has come to this one. */
static _Atomic uint64_t *came(const struct hitop_node *node, int rank, uint64_t round)
{
    return &hitop_lane_of(node, rank)->came[round % 2].word;
}

void hitop_node_barrier(struct hitop_node *node)
{
    const uint64_t round = ++node->lanes.barriers;

    if (node->nranks <= node->thresholds->barrier_lines_to) {
        atomic_store_explicit(came(node, node->me, round), round, memory_order_release);
        hitop_wait_ring(&node->wait);
        for (int r = 0; r < node->nranks; r++) {
            if (r != node->me) {
                hitop_lane_await(node, came(node, r, round), round);
            }
        }
        hitop_node_fetch_to_write(came(node, node->me, round + 1));
    } else {
        _Atomic uint64_t *all = &hitop_lane_of(node, 0)->all;

        (void)atomic_fetch_add_explicit(all, 1, memory_order_acq_rel);
        hitop_wait_ring(&node->wait);
        hitop_lane_await(node, all, round * (uint64_t)node->nranks);
    }
    hitop_lane_leave_all(node);
}
