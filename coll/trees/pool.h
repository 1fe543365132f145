/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef POOL_H
#define POOL_H

/*
 * pool.h - some of the ranks, each with a key: which rank of a ring comes first.
 *
 * The first of two ranks is that with the smaller key, of equal ones that with the smaller number.
 * Ranks come and go in O(log size).
 */

#include "coll/trees/sets.h"

#define POOL_EMPTY (-1)

struct pool {
    const struct sets *sets;
    int leaves;  /* a power of two, at least the ranks */
    int *first;  /* [2 leaves] binary tree over the line: the first rank below, or POOL_EMPTY */
    double *key; /* [size] */
};

/* An empty pool; release with hitop_pool_fini(), also after a failure. `sets` is lent. */
enum hitop_status hitop_pool_init(struct pool *pool, const struct sets *sets,
                                  struct hitop_diag *diag);
void hitop_pool_fini(struct pool *pool);

/* Put all ranks but one into the pool, with the keys that key[] has: 0 at first. */
void hitop_pool_put_others(struct pool *pool, int rank);

/* Put a rank into the pool; if it is there already, change its key. */
void hitop_pool_put(struct pool *pool, int rank, double key);

/* Take a rank out. */
void hitop_pool_take(struct pool *pool, int rank);

/* Which of two ranks comes first. */
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
