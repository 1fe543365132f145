/* SPDX-License-Identifier: BSD-3-Clause */
/* progress.c - how far the other processes are. */
#include <config.h>

#include "coll/node/node_inside.h"

#include <assert.h>

void hitop_node_look_around(struct hitop_node *node)
{
    uint64_t done = UINT64_MAX, consumed = UINT64_MAX;

    for (int i = 0; i < node->nranks; i++) {
        if (i != node->me) { /* our own progress is made by the operation that asks */
            const uint64_t d = hitop_node_left_by(node, i);
            const uint64_t c =
                atomic_load_explicit(&node->members[i].consumed, memory_order_acquire);
            done = d < done ? d : done;
            consumed = c < consumed ? c : consumed;
        }
    }
    /*
     * what was known may be old, but never too much; a writer has not said yet that it wants
     * nothing of its own message
     */
    assert(done >= node->done_min);
    node->done_min = done;
    node->consumed_min = consumed > node->consumed_min ? consumed : node->consumed_min;
}
