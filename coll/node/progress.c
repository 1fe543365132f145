/* SPDX-License-Identifier: BSD-3-Clause */
/* progress.c - how far the others are, in operations and in time; see distance.h. */
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

void hitop_distance_see(struct hitop_distance *distance, double ns)
{
    int nfar = 0, nvery = 0;

    distance->last[distance->looks++ % HITOP_DISTANCE_LOOKS] = ns;
    for (int i = 0; i < HITOP_DISTANCE_LOOKS; i++) {
        nfar += distance->last[i] >= HITOP_DISTANCE_FAR;
        nvery += distance->last[i] >= HITOP_DISTANCE_VERY_FAR;
    }
    distance->is_far = nfar > 1;       /* one may be an interruption */
    distance->is_very_far = nvery > 2; /* and so may two */
}

int hitop_distance_look(struct hitop_node *node)
{
    struct hitop_distance *d = &node->distance;
    const int others =
        node->nranks - 1 < HITOP_DISTANCE_OTHERS ? node->nranks - 1 : HITOP_DISTANCE_OTHERS;
    const int other = (int)(d->looks % (unsigned)others);
    const uint64_t before = d->found[other], since = hitop_wait_clock_alone();
    const uint64_t found = hitop_node_left_by(node, (node->me + 1 + other) % node->nranks);
    const double ns = (double)(hitop_wait_clock_alone() - since);

    if (found == before) {
        return 0;
    }
    hitop_distance_see(d, ns);
    hitop_wait_for_far(&node->wait, d->is_far);
    return 1;
}
