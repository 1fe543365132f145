/* SPDX-License-Identifier: BSD-3-Clause */
/* route.c - predict the candidates once, remember the best. */
#include <config.h>

#include "route.h"

#include "relay_predict.h"

#include "hitop/sys/tree.h"

#include <stdlib.h>
#include <string.h>

enum {
    /* Below the eager limit of common transports (64 KiB with TCP), so that a segment leaves without
     * asking the receiver first; large enough that its own cost hardly counts. */
    SEGMENT = 32 * 1024,
    /* Messages that one prediction may simulate: bounds the time that a first call takes. */
    MAX_MESSAGES = 1 << 16,
};

/* All that is known for one root and one class of sizes (a power of two). */
struct entry {
    struct entry *next;
    int log2_bytes;
    int chosen; /* 1 when `algorithm` is set */
    unsigned algorithm;
    struct hitop_tree **trees; /* [nbuilders], built on demand */
};

struct hitop_route {
    struct hitop_model *model;
    struct hitop_cost model_cost; /* of the model */
    struct hitop_cost cost;       /* of the relay: see relay_occupancy() */
    unsigned nbuilders;
    struct entry **buckets; /* [nnodes], by root */
};

static double relay_p2p(const void *self, int from, int to, size_t bytes)
{
    const struct hitop_route *route = self;

    return route->model_cost.p2p(route->model_cost.self, from, to, bytes);
}

/*
 * Leaders send without blocking: while one message is under way the next one leaves. What keeps a sender
 * is putting the bytes on the line, not the latency; a model that knows better says so.
 */
static double relay_occupancy(const void *self, int from, int to, size_t bytes)
{
    const struct hitop_route *route = self;
    const struct hitop_cost *cost = &route->model_cost;
    const double transfer =
        cost->p2p(cost->self, from, to, bytes) - cost->p2p(cost->self, from, to, 0);
    const double known = cost->occupancy(cost->self, from, to, bytes);

    return known < transfer ? known : transfer;
}

static int relay_around(const void *self, int set)
{
    const struct hitop_route *route = self;

    return route->model_cost.around(route->model_cost.self, set);
}

static int relay_kind(const void *self, int rank)
{
    const struct hitop_route *route = self;

    return route->model_cost.kind(route->model_cost.self, rank);
}

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
    route->model_cost = hitop_model_cost(model);
    route->cost = (struct hitop_cost){.self = route,
                                      .nranks = route->model_cost.nranks,
                                      .p2p = relay_p2p,
                                      .occupancy = relay_occupancy,
                                      .around = route->model_cost.around ? relay_around : NULL,
                                      .nsets = route->model_cost.nsets,
                                      .kind = route->model_cost.kind ? relay_kind : NULL,
                                      .grows = route->model_cost.grows};
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
                                             .bytes = (size_t)1 << e->log2_bytes,
                                             .cost = &route->cost};
        if (hitop_tree_build(hitop_tree_builders()[algorithm]->name, &args, NULL,
                             &e->trees[algorithm], NULL) != HITOP_OK) {
            return NULL;
        }
    }
    return e->trees[algorithm];
}

/*
 * Time until the last bytes are through the busiest way in or out of a group, when all messages that
 * cross it share it: one line, or as many as its capacity says. The prediction of the relay lets different
 * senders use one line at the same time; this does not.
 */
static double crossing_time(struct hitop_route *route, const struct hitop_tree *tree, size_t bytes)
{
    const struct hitop_hierarchy *h = hitop_model_hierarchy(route->model);
    const int nranks = hitop_hierarchy_nranks(h);
    double *busy = calloc(2 * (size_t)hitop_hierarchy_nnodes(h), sizeof(*busy)); /* out, in */
    double longest = 0;

    for (int to = 0; busy && to < nranks; to++) {
        const int from = hitop_tree_parent(tree, to);
        const int meet = from == HITOP_NO_RANK ? HITOP_NO_NODE : hitop_hierarchy_lca(h, from, to);
        double latency, transfer;

        if (meet == HITOP_NO_NODE) {
            continue;
        }
        latency = relay_p2p(route, from, to, 0);
        transfer = relay_p2p(route, from, to, bytes) - latency;
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

double hitop_route_predict(struct hitop_route *route, struct hitop_route_choice choice, int root,
                           size_t bytes)
{
    const struct hitop_tree *tree = hitop_route_tree(route, choice.algorithm, root, bytes);
    const size_t messages = (bytes / choice.segment + 1) * (size_t)hitop_model_nranks(route->model);
    const size_t parts = messages / MAX_MESSAGES + 1;
    double seconds, shared;

    if (!tree) {
        return -1;
    }
    /* a very long stream: fewer, larger segments have the same rate */
    seconds = hitop_relay_predict(&route->cost, tree, bytes, choice.segment * parts);
    shared = crossing_time(route, tree, bytes);
    return seconds >= 0 && seconds < shared ? shared : seconds;
}

/* The fastest tree for a message; the first one where none can be predicted. */
static unsigned predict_all(struct hitop_route *route, int root, size_t bytes)
{
    unsigned best = 0;
    double best_seconds = -1;

    for (unsigned a = 0; a < route->nbuilders; a++) {
        const struct hitop_route_choice choice = {.algorithm = a, .segment = SEGMENT};
        const double seconds = hitop_route_predict(route, choice, root, bytes);
        if (seconds >= 0 && (best_seconds < 0 || seconds < best_seconds)) {
            best_seconds = seconds;
            best = a;
        }
    }
    return best;
}

struct hitop_route_choice hitop_route_choose(struct hitop_route *route, int root, size_t bytes)
{
    struct entry *e = find_entry(route, root, bytes);

    if (e && !e->chosen) {
        e->algorithm = predict_all(route, root, (size_t)1 << e->log2_bytes);
        e->chosen = 1;
    }
    return (struct hitop_route_choice){.algorithm = e ? e->algorithm : 0, .segment = SEGMENT};
}
