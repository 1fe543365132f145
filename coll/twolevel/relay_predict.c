/* SPDX-License-Identifier: BSD-3-Clause */
/* relay_predict.c - arrival times of all segments, node by node. */
#include <config.h>

#include "relay_predict.h"

#include <stdlib.h>

struct relay {
    const struct hitop_cost *cost;
    const struct hitop_tree *tree;
    size_t bytes, segment, nsegments;
    double *arrival; /* [nodes * nsegments] */
    int *queue;      /* [nodes] informed nodes whose children are still to be served */
};

static size_t segment_bytes(const struct relay *r, size_t k)
{
    const size_t offset = k * r->segment;

    return r->bytes - offset < r->segment ? r->bytes - offset : r->segment;
}

/* All sends of one node. */
static void serve_children(const struct relay *r, int node)
{
    const double *mine = &r->arrival[(size_t)node * r->nsegments];
    const struct hitop_cost *cost = r->cost;
    double port = 0;
    int nchildren;
    const int *child = hitop_tree_children(r->tree, node, &nchildren);

    for (size_t k = 0; k < r->nsegments; k++) {
        const size_t bytes = segment_bytes(r, k);
        for (int i = 0; i < nchildren; i++) {
            const double start = port > mine[k] ? port : mine[k];
            r->arrival[(size_t)child[i] * r->nsegments + k] =
                start + cost->p2p(cost->self, node, child[i], bytes);
            port = start + cost->occupancy(cost->self, node, child[i], bytes);
        }
    }
}

double hitop_relay_predict(const struct hitop_cost *cost, const struct hitop_tree *tree,
                           size_t bytes, size_t segment)
{
    const size_t size = (size_t)hitop_tree_size(tree);
    struct relay r = {.cost = cost,
                      .tree = tree,
                      .bytes = bytes,
                      .segment = segment,
                      .nsegments = (bytes + segment - 1) / segment};
    double last = -1;

    r.arrival = calloc(size * r.nsegments, sizeof(*r.arrival));
    r.queue = calloc(size, sizeof(*r.queue));
    if (r.arrival && r.queue) {
        int head = 0, tail = 0;
        r.queue[tail++] = hitop_tree_root(tree);
        while (head < tail) {
            const int node = r.queue[head++];
            const double done = r.arrival[((size_t)node + 1) * r.nsegments - 1];
            int nchildren;
            const int *child = hitop_tree_children(tree, node, &nchildren);
            last = done > last ? done : last;
            serve_children(&r, node);
            for (int i = 0; i < nchildren; i++) {
                r.queue[tail++] = child[i];
            }
        }
    }
    free(r.queue);
    free(r.arrival);
    return last;
}
