/* SPDX-License-Identifier: BSD-3-Clause */
/* arena_kept.c - the arenas that a process has met, kept for its communicators to come. */
#include <config.h>

#include "coll/node/arena.h"

#include <pthread.h>
#include <stdlib.h>

struct kept {
    struct hitop_arena *arena;
    struct kept *next;
};

static struct {
    pthread_mutex_t mutex;
    struct kept *first, *last; /* in the order of their coming */
} all = {.mutex = PTHREAD_MUTEX_INITIALIZER};

/* Keep what one of the two makes; under the mutex. */
static enum hitop_status make(const struct hitop_arena_sign *sign, size_t cap,
                              struct hitop_arena **out, struct hitop_diag *diag)
{
    struct kept *kept = calloc(1, sizeof(*kept));
    enum hitop_status status;

    *out = NULL;
    if (!kept) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "out of memory");
    }
    status = sign ? hitop_arena_attach(sign, out, diag) : hitop_arena_create(cap, out, diag);
    if (status != HITOP_OK) {
        free(kept);
        return status;
    }
    kept->arena = *out;
    *(all.last ? &all.last->next : &all.first) = kept;
    all.last = kept;
    return HITOP_OK;
}

enum hitop_status hitop_arena_own(size_t cap, struct hitop_arena **out, struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;

    (void)pthread_mutex_lock(&all.mutex);
    if (all.first) {
        *out = all.first->arena;
    } else {
        status = make(NULL, cap, out, diag);
    }
    (void)pthread_mutex_unlock(&all.mutex);
    return status;
}

enum hitop_status hitop_arena_join(const struct hitop_arena_sign *sign, struct hitop_arena **out,
                                   struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;
    const struct kept *kept;

    (void)pthread_mutex_lock(&all.mutex);
    kept = all.first;
    while (kept && hitop_arena_number(kept->arena) != sign->number) {
        kept = kept->next;
    }
    if (kept) {
        *out = kept->arena;
    } else {
        status = make(sign, 0, out, diag);
    }
    (void)pthread_mutex_unlock(&all.mutex);
    return status;
}
