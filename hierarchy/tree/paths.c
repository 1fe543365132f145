/* SPDX-License-Identifier: BSD-3-Clause */
/* paths.c - lists of the groups of every place. */
#include <config.h>

#include "hierarchy/tree/paths.h"

#include "src/grow.h"

#include <stdlib.h>
#include <string.h>

enum hitop_status hitop_paths_init(struct hitop_paths *paths, int nplaces)
{
    *paths = (struct hitop_paths){.nplaces = nplaces};
    if (!STORAGE_ARRAY(&paths->text, paths->first, nplaces) ||
        !STORAGE_ARRAY(&paths->text, paths->last, nplaces) ||
        !STORAGE_ARRAY(&paths->text, paths->known, nplaces)) {
        return HITOP_ERR_NOMEM;
    }
    for (int i = 0; i < nplaces; i++) {
        paths->first[i] = paths->last[i] = -1;
    }
    return HITOP_OK;
}

void hitop_paths_clear(struct hitop_paths *paths)
{
    hitop_text_index_clear(&paths->groups);
    hitop_storage_clear(&paths->text);
    free(paths->step);
}

/*
 * A stored copy of text: that of the previous step if it is equal, which saves memory, because
 * ranks of a host are often pushed in sequence.
 */
static const char *keep(struct hitop_paths *paths, const char *before, const char *text)
{
    return before && strcmp(before, text) == 0 ? before : hitop_storage_text(&paths->text, text);
}

void hitop_paths_begin(struct hitop_paths *paths, const struct hitop_source *source,
                       struct path_claim *claim)
{
    paths->source = source;
    memset(paths->known, 0, (size_t)paths->nplaces);
    paths->claim = claim;
    for (int i = 0; i < paths->nplaces && claim; i++) {
        claim[i] = (struct path_claim){.group = -1};
    }
}

/* Move a claim inwards: to the group with this level and name inside its current group. */
static void claim(struct hitop_paths *paths, struct path_claim *of, const char *level,
                  const char *name)
{
    const char *key = hitop_storage_print(&paths->text, "%d %s %s", of->group, level, name);
    int is_new;

    of->group = hitop_text_index_put(&paths->groups, key, &is_new);
    paths->text.out_of_memory |= of->group < 0;
    of->level = level;
    of->name = name;
}

void hitop_paths_know(struct hitop_paths *paths, int index)
{
    paths->known[index] = 1;
}

int hitop_paths_is_taken(const struct hitop_paths *paths, int index)
{
    const int last = paths->last[index];

    return last >= 0 && paths->step[last].layer == paths->source->layer &&
           paths->step[last].source != paths->source;
}

void hitop_paths_push(struct hitop_paths *paths, int index, const char *level, const char *name,
                      double confidence)
{
    const int new = paths->nsteps, last = paths->last[index];
    const struct path_step *newest = new > 0 ? &paths->step[new - 1] : NULL;
    const int is_taken = hitop_paths_is_taken(paths, index);
    const char *own_level, *own_name;

    paths->known[index] = 1;
    if (paths->text.out_of_memory || (is_taken && !paths->claim)) {
        return;
    }
    own_level = keep(paths, newest ? newest->level : NULL, level);
    own_name = keep(paths, newest ? newest->name : NULL, name);
    if (paths->text.out_of_memory || !HITOP_GROW(paths->step, paths->nsteps, paths->max_steps)) {
        paths->text.out_of_memory = 1;
        return;
    }
    if (paths->claim) {
        claim(paths, &paths->claim[index], own_level, own_name);
    }
    if (is_taken || paths->text.out_of_memory) {
        return;
    }
    paths->step[new] = (struct path_step){.level = own_level,
                                          .name = own_name,
                                          .source = paths->source,
                                          .confidence = confidence,
                                          .layer = paths->source->layer,
                                          .next = -1};
    if (last < 0) {
        paths->first[index] = new;
    } else {
        paths->step[last].next = new;
    }
    paths->last[index] = new;
    paths->nsteps++;
}
