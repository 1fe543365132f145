/* SPDX-License-Identifier: BSD-3-Clause */
/* search.c - searches for choices, each a coroutine. */
#include <config.h>

#include "coll/runtime/search.h"

#include "hitop/coroutine.h"

#include <stdlib.h>
#include <string.h>

struct search {
    struct search *next; /* a younger one */
    struct search_work work;
    struct choice_key key;
    struct hitop_coll_args args; /* of the call that began it, with arrays of its own */
    size_t *starts, *recv_starts;
    void *answer;
    struct hitop_coroutine *coroutine;
    int is_complete;
};

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

/* Copy an array of size + 1 numbers; returns 0 when out of memory. */
static int copy(const size_t *array, int size, size_t **out)
{
    const size_t bytes = ((size_t)size + 1) * sizeof(*array);

    *out = array ? malloc(bytes) : NULL;
    if (*out) {
        memcpy(*out, array, bytes);
    }
    return !array || *out;
}

/* NULL when out of memory or threads. */
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
    s->coroutine = hitop_coroutine_new(search, s);
    if (!s->answer || !s->coroutine || !copy(args->starts, work->size, &s->starts) ||
        !copy(args->recv_starts, work->size, &s->recv_starts)) {
        free_search(s);
        return NULL;
    }
    s->args.starts = s->starts;
    s->args.recv_starts = s->recv_starts;
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

void hitop_search_continue(struct search *list, size_t steps)
{
    while (list && list->is_complete) {
        list = list->next;
    }
    if (list) {
        list->is_complete = hitop_coroutine_resume(list->coroutine, steps);
    }
}

void *hitop_search_run(struct search **list, const struct search_work *work,
                       const struct choice_key *key, const struct hitop_coll_args *args,
                       size_t steps)
{
    struct search **at = list, *s;
    void *answer;

    while (*at && !hitop_choice_key_equal(&(*at)->key, key)) {
        at = &(*at)->next;
    }
    if (!*at && !(*at = new_search(work, key, args))) {
        return decide_now(work, key, args);
    }
    hitop_search_continue(*list, steps);
    s = *at;
    if (!s->is_complete) {
        return NULL;
    }
    *at = s->next;
    answer = s->answer;
    s->answer = NULL;
    free_search(s);
    return answer;
}
