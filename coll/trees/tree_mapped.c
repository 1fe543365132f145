/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tree_mapped.c - binomial trees whose places are assigned to ranks by price: dfs_min, bfs_max and
 * others.
 *
 * Idea:   the shape is that of tree_binomial. Its places are visited in one of several orders
 *         (enum walk). Each place takes, of the ranks without a place, the one whose block costs
 *         least (_min) or most (_max) from the parent. Equal prices go to the smaller (or larger)
 *         block, then to the lowest rank.
 * Cost:   one price for each ring of alike ranks around the parent (sets.h): n times the depth of
 *         the machine where the cost has sets, n * n / 2 where every rank has its own kind. Blocks
 *         of k different sizes need k times as many, unless the cost states that prices grow with
 *         blocks.
 * Use:    links of different speed. dfs_largest_min: the best links lead to the largest subtrees;
 *         bfs_min: every parent chooses for all its subtrees at once; ucs_min: large subtrees
 *         choose first, below any parent. dfs_min is for comparison with CPM; it spends the best
 *         links on leaves. Those with _max show what a bad mapping costs.
 * Needs:  prices. Reads the bytes of each rank's block. With weight=1 a block counts once for each
 *         rank of the subtree, as a scatter sends about that much: the other blocks of the subtree
 *         are not known yet.
 * Source: CPM, communication trees.
 */
#include <config.h>

#include "coll/trees/blocks.h"
#include "coll/trees/pool.h"
#include "coll/trees/shape.h"

#include "hitop/coroutine.h"

#include <stdint.h>
#include <stdlib.h>

/* The order in which places are filled. */
enum walk {
    DFS,         /* depth first, smallest subtree first */
    DFS_LARGEST, /* depth first, largest subtree first */
    BFS,         /* breadth first, largest subtree first */
    UCS          /* largest subtree of the whole tree first, of equal ones the oldest */
};

/* The choice among the ranks without a place. */
enum pick { CHEAPEST, MOST_EXPENSIVE };

static const struct hitop_param mapped_params[] = {
    {"weight", "0 prices the message, 1 the message times the ranks of the subtree", 0, 0, 1, ""},
};

enum { NQUEUES = 32, NO_PLACE = -1 };

/* A place that has no rank yet. */
struct place {
    int parent;
    int ranks; /* number of ranks of its subtree, a power of two */
    int next;  /* next place in the same queue, or NO_PLACE */
};

/*
 * Queues of places without a rank. UCS uses one queue per power of two, the others only the first.
 */
struct agenda {
    enum walk walk;
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
    const int q = agenda->walk == UCS ? log2_of(ranks) : 0;
    const int at_front = agenda->walk == DFS || agenda->walk == DFS_LARGEST;
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

/*
 * Put a place into the queues for each bit of `powers`: a subtree of that size. The place that is
 * put at the front last is taken first; so every walk except DFS_LARGEST puts the largest first.
 */
static void put_all(struct agenda *agenda, int parent, unsigned powers)
{
    for (int i = 0; i < NQUEUES; i++) {
        const int d = agenda->walk == DFS_LARGEST ? i : NQUEUES - 1 - i;
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
 * Choose the rank without a place whose block, `times` times, has the lowest (or highest) price
 * from `from`. Where prices grow with blocks, the pool has the best rank of each ring first.
 */
static int choose(const struct pool *pool, const struct hitop_tree_args *args, enum pick pick,
                  int from, int times)
{
    const struct hitop_cost *cost = args->cost;
    struct ring ring = hitop_rings_of(pool->sets, from);
    double best_price = 0;
    int best = POOL_EMPTY;

    while (hitop_ring_next(pool->sets, &ring)) {
        const int rank = hitop_pool_first(pool, &ring);
        double price;
        if (rank == POOL_EMPTY) {
            continue;
        }
        price = cost->p2p(cost->self, from, rank, volume(block_of(args, rank), times));
        if (best == POOL_EMPTY || (pick == CHEAPEST ? price < best_price : price > best_price) ||
            (price == best_price && pool_is_before(pool, rank, best))) {
            best = rank;
            best_price = price;
        }
    }
    return best;
}

/*
 * Put all ranks except the root into the pool, the smallest (or largest) block first. Blocks of
 * different sizes are different kinds, unless prices grow with blocks.
 */
static enum hitop_status prepare(struct sets *sets, struct pool *pool,
                                 const struct hitop_tree_args *args, enum pick pick,
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
            pool->key[r] = pick == CHEAPEST ? block : -block;
        }
        hitop_pool_put_others(pool, args->root);
    }
    return status;
}

static enum hitop_status build(const struct hitop_tree_args *args, const double *params,
                               enum walk walk, enum pick pick, int *parent, int *order,
                               struct hitop_diag *diag)
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
    order[0] = args->root;
    put_all(&agenda, args->root, (unsigned)args->size - 1);
    for (int i = 1; i < args->size; i++) {
        const struct place place = take(&agenda);
        const int times = params[0] >= 0.5 ? place.ranks : 1;
        const int rank = choose(&pool, args, pick, place.parent, times);

        hitop_pool_take(&pool, rank);
        parent[rank] = place.parent;
        order[i] = rank;
        put_all(&agenda, rank, (unsigned)place.ranks - 1); /* s/2, s/4, ..., 1 */
        (void)hitop_coroutine_yield(2);
    }
    status = hitop_order_by_size(args, parent, order, diag);

out:
    free(agenda.places);
    hitop_pool_fini(&pool);
    hitop_sets_fini(&sets);
    return status;
}

#define MAPPED_TREE(tree, walk, pick, text)                                                        \
    static enum hitop_status build_##tree(const struct hitop_tree_args *args,                      \
                                          const double *params, int *parent, int *order,           \
                                          struct hitop_diag *diag)                                 \
    {                                                                                              \
        return build(args, params, walk, pick, parent, order, diag);                               \
    }                                                                                              \
    const struct hitop_tree_builder hitop_tree_##tree = {                                          \
        .name = #tree,                                                                             \
        .summary = "binomial tree mapped " text " link",                                           \
        .needs = HITOP_TREE_NEEDS_COST,                                                            \
        .params = mapped_params,                                                                   \
        .nparams = 1,                                                                              \
        .build = build_##tree,                                                                     \
    };

MAPPED_TREE(bfs_max, BFS, MOST_EXPENSIVE, "breadth-first to the most expensive")
MAPPED_TREE(bfs_min, BFS, CHEAPEST, "breadth-first to the cheapest")
MAPPED_TREE(dfs_largest_max, DFS_LARGEST, MOST_EXPENSIVE,
            "depth-first (largest first) to the most expensive")
MAPPED_TREE(dfs_largest_min, DFS_LARGEST, CHEAPEST, "depth-first (largest first) to the cheapest")
MAPPED_TREE(dfs_max, DFS, MOST_EXPENSIVE, "depth-first (smallest first) to the most expensive")
MAPPED_TREE(dfs_min, DFS, CHEAPEST, "depth-first (smallest first) to the cheapest")
MAPPED_TREE(ucs_max, UCS, MOST_EXPENSIVE, "largest-subtree-first to the most expensive")
MAPPED_TREE(ucs_min, UCS, CHEAPEST, "largest-subtree-first to the cheapest")
