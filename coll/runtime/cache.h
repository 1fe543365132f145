/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CACHE_H
#define CACHE_H

/*
 * cache.h - what a communicator remembers of its calls: choices, which all ranks share, and plans
 * made of them, which are each rank's own.
 *
 * Choices are made by all ranks together, so all of them must forget the same ones: their number
 * decides, and the order of calls, which are alike everywhere. Plans are forgotten by the memory
 * that they take. Pure: no MPI.
 */

#include "hitop/choice.h"

/* What is chosen for. All of it is known to all ranks alike. */
struct choice_key {
    enum hitop_operation_id operation;
    int root;
    size_t bytes; /* middle of their class, see hitop/choice.h, or CACHE_UNKNOWN */
    int exact;    /* 1: these very bytes, where the choice of the class does not serve them */
    size_t unit;
    int ordered;
    int uneven;
};

/* Lengths of which only some ranks know. */
#define CACHE_UNKNOWN ((size_t)-1)

struct choice {
    struct choice_key key;
    struct hitop_choice what; /* way.type NULL: leave it to MPI */
    struct hitop_tree *tree;  /* or NULL; the cache's */
    struct choice *next;
};

/* What is planned for, by one rank. */
struct plan_key {
    const struct choice *choice;
    size_t bytes;
    const size_t *starts, *recv_starts; /* [size + 1] or NULL */
};

struct cached_plan {
    struct plan_key key;          /* of its arrays these are copies: */
    size_t *starts, *recv_starts; /* or NULL */
    struct hitop_sched *sched;
    size_t memory;
    struct cached_plan *next;
};

struct cache {
    int size; /* ranks */
    int most_choices;
    size_t most_memory;     /* of plans */
    struct choice *choices; /* the last one used first */
    struct cached_plan *plans;
    size_t memory;
};

/* An empty cache; nothing is allocated. */
void hitop_cache_init(struct cache *cache, int size);
void hitop_cache_clear(struct cache *cache);

/* Both return NULL when there is none. What they return stays until the next cache_add_*(). */
const struct choice *hitop_cache_find_choice(struct cache *cache, const struct choice_key *key);
const struct hitop_sched *hitop_cache_find_plan(struct cache *cache, const struct plan_key *key);

/* Takes the tree over, also on failure: NULL when out of memory. */
const struct choice *hitop_cache_add_choice(struct cache *cache, const struct choice *choice);

/* Takes the schedule over, also on failure: NULL when out of memory. */
const struct hitop_sched *hitop_cache_add_plan(struct cache *cache, const struct plan_key *key,
                                               struct hitop_sched *sched);

#endif /* CACHE_H */
