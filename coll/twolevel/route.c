/* SPDX-License-Identifier: BSD-3-Clause */
/* route.c - predict the candidates once, remember the best. */
#include <config.h>

#include "route.h"

#include "hitop/predict.h"
#include "hitop/sys/tree.h"

#include <stdlib.h>

/*
 * A message in flight between nodes is bounded by the largest segment, so that no rank needs more than a
 * few of them at a time; below the smallest one the cost of a message outweighs any overlap.
 */
static const size_t segments[] = {16u << 10, 64u << 10, 256u << 10, 1u << 20, 4u << 20};

enum {
    NSEGMENTS = sizeof(segments) / sizeof(segments[0]),
    MAX_STEPS = 1 << 16, /* of one prediction: bounds the time that a first call may take */
};

/* All that is known for one root and one class of sizes (a power of two). */
struct entry {
    struct entry *next;
    int root, log2_bytes;
    int chosen; /* 1 when `choice` is set */
    struct hitop_route_choice choice;
    struct hitop_tree **trees; /* [nbuilders], built on demand */
};

struct hitop_route {
    struct hitop_model *model;
    struct hitop_cost cost;
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
    route->cost = hitop_model_cost(model);
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
    e->root = root;
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

double hitop_route_predict(struct hitop_route *route, struct hitop_route_choice choice, int root,
                           size_t bytes)
{
    const double params[] = {(double)choice.segment};
    const struct hitop_predict_args args = {
        .operation = "bcast",
        .algorithm = hitop_tree_builders()[choice.algorithm]->name,
        .params = params,
        .size = hitop_model_nranks(route->model),
        .root = root,
        .bytes = bytes,
        .cost = &route->cost,
    };
    double seconds;

    return hitop_predict(&args, &seconds, NULL) == HITOP_OK ? seconds : -1;
}

static size_t plain_segment(size_t bytes)
{
    return bytes < segments[NSEGMENTS - 1] ? bytes : segments[NSEGMENTS - 1];
}

/* Whole messages first, so that equal predictions keep the simplest way. */
static struct hitop_route_choice predict_all(struct hitop_route *route, int root, size_t bytes)
{
    const size_t steps = 3 * (size_t)hitop_model_nranks(route->model);
    struct hitop_route_choice best = {.algorithm = 0, .segment = plain_segment(bytes)};
    double best_seconds = -1;

    for (int s = NSEGMENTS; s >= 0; s--) {
        const size_t segment = s == NSEGMENTS ? plain_segment(bytes) : segments[s];
        if ((s < NSEGMENTS && segment >= plain_segment(bytes)) ||
            (s < NSEGMENTS && bytes / segment > MAX_STEPS / steps)) {
            continue;
        }
        for (unsigned a = 0; a < route->nbuilders; a++) {
            const struct hitop_route_choice choice = {.algorithm = a, .segment = segment};
            const double seconds = hitop_route_predict(route, choice, root, bytes);
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
    struct hitop_route_choice choice = {.algorithm = 0, .segment = plain_segment(bytes)};
    size_t typical;

    if (!e) {
        return choice;
    }
    typical = (size_t)1 << e->log2_bytes;
    if (!e->chosen) {
        e->choice = predict_all(route, root, typical);
        e->chosen = 1;
    }
    choice.algorithm = e->choice.algorithm;
    if (e->choice.segment < plain_segment(typical)) {
        choice.segment = e->choice.segment;
    }
    return choice;
}
