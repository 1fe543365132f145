/* SPDX-License-Identifier: BSD-3-Clause */
/* mapped.c - fill the places of a binomial tree by price. */
#include <config.h>

#include "coll/trees/mapped.h"

#include "coll/trees/blocks.h"
#include "coll/trees/order.h"
#include "coll/trees/pool.h"

#include <stdint.h>
#include <stdlib.h>

const struct hitop_param hitop_mapped_params[MAPPED_NPARAMS] = {
    [MAPPED_WEIGHT] = {"weight",
                       "0 prices the message, 1 the message times the ranks of the subtree", 0, 0,
                       1, ""},
};

enum { NQUEUES = 32, NO_PLACE = -1 };

/* A place that waits for a rank. */
struct place {
    int parent;
    int ranks; /* of its subtree, a power of two */
    int next;  /* in the same queue, or NO_PLACE */
};

/* Waiting places. Only UCS uses more than the first queue: one per power of two. */
struct agenda {
    enum mapped_walk walk;
    struct place *places;
    int nplaces;
    int head[NQUEUES], tail[NQUEUES];
};

static int log2_of(int power)
{
    int d = 0;

    while (power >>= 1) {
        d++;
    }
    return d;
}

static void put(struct agenda *agenda, int parent, int ranks)
{
    const int q = agenda->walk == MAPPED_UCS ? log2_of(ranks) : 0;
    const int at_front = agenda->walk == MAPPED_DFS || agenda->walk == MAPPED_DFS_LARGEST;
    const int i = agenda->nplaces++;

    agenda->places[i] = (struct place){parent, ranks, at_front ? agenda->head[q] : NO_PLACE};
    if (at_front) {
        agenda->head[q] = i;
    } else if (agenda->head[q] == NO_PLACE) {
        agenda->head[q] = agenda->tail[q] = i;
    } else {
        agenda->places[agenda->tail[q]].next = i;
        agenda->tail[q] = i;
    }
}

/* Places for subtrees of the sizes in `powers`, each a bit. What is put at the front last is taken
 * first, so every walk but DFS_LARGEST puts the largest first. */
static void put_all(struct agenda *agenda, int parent, unsigned powers)
{
    for (int i = 0; i < NQUEUES; i++) {
        const int d = agenda->walk == MAPPED_DFS_LARGEST ? i : NQUEUES - 1 - i;
        if (powers >> d & 1) {
            put(agenda, parent, 1 << d);
        }
    }
}

static struct place take(struct agenda *agenda)
{
    int q = NQUEUES - 1;
    int i;

    while (agenda->head[q] == NO_PLACE) {
        q--;
    }
    i = agenda->head[q];
    agenda->head[q] = agenda->places[i].next;
    return agenda->places[i];
}

static size_t volume(size_t bytes, int ranks)
{
    return bytes > SIZE_MAX / (size_t)ranks ? SIZE_MAX : bytes * (size_t)ranks;
}

/*
 * The free rank whose block, so many times, has the lowest (or highest) price from `from`. Where prices grow with
 * blocks, that of a ring is the one that the pool has first.
 */
static int choose(const struct pool *pool, const struct hitop_tree_args *args,
                  enum mapped_pick pick, int from, int times)
{
    const struct hitop_cost *cost = args->cost;
    struct ring ring = hitop_rings_around(pool->sets, from);
    double best_price = 0;
    int best = POOL_EMPTY;

    while (hitop_ring_next(pool->sets, &ring)) {
        const int rank = hitop_pool_first(pool, &ring);
        double price;
        if (rank == POOL_EMPTY) {
            continue;
        }
        price = cost->p2p(cost->self, from, rank, volume(block_of(args, rank), times));
        if (best == POOL_EMPTY || (pick == MAPPED_MIN ? price < best_price : price > best_price) ||
            (price == best_price && pool_is_before(pool, rank, best))) {
            best = rank;
            best_price = price;
        }
    }
    return best;
}

/* Ranks by price where unlike blocks are kinds; else only by ring, the smallest (or largest) block first. */
static enum hitop_status prepare(struct sets *sets, struct pool *pool,
                                 const struct hitop_tree_args *args, enum mapped_pick pick,
                                 struct hitop_diag *diag)
{
    struct hitop_tree_args arranged = *args;
    enum hitop_status status;

    arranged.counts = args->cost->grows ? NULL : args->counts;
    status = hitop_sets_init(sets, &arranged, diag);
    if (status == HITOP_OK) {
        status = hitop_pool_init(pool, sets, diag);
    }
    if (status == HITOP_OK) {
        for (int r = 0; r < args->size; r++) {
            const double block = (double)block_of(args, r);
            pool->key[r] = pick == MAPPED_MIN ? block : -block;
        }
        hitop_pool_put_others(pool, args->root);
    }
    return status;
}

enum hitop_status hitop_mapped_build(const struct hitop_tree_args *args, const double *params,
                                     enum mapped_walk walk, enum mapped_pick pick, int *parent,
                                     int *order, struct hitop_diag *diag)
{
    struct agenda agenda = {.walk = walk};
    struct sets sets;
    struct pool pool = {0};
    enum hitop_status status = prepare(&sets, &pool, args, pick, diag);

    agenda.places = calloc((size_t)args->size, sizeof(*agenda.places));
    if (status == HITOP_OK && !agenda.places) {
        status = hitop_fail(diag, HITOP_ERR_NOMEM, "tree over %d ranks: out of memory", args->size);
    }
    if (status != HITOP_OK) {
        goto out;
    }
    for (int q = 0; q < NQUEUES; q++) {
        agenda.head[q] = NO_PLACE;
    }
    parent[args->root] = HITOP_NO_RANK;
    put_all(&agenda, args->root, (unsigned)args->size - 1);
    for (int i = 1; i < args->size; i++) {
        const struct place place = take(&agenda);
        const int times = params[MAPPED_WEIGHT] >= 0.5 ? place.ranks : 1;
        const int rank = choose(&pool, args, pick, place.parent, times);

        hitop_pool_take(&pool, rank);
        parent[rank] = place.parent;
        put_all(&agenda, rank, (unsigned)place.ranks - 1); /* s/2, s/4, ..., 1 */
    }
    status = hitop_order_by_size(args->size, args->root, parent, order, diag);

out:
    free(agenda.places);
    hitop_pool_fini(&pool);
    hitop_sets_fini(&sets);
    return status;
}
