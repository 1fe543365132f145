/* SPDX-License-Identifier: BSD-3-Clause */
/* search.c - searches for choices, each a coroutine. */
#include <config.h>

#include "coll/runtime/search.h"

#include "hitop/coroutine.h"

#include <stdlib.h>

struct search {
    struct search *next; /* a younger one */
    struct search_work work;
    struct choice_key key;
    struct hitop_coll_args args; /* of the call that began it, with arrays of its own */
    size_t *starts, *recv_starts;
    void *answer;
    struct hitop_coroutine *coroutine; /* NULL: the search does not run, or is complete */
    int is_complete;
};

/* Searches of one list, the complete ones included. Others begin when there is room. */
enum { MOST_SEARCHES = 16 };

static void free_search(struct search *s)
{
    hitop_coroutine_free(s->coroutine);
    free(s->answer);
    free(s->recv_starts);
    free(s->starts);
    free(s);
}

void hitop_search_clear(struct search **list)
{
    while (*list) {
        struct search *next = (*list)->next;
        free_search(*list);
        *list = next;
    }
}

static void search(void *self)
{
    struct search *s = self;

    s->work.decide(s->work.self, &s->key, &s->args, s->answer);
}

/* NULL when out of memory. */
static struct search *new_search(const struct search_work *work, const struct choice_key *key,
                                 const struct hitop_coll_args *args)
{
    struct search *s = calloc(1, sizeof(*s));

    if (!s) {
        return NULL;
    }
    s->work = *work;
    s->key = *key;
    s->args = *args;
    s->answer = calloc(1, work->answer_bytes);
    s->args.starts = s->starts = hitop_cache_copy_starts(args->starts, work->size);
    s->args.recv_starts = s->recv_starts = hitop_cache_copy_starts(args->recv_starts, work->size);
    if (!s->answer || !s->starts != !args->starts || !s->recv_starts != !args->recv_starts) {
        free_search(s);
        return NULL;
    }
    s->args.tree = NULL;
    s->args.params = NULL;
    return s;
}

static void *decide_now(const struct search_work *work, const struct choice_key *key,
                        const struct hitop_coll_args *args)
{
    void *answer = calloc(1, work->answer_bytes);

    if (answer) {
        work->decide(work->self, key, args, answer);
    }
    return answer;
}

/* Drop the oldest complete search if the list is full; return 0 if all are incomplete. */
static int make_room(struct search **list)
{
    struct search **complete = NULL, *dropped;
    int n = 0;

    for (struct search **at = list; *at; at = &(*at)->next) {
        complete = !complete && (*at)->is_complete ? at : complete;
        n++;
    }
    if (n < MOST_SEARCHES || !complete) {
        return n < MOST_SEARCHES;
    }
    dropped = *complete;
    *complete = dropped->next;
    free_search(dropped);
    return 1;
}

void hitop_search_continue(struct search *list, size_t steps)
{
    struct search *s = list;

    while (s && s->is_complete) {
        s = s->next;
    }
    if (!s) {
        return;
    }
    if (!s->coroutine) {
        s->coroutine = hitop_coroutine_new(search, s);
    }
    if (!s->coroutine) { /* out of threads */
        search(s);
        s->is_complete = 1;
    } else if (hitop_coroutine_resume(s->coroutine, steps)) {
        s->is_complete = 1;
        hitop_coroutine_free(s->coroutine);
        s->coroutine = NULL;
    }
}

/* The link to the search for a key, or the end of the list. */
static struct search **find(struct search **list, const struct choice_key *key)
{
    while (*list && !hitop_choice_key_equal(&(*list)->key, key)) {
        list = &(*list)->next;
    }
    return list;
}

/* Remove a complete search from its list, and return its answer. */
static void *take_answer(struct search **at)
{
    struct search *s = *at;
    void *answer = s->answer;

    *at = s->next;
    s->answer = NULL;
    free_search(s);
    return answer;
}

void *hitop_search_run(struct search **list, const struct search_work *work,
                       const struct choice_key *key, const struct hitop_coll_args *args,
                       size_t steps)
{
    struct search **at = find(list, key);

    if (!*at && make_room(list)) {
        at = find(list, key);
        *at = new_search(work, key, args);
        if (!*at) {
            return decide_now(work, key, args);
        }
    }
    hitop_search_continue(*list, steps);
    return *at && (*at)->is_complete ? take_answer(at) : NULL;
}
