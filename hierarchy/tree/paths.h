/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PATHS_H
#define PATHS_H

/* paths.h - lists of the groups of every place, from the outside inwards; sources fill them. */

#include "hitop/sys/source.h"

#include "hierarchy/text/storage.h"
#include "hierarchy/text/text_index.h"

struct path_step {
    const char *level, *name;
    const struct hitop_source *source;
    double confidence;
    enum hitop_layer layer;
    int next; /* index of the step inside, or -1 */
};

/*
 * The innermost group that the current source reports for a place, even if another source has
 * placed it already.
 */
struct path_claim {
    int group; /* equal for places in one group; -1: none */
    const char *level, *name;
};

struct hitop_paths {
    struct path_step *step;
    int *first, *last; /* per place: index in step[], or -1 */
    int nplaces, nsteps, max_steps;
    const struct hitop_source *source; /* the current one */
    char *known;                       /* per place: 1 if the current source knows it */
    struct path_claim *claim;          /* per place; NULL: not needed */
    struct text_index groups;          /* of claims: "outer group, level, name" */
    struct storage text;
};

/* HITOP_ERR_NOMEM without a message; the caller clears the paths in any case. */
enum hitop_status hitop_paths_init(struct hitop_paths *paths, int nplaces);

/*
 * Begin with a source. Its claims are stored in claim[], one per place, unless that is NULL; their
 * texts are valid until the paths are cleared.
 */
void hitop_paths_begin(struct hitop_paths *paths, const struct hitop_source *source,
                       struct path_claim *claim);

void hitop_paths_clear(struct hitop_paths *paths);

#endif /* PATHS_H */
