/* SPDX-License-Identifier: BSD-3-Clause */
/* lanes_lines.c - short deposits: lines that each say whether they are there. */
#include <config.h>

#include "coll/node/lanes.h"

static void fill_lines(struct hitop_lane_slot *slot, uint64_t seq, const unsigned char *data,
                       size_t bytes)
{
    slot->u.lined.total = bytes;
    memcpy(slot->u.lined.data, data, HITOP_LANE_FIRST);
    atomic_store_explicit(&slot->tag, seq << TAG_SHIFT | LINED, memory_order_release);
    data += HITOP_LANE_FIRST;
    bytes -= HITOP_LANE_FIRST;
    for (size_t i = 0, n; bytes > 0; i++, data += n, bytes -= n) {
        n = bytes < FLAGGED ? bytes : FLAGGED;
        if (n == FLAGGED) {
            memcpy(slot->line[i].data, data, FLAGGED); /* a constant length copies faster */
        } else {
            memcpy(slot->line[i].data, data, n);
        }
        atomic_store_explicit(&slot->line[i].seq, seq, memory_order_release);
    }
}

void hitop_lane_fill_slot(struct hitop_node *node, struct hitop_lane_slot *slot,
                          const unsigned char *data, size_t bytes)
{
    if (bytes <= FLAGGED) {
        if (bytes > 0) { /* with nothing there may be no address */
            hitop_node_copy_few(slot->u.data, data, bytes);
        }
        atomic_store_explicit(&slot->tag, node->seq << TAG_SHIFT | bytes, memory_order_release);
    } else {
        fill_lines(slot, node->seq, data, bytes);
    }
    hitop_wait_ring(&node->wait);
}

void hitop_lane_get(struct hitop_node *node, struct hitop_lane_slot *slot, size_t from,
                    void *buffer, size_t bytes)
{
    unsigned char *to = buffer;
    size_t line;

    if ((atomic_load_explicit(&slot->tag, memory_order_relaxed) & KIND) <= FLAGGED) {
        if (bytes > 0) {
            hitop_node_copy_few(to, slot->u.data + from, bytes);
        }
        return;
    }
    if (from < HITOP_LANE_FIRST) {
        const size_t n = HITOP_LANE_FIRST - from < bytes ? HITOP_LANE_FIRST - from : bytes;

        memcpy(to, slot->u.lined.data + from, n);
        to += n;
        from += n;
        bytes -= n;
    }
    line = (from - HITOP_LANE_FIRST) / FLAGGED;
    from = (from - HITOP_LANE_FIRST) % FLAGGED;
    for (; bytes > 0; line++, from = 0) {
        const size_t n = FLAGGED - from < bytes ? FLAGGED - from : bytes;

        hitop_lane_await(node, &slot->line[line].seq, node->seq);
        memcpy(to, slot->line[line].data + from, n);
        to += n;
        bytes -= n;
    }
}
