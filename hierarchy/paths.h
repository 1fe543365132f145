/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PATHS_H
#define PATHS_H

/* paths.h - the groups of every place as lists, filled by sources, read by the grouping. */

#include "hitop/sys/source.h"

#include "text_pool.h"

struct path_step {
    const char *level, *name;
    const struct hitop_source *source;
    double confidence;
    enum hitop_layer layer;
    int next; /* index of the step inside, or -1 */
};

struct hitop_paths {
    struct path_step *step;
    int *first, *last; /* per place: index in step[], or -1 */
    int nplaces, nsteps, max_steps;
    int out_of_memory;                 /* sticky */
    long nsaid;                        /* pushes, heard or not */
    const struct hitop_source *source; /* the one that is pushing */
    struct text_pool text;
};

/* Returns HITOP_ERR_NOMEM without a message; clear in any case. */
enum hitop_status paths_init(struct hitop_paths *paths, int nplaces);

void paths_clear(struct hitop_paths *paths);

#endif /* PATHS_H */
