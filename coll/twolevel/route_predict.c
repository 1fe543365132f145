/* SPDX-License-Identifier: BSD-3-Clause */
/* route_predict.c - what a way between nodes takes. */
#include <config.h>

#include "coll/twolevel/relay_predict.h"
#include "coll/twolevel/route.h"

#include <stdlib.h>

/* Messages that one prediction may simulate: bounds the time that a first call takes. */
enum { MAX_MESSAGES = 1 << 16 };

/*
 * Time until the last bytes, in segments, have crossed the busiest link into or out of a group, when all messages that cross
 * it share it: one link, or as many as its capacity says. The prediction of the relay lets different senders use one link at
 * the same time; this does not.
 */
static double crossing_time(const struct hitop_route *route, const struct hitop_tree *tree,
                            size_t bytes, size_t segment)
{
    const struct hitop_hierarchy *h = hitop_route_hierarchy(route);
    const struct hitop_cost *cost = hitop_route_cost(route);
    const int nranks = hitop_hierarchy_nranks(h);
    const size_t part = bytes < segment ? bytes : segment;
    const double nparts = part > 0 ? (double)bytes / (double)part : 0;
    double *busy = calloc(2 * (size_t)hitop_hierarchy_nnodes(h), sizeof(*busy)); /* out, in */
    double longest = 0;

    for (int to = 0; busy && to < nranks; to++) {
        const int from = hitop_tree_parent(tree, to);
        const int meet = from == HITOP_NO_RANK ? HITOP_NO_NODE : hitop_hierarchy_lca(h, from, to);
        double latency, transfer;

        if (meet == HITOP_NO_NODE) {
            continue;
        }
        latency = cost->p2p(cost->self, from, to, 0);
        transfer = nparts * (cost->p2p(cost->self, from, to, part) - latency);
        for (int in = 0; in < 2; in++) {
            for (int node = in ? to : from; node != meet; node = hitop_hierarchy_parent(h, node)) {
                const double capacity = hitop_hierarchy_capacity(h, node);
                double *sum = &busy[2 * node + in];
                *sum += capacity > 0 ? transfer / capacity : transfer;
                longest = latency + *sum > longest ? latency + *sum : longest;
            }
        }
    }
    free(busy);
    return longest;
}

double hitop_route_bound(struct hitop_route *route, unsigned algorithm, int root, size_t bytes)
{
    const struct hitop_tree *tree = hitop_route_tree(route, algorithm, root, bytes);

    return tree ? crossing_time(route, tree, bytes, HITOP_ROUTE_SEGMENT) : 0;
}

double hitop_route_predict(struct hitop_route *route, struct hitop_route_choice choice, int root,
                           size_t bytes)
{
    const struct hitop_tree *tree = hitop_route_tree(route, choice.algorithm, root, bytes);
    const size_t messages = (bytes / choice.segment + 1) * (size_t)hitop_route_cost(route)->nranks;
    const size_t parts = messages / MAX_MESSAGES + 1;
    double seconds, shared;

    if (!tree) {
        return -1;
    }
    /* a very long stream: fewer, larger segments have the same rate */
    seconds = hitop_relay_predict(hitop_route_cost(route), tree, bytes, choice.segment * parts);
    shared = crossing_time(route, tree, bytes, choice.segment);
    return seconds >= 0 && seconds < shared ? shared : seconds;
}

/* Few models say what a message takes of a processor: a part of the shortest latency. */
double hitop_route_cutting(struct hitop_route *route, struct hitop_route_choice choice, int root,
                           size_t bytes)
{
    const struct hitop_tree *tree = hitop_route_tree(route, choice.algorithm, root, bytes);
    const struct hitop_cost *cost = hitop_route_cost(route);
    const double own = hitop_route_latency(route, 0) / 8;
    int most = 0;

    if (cost->nranks > 1 && cost->occupancy(cost->self, 0, 1, 0) > 0) {
        return 0;
    }
    for (int node = 0; tree && node < hitop_tree_size(tree); node++) {
        int n;
        (void)hitop_tree_children(tree, node, &n);
        most = n > most ? n : most;
    }
    return own * most * (double)((bytes - 1) / choice.segment);
}
