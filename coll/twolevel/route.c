/* SPDX-License-Identifier: BSD-3-Clause */
/* route.c - predict the candidates once, cache the best. */
#include <config.h>

#include "coll/twolevel/route.h"

#include "coll/twolevel/relay_predict.h"
#include "hitop/sys/tree.h"

#include <stdlib.h>
#include <string.h>

enum {
    /* Shorter segments start the pipeline earlier; the limits bound the time of predictions. */
    SHORTEST_SEGMENT = 4 * 1024,
    MOST_SHORT_SEGMENTS = 64,
};

/* Cached results for one root and one class of sizes, from a power of two to the next. */
struct entry {
    struct entry *next;
    int log2_bytes;
    struct hitop_route_choice choice; /* segment 0: not chosen yet */
    struct hitop_tree **trees;        /* [nbuilders], built on demand */
};

struct hitop_route {
    struct hitop_model *model;
    struct hitop_cost model_cost; /* of the model */
    struct hitop_cost cost;       /* of the relay */
    size_t shortest;              /* shortest segment that is predicted */
    unsigned nbuilders;
    struct entry **buckets; /* [nnodes], by root */
};

enum hitop_status hitop_route_create(struct hitop_model *model, struct hitop_route **out,
                                     struct hitop_diag *diag)
{
    struct hitop_route *route = calloc(1, sizeof(*route));

    *out = NULL;
    if (!route) {
        hitop_model_free(model);
        return hitop_fail(diag, HITOP_ERR_NOMEM, "out of memory");
    }
    route->model = model;
    route->shortest = HITOP_ROUTE_SEGMENT;
    route->model_cost = hitop_model_cost(model);
    route->cost = hitop_relay_cost(&route->model_cost);
    while (hitop_tree_builders()[route->nbuilders]) {
        route->nbuilders++;
    }
    route->buckets = calloc((size_t)hitop_model_nranks(model), sizeof(*route->buckets));
    if (!route->buckets) {
        hitop_route_free(route);
        return hitop_fail(diag, HITOP_ERR_NOMEM, "out of memory");
    }
    *out = route;
    return HITOP_OK;
}

void hitop_route_free(struct hitop_route *route)
{
    if (!route) {
        return;
    }
    for (int root = 0; route->buckets && root < hitop_model_nranks(route->model); root++) {
        struct entry *e = route->buckets[root];
        while (e) {
            struct entry *next = e->next;
            for (unsigned a = 0; a < route->nbuilders; a++) {
                hitop_tree_free(e->trees[a]);
            }
            free(e->trees);
            free(e);
            e = next;
        }
    }
    free(route->buckets);
    hitop_model_free(route->model);
    free(route);
}

/* The hierarchy of the model, which the route owns. */
static const struct hitop_hierarchy *hitop_route_hierarchy(const struct hitop_route *route)
{
    return hitop_model_hierarchy(route->model);
}

void hitop_route_trust(struct hitop_route *route)
{
    route->shortest = SHORTEST_SEGMENT;
}

int hitop_route_is_trusted(const struct hitop_route *route)
{
    return route->shortest < HITOP_ROUTE_SEGMENT;
}

void hitop_route_copies(struct hitop_route *route)
{
    hitop_relay_cost_copies(&route->cost);
}

const struct hitop_cost *hitop_route_cost(const struct hitop_route *route)
{
    return &route->cost;
}

unsigned hitop_route_named(const char *builder)
{
    unsigned i = 0;

    while (strcmp(hitop_tree_builders()[i]->name, builder) != 0) {
        i++;
    }
    return i;
}

static int log2_floor(size_t bytes)
{
    int n = 0;

    while (bytes >>= 1) {
        n++;
    }
    return n;
}

/* A size in the middle of a class. */
static size_t size_of_class(int log2_bytes)
{
    return ((size_t)3 << log2_bytes) / 2;
}

static struct entry *find_entry(struct hitop_route *route, int root, size_t bytes)
{
    const int log2_bytes = log2_floor(bytes);
    struct entry *e = route->buckets[root];

    while (e && e->log2_bytes != log2_bytes) {
        e = e->next;
    }
    if (e) {
        return e;
    }
    e = calloc(1, sizeof(*e));
    if (!e) {
        return NULL;
    }
    e->trees = calloc(route->nbuilders, sizeof(struct hitop_tree *));
    if (!e->trees) {
        free(e);
        return NULL;
    }
    e->log2_bytes = log2_bytes;
    e->next = route->buckets[root];
    route->buckets[root] = e;
    return e;
}

const struct hitop_tree *hitop_route_tree(struct hitop_route *route, unsigned algorithm, int root,
                                          size_t bytes)
{
    struct entry *e = find_entry(route, root, bytes);

    if (!e || algorithm >= route->nbuilders) {
        return NULL;
    }
    if (!e->trees[algorithm]) {
        const struct hitop_tree_args args = {.size = hitop_model_nranks(route->model),
                                             .root = root,
                                             .bytes = size_of_class(e->log2_bytes),
                                             .cost = &route->cost};
        if (hitop_tree_build(hitop_tree_builders()[algorithm]->name, &args, NULL,
                             &e->trees[algorithm], NULL) != HITOP_OK) {
            return NULL;
        }
    }
    return e->trees[algorithm];
}

/* The fastest tree and segment for a message; the first tree if none can be predicted. */
static struct hitop_route_choice predict_all(struct hitop_route *route, int root, size_t bytes)
{
    struct hitop_route_choice best = {.segment = HITOP_ROUTE_SEGMENT};
    double best_seconds = -1;

    for (unsigned a = 0; a < route->nbuilders; a++) {
        struct hitop_route_choice choice = {.algorithm = a, .segment = HITOP_ROUTE_SEGMENT};
        if (best_seconds >= 0 && hitop_route_bound(route, a, root, bytes) >= best_seconds) {
            continue; /* cannot be faster; true of most trees for long messages */
        }
        for (; choice.segment >= route->shortest; choice.segment /= 2) {
            double seconds;
            if (choice.segment < HITOP_ROUTE_SEGMENT &&
                (choice.segment >= bytes || bytes / choice.segment > MOST_SHORT_SEGMENTS)) {
                continue;
            }
            seconds = hitop_route_predict(route, choice, root, bytes);
            if (seconds >= 0) {
                seconds += hitop_route_cutting(route, choice, root, bytes);
            }
            if (seconds >= 0 && (best_seconds < 0 || seconds < best_seconds)) {
                best_seconds = seconds;
                best = choice;
            }
        }
    }
    return best;
}

struct hitop_route_choice hitop_route_choose(struct hitop_route *route, int root, size_t bytes)
{
    struct entry *e = find_entry(route, root, bytes);

    if (e && e->choice.segment == 0) {
        e->choice = predict_all(route, root, size_of_class(e->log2_bytes));
    }
    return e ? e->choice : (struct hitop_route_choice){.segment = HITOP_ROUTE_SEGMENT};
}

/*
 * A tree over some of the nodes.
 *
 * The nodes keep their groups, so that a tree that crosses each slow link once also does so here:
 * the root serves one node of a remote group, which serves the others.
 */

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

/* Sets of more than one node follow the nodes, in the same order as before. */
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

/* Most messages that one prediction simulates; bounds the time of a first call. */
enum { MAX_MESSAGES = 1 << 16 };

/*
 * Time until the last segment has crossed the busiest link into or out of a group, when all
 * messages that cross the link share it; its capacity says how many it carries at once. The
 * prediction of the relay lets different senders use one link at the same time; this does not.
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
    /* a very long message: fewer, larger segments have the same rate */
    seconds = hitop_relay_predict(hitop_route_cost(route), tree, bytes, choice.segment * parts);
    shared = crossing_time(route, tree, bytes, choice.segment);
    return seconds >= 0 && seconds < shared ? shared : seconds;
}

/* Few models have the processor's time for a message: use a fraction of the shortest latency. */
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

static int list_below(const struct hitop_tree *tree, int top, const int *rank,
                      struct hitop_branch *out)
{
    int nchildren, n = 0;
    const int *children = hitop_tree_children(tree, top, &nchildren);

    for (int i = 0; i < nchildren; i++) {
        struct hitop_branch *entry = &out[n++];
        entry->rank = rank[children[i]];
        entry->below = list_below(tree, children[i], rank, out + n);
        n += entry->below;
    }
    return n;
}

int hitop_branch_list(const struct hitop_tree *tree, const int *rank, struct hitop_branch *out)
{
    return list_below(tree, hitop_tree_root(tree), rank, out);
}
