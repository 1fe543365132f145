/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * choose_mpi.c - rank 0 chooses, all ranks plan.
 *
 * Prices are floating-point numbers, which two ranks may round differently. So one of them compares, and what
 * travels is its choice: a way, and the tree that it built.
 */
#include <config.h>

#include "plans_mpi.h"

#include "../trees/tree_make.h"
#include "hitop/predict.h"
#include "hitop/sys/coll.h"
#include "hitop/sys/tree.h"

#include <stdlib.h>
#include <string.h>

/* The message of a choice: these numbers, then parents, then ranks in the order of service. */
enum { WAY, HAS_TREE, NUMBERS };

enum { NO_WAY = -1 };

/* What rank 0 chooses for. */
struct question {
    const struct plans *p;
    const struct choice_key *key;
    const struct hitop_coll_args *args;
};

/* Of the message, or of one block on average. */
static size_t bytes_of(const struct question *q)
{
    const struct hitop_coll_args *a = q->args;

    return a->starts ? a->starts[a->size] / (size_t)a->size : a->bytes;
}

/* The fastest way by prediction, or none. */
static struct hitop_way predict_fastest(const struct question *q)
{
    const struct hitop_operation *operation = &hitop_operations()[q->key->operation];
    const struct hitop_predict_args args = {.operation = operation->name,
                                            .size = q->p->size,
                                            .root = q->key->root,
                                            .bytes = bytes_of(q),
                                            .unit = q->key->unit,
                                            .ordered = q->key->ordered,
                                            .cost = &q->p->cost};
    double *seconds = calloc(hitop_way_count(operation) + 1, sizeof(*seconds));
    struct hitop_way way = {NULL, NULL};
    size_t fastest;

    if (seconds && hitop_predict_all(&args, seconds, &fastest, NULL) == HITOP_OK) {
        way = hitop_way_at(operation, fastest);
    }
    free(seconds);
    return way;
}

/* The tree of a way, NULL when there cannot be one. */
static struct hitop_tree *grow(const struct question *q, struct hitop_way way)
{
    struct hitop_tree_args args = {
        .size = q->p->size, .root = q->key->root, .bytes = bytes_of(q), .cost = &q->p->cost};
    struct hitop_tree *tree = NULL;
    size_t *counts = NULL;

    if (q->args->starts) {
        counts = malloc((size_t)args.size * sizeof(*counts));
        for (int r = 0; counts && r < args.size; r++) {
            counts[r] = hitop_block_bytes(q->args, r, 1);
        }
        args.counts = counts;
    }
    if (hitop_tree_build(way.tree->name, &args, NULL, &tree, NULL) != HITOP_OK) {
        tree = NULL;
    }
    free(counts);
    return tree;
}

/* Whether a way can do it, and its tree if it has one. */
static int serves(const struct question *q, struct hitop_way way, struct hitop_tree **tree)
{
    struct hitop_coll_args args = *q->args;

    *tree = way.type && way.tree ? grow(q, way) : NULL;
    if (!way.type || (way.tree && !*tree)) {
        return 0;
    }
    args.tree = *tree;
    if (hitop_coll_applies(way.type, &args, NULL) != HITOP_OK) {
        hitop_tree_free(*tree);
        *tree = NULL;
        return 0;
    }
    return 1;
}

/* Parents, and an order in which they stand before their children, these in the order of service. */
static void write_tree(const struct hitop_tree *tree, int *parent, int *order)
{
    const int n = hitop_tree_size(tree);
    int end = 1;

    order[0] = hitop_tree_root(tree);
    for (int i = 0; i < n; i++) {
        int count;
        const int *child = hitop_tree_children(tree, order[i], &count);
        parent[order[i]] = hitop_tree_parent(tree, order[i]);
        memcpy(&order[end], child, (size_t)count * sizeof(*child));
        end += count;
    }
}

/* Rank 0: the choice as a message. */
static void decide(const struct question *q, int *message)
{
    const int n = q->p->size;
    const struct hitop_operation *operation = &hitop_operations()[q->key->operation];
    struct hitop_way way = q->p->named.way[q->key->operation];
    struct hitop_tree *tree;
    int any = serves(q, way, &tree);

    if (!any) {
        way = predict_fastest(q);
        any = serves(q, way, &tree);
    }
    message[WAY] = NO_WAY;
    for (size_t i = 0; any && i < hitop_way_count(operation); i++) {
        const struct hitop_way other = hitop_way_at(operation, i);
        if (other.type == way.type && other.tree == way.tree) {
            message[WAY] = (int)i;
        }
    }
    message[HAS_TREE] = tree != NULL;
    if (tree) {
        write_tree(tree, message + NUMBERS, message + NUMBERS + n);
    }
    hitop_tree_free(tree);
}

/* The choice that a message tells. */
static const struct choice *take(struct plans *p, const struct choice_key *key, const int *message)
{
    struct choice choice = {.key = *key};

    if (message[WAY] != NO_WAY) {
        choice.way = hitop_way_at(&hitop_operations()[key->operation], (size_t)message[WAY]);
    }
    if (message[HAS_TREE] &&
        hitop_tree_make("choice", p->size, key->root, message + NUMBERS,
                        message + NUMBERS + p->size, &choice.tree, NULL) != HITOP_OK) {
        return NULL;
    }
    return cache_add_choice(&p->cache, &choice);
}

const struct choice *plans_choose(struct plans *p, const struct choice_key *key,
                                  const struct hitop_coll_args *args)
{
    const struct question q = {.p = p, .key = key, .args = args};
    const struct choice *choice = NULL;
    const int length = NUMBERS + 2 * p->size;
    int *message = calloc((size_t)length, sizeof(*message));

    if (message && p->rank == 0) {
        decide(&q, message);
    }
    if (message && PMPI_Bcast(message, length, MPI_INT, 0, p->wire) == MPI_SUCCESS) {
        choice = take(p, key, message);
    }
    free(message);
    if (!choice) {
        hitop_trouble_abort(p->wire, "no memory for a choice");
    }
    return choice;
}

const struct hitop_sched *plans_plan(struct plans *p, const struct choice *choice,
                                     const struct hitop_coll_args *args)
{
    const struct plan_key key = {.choice = choice,
                                 .bytes = args->bytes,
                                 .starts = args->starts,
                                 .recv_starts = args->recv_starts};
    const struct hitop_sched *found = cache_find_plan(&p->cache, &key);
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_sched *sched;
    enum hitop_status status;

    if (found) {
        return found;
    }
    status = hitop_coll_plan(choice->way.type->name, args, NULL, &sched, &diag);
    if (status == HITOP_ERR_UNSUPPORTED) {
        return NULL;
    }
    if (status == HITOP_OK) {
        found = cache_add_plan(&p->cache, &key, sched);
    }
    if (!found) {
        hitop_trouble_abort(p->wire, diag.message[0] ? diag.message : "no memory for a plan");
    }
    return found;
}
