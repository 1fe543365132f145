/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * barrier.c - nobody leaves before everybody has come.
 *
 * Idea:   where each process has a processor, each says in a line of its own that it has come and looks at the lines of
 *         the others: one hop of a cache line. Two say it in the same line, so that the second one to write there has it with
 *         the word of the first. Where processes share processors, what costs is their turns, and a common counter is the
 *         least to look at.
 * Source: measured on an AMD EPYC, two processes, ns: lines of their own 295 where they are far and 95 where they are near, one
 *         line 236 and 85, looked at half as often 156 and 95; one barrier after another 226 and 65, 192 and 60, 176 and 101
 *         (bench/RESULTS.md).
 */
#include <config.h>

#include "lanes.h"
#include "operations.h"

/* Where `rank` says that it has come. */
static _Atomic uint64_t *came(const struct hitop_node *node, int rank)
{
    return node->nranks == 2 ? &hitop_lane_of(node, 0)->came[rank]
                             : &hitop_lane_of(node, rank)->came[0];
}

void hitop_node_barrier(struct hitop_node *node)
{
    const uint64_t round = ++node->lanes.barriers;

    if (node->nranks <= node->thresholds->barrier_lines_to) {
        atomic_store_explicit(came(node, node->me), round, memory_order_release);
        hitop_wait_ring(&node->wait);
        for (int r = 0; r < node->nranks; r++) {
            if (r != node->me) {
                hitop_lane_await(node, came(node, r), round);
            }
        }
    } else {
        _Atomic uint64_t *all = &hitop_lane_of(node, 0)->all;

        (void)atomic_fetch_add_explicit(all, 1, memory_order_acq_rel);
        hitop_wait_ring(&node->wait);
        hitop_lane_await(node, all, round * (uint64_t)node->nranks);
    }
    hitop_lane_leave_all(node);
}
