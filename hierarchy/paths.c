/* SPDX-License-Identifier: BSD-3-Clause */
/* paths.c - collect the groups of every rank. */
#include <config.h>

#include "paths.h"

#include <limits.h>
#include <stdlib.h>

enum hitop_status paths_init(struct hitop_paths *paths, int nranks)
{
    *paths = (struct hitop_paths){0};
    paths->first = calloc((size_t)nranks, sizeof(int));
    paths->last = calloc((size_t)nranks, sizeof(int));
    if (!paths->first || !paths->last) {
        return HITOP_ERR_NOMEM;
    }
    for (int rank = 0; rank < nranks; rank++) {
        paths->first[rank] = paths->last[rank] = -1;
    }
    return HITOP_OK;
}

void paths_clear(struct hitop_paths *paths)
{
    text_pool_clear(&paths->text);
    free(paths->last);
    free(paths->first);
    free(paths->step);
    *paths = (struct hitop_paths){0};
}

static int grow(struct hitop_paths *paths)
{
    const int max = paths->max_steps > 0 ? 2 * paths->max_steps : 64;
    struct path_step *larger;

    if (paths->nsteps < paths->max_steps) {
        return 1;
    }
    larger = paths->max_steps < INT_MAX / 4
                 ? reallocarray(paths->step, (size_t)max, sizeof(*paths->step))
                 : NULL;
    if (!larger) {
        return 0;
    }
    paths->step = larger;
    paths->max_steps = max;
    return 1;
}

void hitop_paths_push(struct hitop_paths *paths, int rank, const char *level, const char *name,
                      double confidence)
{
    const char *own_name = text_pool_keep(&paths->text, name);
    const int new = paths->nsteps;

    if (!own_name || !grow(paths)) {
        paths->out_of_memory = 1;
        return;
    }
    paths->step[new] = (struct path_step){.level = level,
                                          .name = own_name,
                                          .source = paths->source->name,
                                          .confidence = confidence,
                                          .layer = paths->source->layer,
                                          .next = -1};
    if (paths->last[rank] < 0) {
        paths->first[rank] = new;
    } else {
        paths->step[paths->last[rank]].next = new;
    }
    paths->last[rank] = new;
    paths->nsteps++;
}
