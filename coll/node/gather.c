/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gather.c - one process gets a block from each.
 *
 * Idea:   all but the root leave their block in their lane and are done; the root copies them out, the fragments of long
 *         ones in turns, so that all owners can go on filling.
 * Cost:   each byte is copied twice, the second time by the root.
 */
#include <config.h>

#include "lanes_take.h"

static void deposit(struct hitop_node *node, const unsigned char *mine, size_t bytes, int root)
{
    const size_t step = hitop_lanes_step(node);
    struct hitop_lane_writer writer;

    hitop_lane_open(node, &writer, bytes, hitop_lanes_window(node, bytes), root);
    while (writer.written < bytes) {
        const size_t rest = bytes - (size_t)writer.written;

        hitop_lane_write(node, &writer, mine + writer.written, rest < step ? rest : step);
    }
}

static int collect(struct hitop_node *node, const struct hitop_node_blocks *to)
{
    uint64_t longest = 0;
    int differs = 0;

    for (int r = 0; r < node->nranks; r++) {
        if (r != node->me) {
            differs |= hitop_lanes_begin(node, r, to, &longest);
        }
    }
    for (uint64_t at = 0; at < longest; at += hitop_lanes_step(node)) {
        hitop_lanes_take(node, to, at);
    }
    return differs;
}

int hitop_node_gather(struct hitop_node *node, const void *mine, size_t bytes,
                      const struct hitop_node_blocks *to, int root)
{
    int differs = 0;

    if (node->me == root) {
        differs = hitop_lanes_keep(node, mine, bytes, to) | collect(node, to);
    } else if (bytes <= HITOP_NODE_LINED) {
        hitop_lane_put(node, mine, bytes, root);
    } else {
        deposit(node, mine, bytes, root);
    }
    hitop_lane_leave(node);
    return differs;
}
