/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * choice_memo.c - what searches with one cost have found: a hash table of the times of choices,
 * the prices of messages, and trees.
 */
#include <config.h>

#include "coll/predict/choice_parts.h"
#include "coll/predict/tree_cache.h"
#include "coll/schedule/sched_prices.h"

#include "hitop/sys/coll.h"
#include "hitop/sys/tree.h"

#include <stdint.h>
#include <stdlib.h>

/* Beyond this number of times no more are kept: about 30 MB. */
enum { FIRST_ROOM = 256, MOST_ROOM = 1 << 17 };

/* Beyond this number of prices they are dropped before the next prediction: about 3 MB. */
enum { MOST_PRICES = 1 << 14 };

/* All that a plan depends on. The operation is none of it: operations share algorithms. */
struct entry {
    struct hitop_choice choice; /* algorithm, its parameters and those of its tree */
    int size, root, ordered;
    size_t bytes, unit;
    struct choice_price price;
    int is_set;
};

struct hitop_choice_memo {
    struct entry *entries; /* [room], a power of two; NULL: there are none yet */
    size_t count, room;
    struct sched_prices prices; /* of the first nranks ranks */
    int nranks;
    struct tree_cache trees;
    int uses_bounds;
};

struct hitop_choice_memo *hitop_choice_memo_new(void)
{
    return calloc(1, sizeof(struct hitop_choice_memo));
}

void hitop_choice_memo_free(struct hitop_choice_memo *memo)
{
    if (memo) {
        hitop_tree_cache_fini(&memo->trees);
        hitop_sched_prices_fini(&memo->prices);
        free(memo->entries);
    }
    free(memo);
}

enum hitop_status hitop_choice_memo_prices(struct hitop_choice_memo *memo,
                                           const struct hitop_cost *cost, int size,
                                           struct sched_prices **out, struct hitop_diag *diag)
{
    struct sched_prices *prices = &memo->prices;
    enum hitop_status status = HITOP_OK;

    if (memo->nranks < size || prices->cost != cost || prices->count > MOST_PRICES ||
        prices->out_of_memory) {
        hitop_sched_prices_fini(prices);
        memo->nranks = 0;
        status = hitop_sched_prices_init(prices, cost, size, diag);
        memo->nranks = status == HITOP_OK ? size : 0;
    }
    *out = prices;
    return status;
}

struct tree_cache *hitop_choice_memo_trees(struct hitop_choice_memo *memo)
{
    return &memo->trees;
}

void hitop_choice_memo_use_bounds(struct hitop_choice_memo *memo)
{
    memo->uses_bounds = 1;
}

int hitop_choice_memo_uses_bounds(const struct hitop_choice_memo *memo)
{
    return memo->uses_bounds;
}

static struct entry key_of(const struct hitop_call *call, const struct hitop_choice *choice)
{
    return (struct entry){.choice = *choice,
                          .size = call->size,
                          .root = call->root,
                          .ordered = call->ordered,
                          .bytes = call->bytes,
                          .unit = call->unit > 0 ? call->unit : 1};
}

static size_t count_params(const struct entry *e)
{
    return e->choice.algorithm.type->nparams;
}

static size_t count_tree_params(const struct entry *e)
{
    return e->choice.algorithm.tree ? e->choice.algorithm.tree->nparams : 0;
}

static int is_same(const struct entry *a, const struct entry *b)
{
    return a->choice.algorithm.type == b->choice.algorithm.type &&
           a->choice.algorithm.tree == b->choice.algorithm.tree && a->size == b->size &&
           a->root == b->root && a->ordered == b->ordered && a->bytes == b->bytes &&
           a->unit == b->unit &&
           choice_params_are_equal(a->choice.params, b->choice.params, count_params(a)) &&
           choice_params_are_equal(a->choice.tree_params, b->choice.tree_params,
                                   count_tree_params(a));
}

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 32;
}

static uint64_t mix_params(uint64_t hash, const double *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        hash = mix(hash, (uint64_t)(int64_t)(values[i] * 16)); /* most are whole numbers */
    }
    return hash;
}

static uint64_t hash_of(const struct entry *e)
{
    uint64_t hash = mix((uintptr_t)e->choice.algorithm.type, (uintptr_t)e->choice.algorithm.tree);

    hash = mix(hash, (uint64_t)e->size << 32 ^ (uint64_t)e->root);
    hash = mix(hash, e->bytes);
    hash = mix_params(hash, e->choice.params, count_params(e));
    return mix_params(hash, e->choice.tree_params, count_tree_params(e));
}

/* The entry with this key, or the empty one where it belongs. */
static struct entry *find(struct entry *entries, size_t room, const struct entry *key)
{
    size_t i = (size_t)hash_of(key) & (room - 1);

    while (entries[i].is_set && !is_same(&entries[i], key)) {
        i = (i + 1) & (room - 1);
    }
    return &entries[i];
}

static void grow(struct hitop_choice_memo *memo)
{
    const size_t room = memo->room > 0 ? 2 * memo->room : FIRST_ROOM;
    struct entry *more = room <= MOST_ROOM ? calloc(room, sizeof(*more)) : NULL;

    if (!more) {
        return; /* what is known stays */
    }
    for (size_t i = 0; i < memo->room; i++) {
        if (memo->entries[i].is_set) {
            *find(more, room, &memo->entries[i]) = memo->entries[i];
        }
    }
    free(memo->entries);
    memo->entries = more;
    memo->room = room;
}

int hitop_choice_memo_find(const struct hitop_choice_memo *memo, const struct hitop_call *call,
                           const struct hitop_choice *choice, struct choice_price *out)
{
    const struct entry key = key_of(call, choice);
    const struct entry *found =
        memo && memo->entries && !call->starts ? find(memo->entries, memo->room, &key) : NULL;

    if (found && found->is_set) {
        *out = found->price;
    }
    return found && found->is_set;
}

void hitop_choice_memo_add(struct hitop_choice_memo *memo, const struct hitop_call *call,
                           const struct hitop_choice *choice, const struct choice_price *price)
{
    struct entry key = key_of(call, choice);

    if (!memo || call->starts) {
        return;
    }
    if (2 * memo->count >= memo->room) {
        grow(memo);
    }
    if (2 * memo->count < memo->room) {
        struct entry *e = find(memo->entries, memo->room, &key);
        memo->count += !e->is_set;
        key.price = *price;
        key.is_set = 1;
        *e = key;
    }
}
