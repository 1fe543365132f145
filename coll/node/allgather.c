/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * allgather.c - everybody gets a block from each.
 *
 * Idea:   each leaves its block in its lane, in steps where it is long, and copies those of the others out of theirs.
 * Cost:   each byte is copied in once and out by each of the others, at the same time.
 */
#include <config.h>

#include "lanes_take.h"

static void write_step(struct hitop_node *node, struct hitop_lane_writer *writer,
                       const unsigned char *mine)
{
    const size_t step = hitop_lanes_step(node);
    const size_t rest = (size_t)(writer->total - writer->written);

    hitop_lane_write(node, writer, mine + writer->written, rest < step ? rest : step);
}

int hitop_node_allgather(struct hitop_node *node, const void *mine, size_t bytes,
                         const struct hitop_node_blocks *to)
{
    struct hitop_lane_writer writer = {.total = 0};
    uint64_t longest = 0;
    int differs;

    if (bytes <= HITOP_NODE_LINED) {
        hitop_lane_put(node, mine, bytes, HITOP_LANE_ALL);
    } else {
        hitop_lane_open(node, &writer, bytes, hitop_lanes_window(node, bytes), HITOP_LANE_ALL);
    }
    differs = hitop_lanes_keep(node, mine, bytes, to);
    for (int r = 0; r < node->nranks; r++) {
        if (r != node->me) {
            differs |= hitop_lanes_begin(node, r, to, &longest);
        }
    }
    for (uint64_t at = 0; at < longest || writer.written < writer.total;
         at += hitop_lanes_step(node)) {
        if (writer.written < writer.total) {
            write_step(node, &writer, mine);
        }
        hitop_lanes_take(node, to, at);
    }
    hitop_lane_leave_all(node);
    return differs;
}
