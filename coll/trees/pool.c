/* SPDX-License-Identifier: BSD-3-Clause */
/* pool.c - unplaced ranks, sorted by group once. */
#include <config.h>

#include "pool.h"

#include "blocks.h"

#include <stdlib.h>

struct label {
    int group; /* as the cost numbers it */
    int rank;
    size_t block;
};

static int compare(const void *a, const void *b)
{
    const struct label *x = a, *y = b;

    if (x->group != y->group) {
        return x->group < y->group ? -1 : 1;
    }
    if (x->block != y->block) {
        return x->block < y->block ? -1 : 1;
    }
    return (x->rank > y->rank) - (x->rank < y->rank);
}

static void skip_root(struct pool *pool, int group)
{
    if (pool->next[group] < pool->end[group] && pool->member[pool->next[group]] == pool->root) {
        pool->next[group]++;
    }
}

enum hitop_status pool_init(struct pool *pool, const struct hitop_tree_args *args,
                            struct hitop_diag *diag)
{
    const struct hitop_cost *cost = args->cost;
    const size_t n = (size_t)args->size;
    struct label *labels = calloc(n, sizeof(*labels));

    *pool = (struct pool){.root = args->root,
                          .group = calloc(n, sizeof(int)),
                          .member = calloc(n, sizeof(int)),
                          .next = calloc(n, sizeof(int)),
                          .end = calloc(n, sizeof(int))};
    if (!labels || !pool->group || !pool->member || !pool->next || !pool->end) {
        free(labels);
        return hitop_fail(diag, HITOP_ERR_NOMEM, "tree over %d ranks: out of memory", args->size);
    }
    for (int r = 0; r < args->size; r++) {
        labels[r] =
            (struct label){cost->group ? cost->group(cost->self, r) : r, r, block_of(args, r)};
    }
    qsort(labels, n, sizeof(*labels), compare);
    for (int i = 0; i < args->size; i++) {
        if (i == 0 || labels[i].group != labels[i - 1].group ||
            labels[i].block != labels[i - 1].block) {
            pool->next[pool->ngroups++] = i;
        }
        pool->member[i] = labels[i].rank;
        pool->group[labels[i].rank] = pool->ngroups - 1;
        pool->end[pool->ngroups - 1] = i + 1;
    }
    skip_root(pool, pool->group[pool->root]);
    free(labels);
    return HITOP_OK;
}

void pool_fini(struct pool *pool)
{
    free(pool->end);
    free(pool->next);
    free(pool->member);
    free(pool->group);
}

int pool_first(const struct pool *pool, int group)
{
    return pool->next[group] < pool->end[group] ? pool->member[pool->next[group]] : POOL_EMPTY;
}

void pool_take(struct pool *pool, int group)
{
    pool->next[group]++;
    skip_root(pool, group);
}
