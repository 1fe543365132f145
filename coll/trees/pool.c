/* SPDX-License-Identifier: BSD-3-Clause */
/* pool.c - a binary tree over the line; each node has the first rank of its subtree. */
#include <config.h>

#include "coll/trees/pool.h"

#include <stdlib.h>

enum hitop_status hitop_pool_init(struct pool *pool, const struct sets *sets,
                                  struct hitop_diag *diag)
{
    int leaves = 1;

    while (leaves < sets->size) {
        leaves *= 2;
    }
    *pool = (struct pool){.sets = sets,
                          .leaves = leaves,
                          .first = calloc(2 * (size_t)leaves, sizeof(int)),
                          .key = calloc((size_t)sets->size, sizeof(double))};
    if (!pool->first || !pool->key) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "tree over %d ranks: out of memory", sets->size);
    }
    for (int i = 0; i < 2 * leaves; i++) {
        pool->first[i] = POOL_EMPTY;
    }
    return HITOP_OK;
}

void hitop_pool_fini(struct pool *pool)
{
    free(pool->key);
    free(pool->first);
}

static int better(const struct pool *pool, int a, int b)
{
    if (a == POOL_EMPTY || b == POOL_EMPTY) {
        return a == POOL_EMPTY ? b : a;
    }
    return pool_is_before(pool, a, b) ? a : b;
}

void hitop_pool_put_others(struct pool *pool, int rank)
{
    for (int r = 0; r < pool->sets->size; r++) {
        pool->first[pool->leaves + pool->sets->place[r]] = r == rank ? POOL_EMPTY : r;
    }
    for (int i = pool->leaves - 1; i > 0; i--) {
        pool->first[i] = better(pool, pool->first[2 * i], pool->first[2 * i + 1]);
    }
}

static void set_leaf(struct pool *pool, int rank, int value)
{
    int i = pool->leaves + pool->sets->place[rank];

    pool->first[i] = value;
    for (i /= 2; i > 0; i /= 2) {
        pool->first[i] = better(pool, pool->first[2 * i], pool->first[2 * i + 1]);
    }
}

void hitop_pool_put(struct pool *pool, int rank, double key)
{
    pool->key[rank] = key;
    set_leaf(pool, rank, rank);
}

void hitop_pool_take(struct pool *pool, int rank)
{
    set_leaf(pool, rank, POOL_EMPTY);
}

/* The first rank at the places begin .. end - 1. */
static int first_of(const struct pool *pool, int begin, int end)
{
    int best = POOL_EMPTY;

    for (int a = pool->leaves + begin, b = pool->leaves + end; a < b; a /= 2, b /= 2) {
        if (a % 2) {
            best = better(pool, best, pool->first[a++]);
        }
        if (b % 2) {
            best = better(pool, best, pool->first[--b]);
        }
    }
    return best;
}

int hitop_pool_first(const struct pool *pool, const struct ring *ring)
{
    return better(pool, first_of(pool, ring->begin, ring->hole_begin),
                  first_of(pool, ring->hole_end, ring->end));
}
