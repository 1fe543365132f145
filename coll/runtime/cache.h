/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CACHE_H
#define CACHE_H

/*
 * cache.h - cached results of a communicator's calls: choices, which all ranks share, and plans
 * made from them, which each rank has for itself.
 *
 * All ranks make a choice together, so all of them must drop the same ones: this depends only on
 * their number and on the order of calls, which are the same on all ranks. Plans are dropped by the
 * memory that they take. Pure: no MPI.
 */

#include "hitop/choice.h"

/* The input of a choice; all ranks know all of it. */
struct choice_key {
    enum hitop_operation_id operation;
    int root;
    size_t bytes; /* middle of its size class, see hitop/choice.h, or CACHE_UNKNOWN */
    int exact;    /* 1: exactly these bytes, because the choice of the class does not serve them */
    size_t unit;
    int ordered;
    int uneven;
};

/* Only some ranks know the lengths. */
#define CACHE_UNKNOWN ((size_t)-1)

struct choice {
    struct choice_key key;
    unsigned waits; /* calls so far without a choice, which rank 0 still searches; 0: it is made */
    struct hitop_choice what; /* algorithm.type NULL: leave it to MPI */
    struct hitop_tree *tree;  /* owned by the cache; may be NULL */
    struct choice *next;
};

/* The input of a plan, for one rank. */
struct plan_key {
    const struct choice *choice;
    size_t bytes;
    const size_t *starts, *recv_starts; /* [size + 1] or NULL */
};

struct cached_plan {
    struct plan_key key;          /* its arrays are the copies below */
    size_t *starts, *recv_starts; /* or NULL */
    struct hitop_sched *sched;
    size_t memory;
    struct cached_plan *next;
};

struct cache {
    int size; /* ranks */
    int most_choices;
    size_t most_memory;     /* bytes of all plans, at most */
    struct choice *choices; /* most recently used first */
    struct cached_plan *plans;
    size_t memory;
};

/* Initialize an empty cache; allocates nothing. */
void hitop_cache_init(struct cache *cache, int size);
void hitop_cache_clear(struct cache *cache);

int hitop_choice_key_equal(const struct choice_key *a, const struct choice_key *b);

/* Both return NULL when there is none. A result is valid until the next hitop_cache_add_*(). */
struct choice *hitop_cache_find_choice(struct cache *cache, const struct choice_key *key);
const struct hitop_sched *hitop_cache_find_plan(struct cache *cache, const struct plan_key *key);

/* A copy of an array of size + 1 numbers; NULL: `starts` is NULL, or out of memory. */
size_t *hitop_cache_copy_starts(const size_t *starts, int size);

/* Takes ownership of the tree, also on failure: NULL when out of memory. */
struct choice *hitop_cache_add_choice(struct cache *cache, const struct choice *choice);

/* Takes ownership of the schedule, also on failure: NULL when out of memory. */
const struct hitop_sched *hitop_cache_add_plan(struct cache *cache, const struct plan_key *key,
                                               struct hitop_sched *sched);

#endif /* CACHE_H */
