/* SPDX-License-Identifier: BSD-3-Clause */
/* cache.c - choices and plans in the order of their last use. */
#include <config.h>

#include "coll/runtime/cache.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_CHOICES = 256, LEAST_CHOICES = 4 };

/*
 * Largest number of bytes of all trees of a communicator, and of all plans. The last plan is kept
 * even if it is larger.
 */
#define TREES_MEMORY ((size_t)32 << 20)
#define PLANS_MEMORY ((size_t)16 << 20)

void hitop_cache_init(struct cache *cache, int size)
{
    const size_t tree = 8 * sizeof(int) * (size_t)size;
    const size_t fit = TREES_MEMORY / tree;

    *cache = (struct cache){.size = size, .most_memory = PLANS_MEMORY};
    cache->most_choices = fit > MOST_CHOICES    ? MOST_CHOICES
                          : fit < LEAST_CHOICES ? LEAST_CHOICES
                                                : (int)fit;
}

static void free_plan(struct cache *cache, struct cached_plan *plan)
{
    cache->memory -= plan->memory;
    hitop_sched_free(plan->sched);
    free(plan->starts);
    free(plan->recv_starts);
    free(plan);
}

/* Drop the plans of a choice. */
static void drop_plans(struct cache *cache, const struct choice *choice)
{
    struct cached_plan **at = &cache->plans;

    while (*at) {
        struct cached_plan *plan = *at;
        if (plan->key.choice == choice) {
            *at = plan->next;
            free_plan(cache, plan);
        } else {
            at = &plan->next;
        }
    }
}

static void drop_choice(struct cache *cache, struct choice **at)
{
    struct choice *choice = *at;

    drop_plans(cache, choice);
    *at = choice->next;
    hitop_tree_free(choice->tree);
    free(choice);
}

void hitop_cache_clear(struct cache *cache)
{
    while (cache->choices) {
        drop_choice(cache, &cache->choices);
    }
}

int hitop_choice_key_equal(const struct choice_key *a, const struct choice_key *b)
{
    return a->operation == b->operation && a->root == b->root && a->bytes == b->bytes &&
           a->exact == b->exact && a->unit == b->unit && a->ordered == b->ordered &&
           a->uneven == b->uneven;
}

struct choice *hitop_cache_find_choice(struct cache *cache, const struct choice_key *key)
{
    for (struct choice **at = &cache->choices; *at; at = &(*at)->next) {
        struct choice *choice = *at;
        if (hitop_choice_key_equal(&choice->key, key)) {
            *at = choice->next;
            choice->next = cache->choices;
            cache->choices = choice;
            return choice;
        }
    }
    return NULL;
}

static int same_starts(const size_t *a, const size_t *b, int size)
{
    return a == b || (a && b && memcmp(a, b, ((size_t)size + 1) * sizeof(*a)) == 0);
}

const struct hitop_sched *hitop_cache_find_plan(struct cache *cache, const struct plan_key *key)
{
    for (struct cached_plan **at = &cache->plans; *at; at = &(*at)->next) {
        struct cached_plan *plan = *at;
        if (plan->key.choice == key->choice && plan->key.bytes == key->bytes &&
            same_starts(plan->key.starts, key->starts, cache->size) &&
            same_starts(plan->key.recv_starts, key->recv_starts, cache->size)) {
            *at = plan->next;
            plan->next = cache->plans;
            cache->plans = plan;
            return plan->sched;
        }
    }
    return NULL;
}

struct choice *hitop_cache_add_choice(struct cache *cache, const struct choice *choice)
{
    struct choice *copy = malloc(sizeof(*copy));
    struct choice **at = &cache->choices;

    if (!copy) {
        hitop_tree_free(choice->tree);
        return NULL;
    }
    *copy = *choice;
    copy->next = cache->choices;
    cache->choices = copy;
    for (int n = 0; n < cache->most_choices && *at; n++) {
        at = &(*at)->next;
    }
    while (*at) {
        drop_choice(cache, at);
    }
    return copy;
}

size_t *hitop_cache_copy_starts(const size_t *starts, int size)
{
    const size_t bytes = ((size_t)size + 1) * sizeof(*starts);
    size_t *copy = starts ? malloc(bytes) : NULL;

    return copy ? memcpy(copy, starts, bytes) : NULL;
}

static size_t memory_of(const struct cached_plan *plan, int size)
{
    const size_t starts = ((size_t)size + 1) * sizeof(*plan->starts);
    size_t steps;

    (void)hitop_sched_steps(plan->sched, &steps);
    return sizeof(*plan) + steps * sizeof(struct hitop_step) + (plan->starts ? starts : 0) +
           (plan->recv_starts ? starts : 0);
}

const struct hitop_sched *hitop_cache_add_plan(struct cache *cache, const struct plan_key *key,
                                               struct hitop_sched *sched)
{
    struct cached_plan *plan = calloc(1, sizeof(*plan));
    struct cached_plan **at;
    size_t memory = 0;

    if (!plan) {
        hitop_sched_free(sched);
        return NULL;
    }
    plan->key = *key;
    plan->key.starts = plan->starts = hitop_cache_copy_starts(key->starts, cache->size);
    plan->key.recv_starts = plan->recv_starts =
        hitop_cache_copy_starts(key->recv_starts, cache->size);
    plan->sched = sched;
    if (!plan->starts != !key->starts || !plan->recv_starts != !key->recv_starts) {
        free_plan(cache, plan);
        return NULL;
    }
    plan->memory = memory_of(plan, cache->size);
    cache->memory += plan->memory;
    plan->next = cache->plans;
    cache->plans = plan;
    at = &plan->next;
    for (memory = plan->memory; *at && memory + (*at)->memory <= cache->most_memory;
         at = &(*at)->next) {
        memory += (*at)->memory;
    }
    while (*at) {
        struct cached_plan *old = *at;
        *at = old->next;
        free_plan(cache, old);
    }
    return plan->sched;
}
