/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef POOL_H
#define POOL_H

/*
 * pool.h - a priority queue of ranks with keys, which also finds the first rank of a ring.
 *
 * The first of two ranks is the one with the smaller key; of equal keys the lower rank. Adding and
 * removing a rank takes O(log size).
 */

#include "coll/trees/sets.h"

#define POOL_EMPTY (-1)

struct pool {
    const struct sets *sets;
    int leaves;  /* number of leaves: a power of two, at least the number of ranks */
    int *first;  /* [2 leaves] tree over the line: first rank of each subtree, or POOL_EMPTY */
    double *key; /* [size] */
};

/*
 * Make an empty pool; release with hitop_pool_fini(), also after a failure. `sets` must outlive
 * the pool.
 */
enum hitop_status hitop_pool_init(struct pool *pool, const struct sets *sets,
                                  struct hitop_diag *diag);
void hitop_pool_fini(struct pool *pool);

/*
 * Put all ranks except one into the pool, with the values of key[] as keys, which are 0 at first.
 */
void hitop_pool_put_others(struct pool *pool, int rank);

/* Put a rank into the pool; if it is there already, change its key. */
void hitop_pool_put(struct pool *pool, int rank, double key);

/* Remove a rank. */
void hitop_pool_take(struct pool *pool, int rank);

/* Whether rank a comes before rank b. */
static inline int pool_is_before(const struct pool *pool, int a, int b)
{
    return pool->key[a] < pool->key[b] || (pool->key[a] == pool->key[b] && a < b);
}

/* The first rank of the pool, or POOL_EMPTY. */
static inline int pool_first_of_all(const struct pool *pool)
{
    return pool->first[1];
}

/* The first rank of a ring, or POOL_EMPTY. */
int hitop_pool_first(const struct pool *pool, const struct ring *ring);

#endif /* POOL_H */
