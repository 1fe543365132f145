/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_NODE_LANES_STEPS_H
#define HITOP_NODE_LANES_STEPS_H

/* lanes_steps.h - long blocks through lanes, in steps of the same length in all of them. */

#include "coll/node/lanes.h"
#include "coll/node/operations.h"

/* Bytes of a step: owners write that much at a time. */
static inline size_t hitop_lanes_step(const struct hitop_node *node)
{
    const size_t step = node->thresholds->gather_step, most = node->lanes.ring_bytes / 4;

    return step < most ? step : most;
}

/* A window for a deposit in such steps. */
static inline size_t hitop_lanes_window(const struct hitop_node *node, size_t bytes)
{
    const size_t step = hitop_lanes_step(node);
    const size_t most = node->lanes.ring_bytes / 2 / step * step;

    return bytes < most ? bytes : most;
}

/* The next bytes of our deposit, which is `mine`, up to the end of a step and at most `most`. */
void hitop_lanes_bring(struct hitop_node *node, struct hitop_lane_writer *writer,
                       const unsigned char *mine, size_t most);

/* Our own block goes where it belongs, unless it, or the first `kept` bytes of it, are there. 1 when its lengths differ. */
static inline int hitop_lanes_keep(const struct hitop_node *node, const unsigned char *mine,
                                   size_t bytes, size_t kept, const struct hitop_node_blocks *to)
{
    size_t room;
    unsigned char *at = hitop_node_block(to, node->me, &room);
    const size_t end = bytes < room ? bytes : room;

    if (at != mine && end > kept) { /* otherwise there may be no address */
        memcpy(at + kept, mine + kept, end - kept);
    }
    return bytes != room;
}

/*
 * Wait for the deposit of `rank`, unless its block was handed over: take it when it lies in lines, else *longest becomes at
 * least its length. 1 when that is not the length of its block.
 */
int hitop_lanes_begin(struct hitop_node *node, int rank, const struct hitop_node_blocks *to,
                      uint64_t *longest);

/*
 * Wait for byte `at` of a staged deposit of `rank`, and take what is there from it on, up to `end` and in one place; what is
 * too long for `room` is skipped. Returns up to where.
 */
uint64_t hitop_lanes_take_some(struct hitop_node *node, int rank, struct hitop_lane_slot *slot,
                               uint64_t at, uint64_t end, unsigned char *block, size_t room);

/* Wait for the step that begins at `at` of all others' staged deposits and take it. */
void hitop_lanes_take(struct hitop_node *node, const struct hitop_node_blocks *to, uint64_t at);

#endif /* HITOP_NODE_LANES_STEPS_H */
