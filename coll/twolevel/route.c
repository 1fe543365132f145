/* SPDX-License-Identifier: BSD-3-Clause */
/* route.c - predict the candidates once, remember the best. */
#include <config.h>

#include "coll/twolevel/route.h"

#include "coll/twolevel/relay_cost.h"

#include "hitop/sys/tree.h"

#include <stdlib.h>
#include <string.h>

enum {
    /* Shorter ones start the pipeline earlier; not so many of them that predictions take long. */
    SHORTEST_SEGMENT = 4 * 1024,
    MOST_SHORT_SEGMENTS = 64,
};

/* All that is known for one root and one class of sizes, from a power of two to the next. */
struct entry {
    struct entry *next;
    int log2_bytes;
    struct hitop_route_choice choice; /* the segment is 0 until it is set */
    struct hitop_tree **trees;        /* [nbuilders], built on demand */
};

struct hitop_route {
    struct hitop_model *model;
    struct hitop_cost model_cost; /* of the model */
    struct hitop_cost cost;       /* of the relay */
    size_t shortest;              /* segment worth a prediction */
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

const struct hitop_hierarchy *hitop_route_hierarchy(const struct hitop_route *route)
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

/* The fastest tree and segment for a message; the first tree where none can be predicted. */
static struct hitop_route_choice predict_all(struct hitop_route *route, int root, size_t bytes)
{
    struct hitop_route_choice best = {.segment = HITOP_ROUTE_SEGMENT};
    double best_seconds = -1;

    for (unsigned a = 0; a < route->nbuilders; a++) {
        struct hitop_route_choice choice = {.algorithm = a, .segment = HITOP_ROUTE_SEGMENT};
        if (best_seconds >= 0 && hitop_route_bound(route, a, root, bytes) >= best_seconds) {
            continue; /* as most trees of long messages */
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
