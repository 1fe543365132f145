/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PATHS_H
#define PATHS_H

/* paths.h - the groups of every place as lists, filled by sources, read by the grouping. */

#include "hitop/sys/source.h"

#include "hierarchy/text/text_index.h"
#include "hierarchy/text/text_pool.h"

struct path_step {
    const char *level, *name;
    const struct hitop_source *source;
    double confidence;
    enum hitop_layer layer;
    int next; /* index of the step inside, or -1 */
};

/* The innermost group that the source at hand puts a place into. */
struct path_claim {
    int group; /* equal for places in one group; -1: none */
    const char *level, *name;
};

struct hitop_paths {
    struct path_step *step;
    int *first, *last; /* per place: index in step[], or -1 */
    int nplaces, nsteps, max_steps;
    int out_of_memory;                 /* sticky */
    const struct hitop_source *source; /* the one that is pushing */
    char *known;                       /* per place: 1 when that source knows it */
    struct path_claim *claim;          /* per place, used or not; NULL: not wanted */
    struct text_index groups;          /* of claims: "outer group, level, name" */
    struct text_pool text;
};

/* Returns HITOP_ERR_NOMEM without a message; clear in any case. */
enum hitop_status hitop_paths_init(struct hitop_paths *paths, int nplaces);

/*
 * The next source is about to push. Its claims go to claim[], one per place, or nowhere where that
 * is NULL; their texts live as long as the paths.
 */
void hitop_paths_begin(struct hitop_paths *paths, const struct hitop_source *source,
                       struct path_claim *claim);

void hitop_paths_clear(struct hitop_paths *paths);

#endif /* PATHS_H */
