/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * allgather.c - everybody gets a block from each.
 *
 * Idea:   each leaves its block in its lane, in steps where it is long, and copies those of the others out of theirs.
 *         Where a block is longer than that is worth, all copy straight from memory to memory.
 * Cost:   each byte is copied in once and out by each of the others, at the same time.
 */
#include <config.h>

#include "coll/node/direct.h"
#include "coll/node/hand.h"
#include "coll/node/lanes.h"

static int through_lanes(struct hitop_node *node, const void *mine, size_t bytes,
                         const struct hitop_node_blocks *to)
{
    const size_t step = hitop_lanes_step(node);
    struct hitop_lane_writer writer = {.total = 0};
    uint64_t longest = 0;
    int differs;

    if (bytes <= HITOP_LANE_LINED) {
        hitop_lane_put(node, mine, bytes, HITOP_LANE_ALL);
    } else {
        hitop_lane_open(node, &writer, bytes, hitop_lanes_window(node, bytes), HITOP_LANE_ALL);
        hitop_lanes_bring(node, &writer, mine, step);
    }
    differs = hitop_lanes_keep(node, mine, bytes, 0, to); /* meanwhile the others come */
    for (int r = 0; r < node->nranks; r++) {
        if (r != node->me) {
            differs |= hitop_lanes_begin(node, r, to, &longest);
        }
    }
    for (uint64_t at = 0; at < longest || writer.written < writer.total; at += step) {
        if (at > 0 && writer.written < writer.total) {
            hitop_lanes_bring(node, &writer, mine, step);
        }
        hitop_lanes_take(node, to, at);
    }
    return differs;
}

/* The length of the longest block; all processes know all lengths. */
static size_t longest_block(const struct hitop_node *node, const struct hitop_node_blocks *to)
{
    size_t longest = 0, bytes;

    for (int r = 0; r < node->nranks; r++) {
        (void)hitop_node_block(to, r, &bytes);
        longest = bytes > longest ? bytes : longest;
    }
    return longest;
}

int hitop_node_allgather(struct hitop_node *node, const void *mine, size_t bytes,
                         const struct hitop_node_blocks *to)
{
    const int is_direct =
        hitop_direct_suits(node, longest_block(node, to), node->thresholds->allgather_direct_from);
    int differs;

    if (is_direct && hitop_direct_exchange(node, mine, bytes, 0, 0, to)) {
        differs = hitop_lanes_keep(node, mine, bytes, 0, to);
    } else {
        differs = through_lanes(node, mine, bytes, to);
    }
    hitop_lane_leave_all(node);
    return differs;
}
