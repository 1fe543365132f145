/* SPDX-License-Identifier: BSD-3-Clause */
/* tree_cache.c - keep trees, and drop the oldest ones when they take too much memory. */
#include <config.h>

#include "coll/predict/choice_parts.h"
#include "coll/predict/tree_cache.h"

#include "hitop/coroutine.h"
#include "hitop/sys/tree.h"

#include <stdlib.h>
#include <string.h>

/* The most ranks of all kept trees together, 28 bytes each; the newest tree is always kept. */
enum { MOST_RANKS = 1 << 18, MOST_TREES = 128 };

/* All that a tree depends on. */
struct key {
    const struct hitop_tree_builder *builder;
    double params[HITOP_CHOICE_PARAMS];
    int size, root;
    size_t bytes;
};

struct kept_tree {
    struct key key;
    struct hitop_tree *tree;
};

static struct key key_of(const struct hitop_plan_args *args)
{
    struct key key = {.builder = args->algorithm.tree,
                      .size = args->size,
                      .root = args->root,
                      .bytes = args->bytes};

    for (size_t p = 0; p < key.builder->nparams; p++) {
        key.params[p] = args->tree_params[p];
    }
    return key;
}

static int is_same(const struct key *a, const struct key *b)
{
    return a->builder == b->builder && a->size == b->size && a->root == b->root &&
           a->bytes == b->bytes &&
           choice_params_are_equal(a->params, b->params, a->builder->nparams);
}

/* Drop the oldest trees until there is room for one of `size` ranks. */
static void make_room(struct tree_cache *cache, int size)
{
    size_t n = 0;

    while (n < cache->count &&
           (cache->nranks + (size_t)size > MOST_RANKS || cache->count - n >= MOST_TREES)) {
        cache->nranks -= (size_t)cache->kept[n].key.size;
        hitop_tree_free(cache->kept[n].tree);
        n++;
    }
    if (n > 0) {
        cache->count -= n;
        memmove(cache->kept, cache->kept + n, cache->count * sizeof(*cache->kept));
    }
}

static enum hitop_status keep(struct tree_cache *cache, const struct key *key,
                              struct hitop_tree *tree, struct hitop_diag *diag)
{
    if (!cache->kept) {
        cache->kept = calloc(MOST_TREES, sizeof(*cache->kept));
    }
    if (!cache->kept) {
        hitop_tree_free(tree);
        return hitop_fail(diag, HITOP_ERR_NOMEM, "tree of %d ranks: out of memory", key->size);
    }
    make_room(cache, key->size);
    cache->kept[cache->count++] = (struct kept_tree){*key, tree};
    cache->nranks += (size_t)key->size;
    return HITOP_OK;
}

enum hitop_status hitop_tree_cache_find(struct tree_cache *cache,
                                        const struct hitop_plan_args *args,
                                        const struct hitop_tree **out, struct hitop_diag *diag)
{
    const struct key key = key_of(args);
    struct hitop_tree *tree = NULL;
    enum hitop_status status;

    for (size_t i = cache->count; i > 0; i--) {
        if (is_same(&cache->kept[i - 1].key, &key)) {
            *out = cache->kept[i - 1].tree;
            return HITOP_OK;
        }
    }
    *out = NULL;
    status = hitop_plan_tree(args, &tree, diag);
    (void)hitop_coroutine_yield((size_t)args->size);
    if (status == HITOP_OK) {
        status = keep(cache, &key, tree, diag);
    }
    if (status == HITOP_OK) {
        *out = tree;
    }
    return status;
}

void hitop_tree_cache_fini(struct tree_cache *cache)
{
    for (size_t i = 0; i < cache->count; i++) {
        hitop_tree_free(cache->kept[i].tree);
    }
    free(cache->kept);
}
