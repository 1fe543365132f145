/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * barrier.c - nobody leaves before everybody has come.
 *
 * Idea:   where each process has a processor, each says in a line of its own that it has come and looks at the lines of
 *         the others: one hop of a cache line. Where processes share processors, what costs is their turns, and a
 *         common counter is the least to look at.
 */
#include <config.h>

#include "lanes.h"
#include "operations.h"

void hitop_node_barrier(struct hitop_node *node)
{
    const uint64_t round = ++node->lanes.barriers;

    if (node->nranks <= node->thresholds->barrier_lines_to) {
        atomic_store_explicit(&hitop_lane_of(node, node->me)->came, round, memory_order_release);
        hitop_wait_ring(&node->wait);
        for (int r = 0; r < node->nranks; r++) {
            if (r != node->me) {
                hitop_lane_await(node, &hitop_lane_of(node, r)->came, round);
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
