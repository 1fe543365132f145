/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * route_part.c - a tree over some of the nodes.
 *
 * The nodes keep the groups that they are in, so that a tree which crosses each dear link once does so here too: one
 * node of a far group is served, which serves the others.
 */
#include <config.h>

#include "coll/twolevel/route.h"

#include "hitop/sys/tree.h"

struct part {
    const struct hitop_cost *all;
    const int *nodes;
    int n;
};

static double part_p2p(const void *self, int from, int to, size_t bytes)
{
    const struct part *p = self;

    return p->all->p2p(p->all->self, p->nodes[from], p->nodes[to], bytes);
}

static double part_occupancy(const void *self, int from, int to, size_t bytes)
{
    const struct part *p = self;

    return p->all->occupancy(p->all->self, p->nodes[from], p->nodes[to], bytes);
}

/* Sets of more than one node keep their order behind the nodes' own. */
static int part_around(const void *self, int set)
{
    const struct part *p = self;
    const int beyond = p->all->nranks - p->n;
    const int up = p->all->around(p->all->self, set < p->n ? p->nodes[set] : set + beyond);

    return up < 0 ? -1 : up - beyond;
}

static int part_kind(const void *self, int node)
{
    const struct part *p = self;

    return p->all->kind(p->all->self, p->nodes[node]);
}

struct hitop_tree *hitop_route_part(struct hitop_route *route, unsigned algorithm, const int *nodes,
                                    int n, size_t bytes)
{
    const struct part part = {.all = hitop_route_cost(route), .nodes = nodes, .n = n};
    const struct hitop_cost cost = {.self = &part,
                                    .nranks = n,
                                    .p2p = part_p2p,
                                    .occupancy = part_occupancy,
                                    .around = part.all->around ? part_around : NULL,
                                    .nsets = part.all->nsets - part.all->nranks + n,
                                    .kind = part.all->kind ? part_kind : NULL,
                                    .grows = part.all->grows};
    const struct hitop_tree_args args = {.size = n, .root = 0, .bytes = bytes, .cost = &cost};
    struct hitop_tree *tree = NULL;

    if (hitop_tree_build(hitop_tree_builders()[algorithm]->name, &args, NULL, &tree, NULL) !=
        HITOP_OK) {
        return NULL;
    }
    return tree;
}

double hitop_route_latency(const struct hitop_route *route, int longest)
{
    const struct hitop_cost *cost = hitop_route_cost(route);
    double latency = 0;

    for (int node = 1; node < cost->nranks; node++) {
        const double seconds = cost->p2p(cost->self, 0, node, 8);
        if (node == 1 || (longest ? seconds > latency : seconds < latency)) {
            latency = seconds;
        }
    }
    return latency;
}
