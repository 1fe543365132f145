/* SPDX-License-Identifier: BSD-3-Clause */
/* drop_sites.c - where domains contradict what is known about the network, the network counts. */
#include <config.h>

#include "hierarchy/tree/group_impl.h"

#include <stdlib.h>

/* A place in the outermost group that a source of all sites names. */
struct member {
    const struct hitop_paths *paths;
    int place;
    int outermost; /* index of that group's step */
};

/* The first step of a place that is not about sites, or -1. */
static int behind_sites(const struct hitop_paths *paths, int place)
{
    int at = paths->first[place];

    while (at >= 0 && paths->step[at].layer == HITOP_LAYER_SITE) {
        at = paths->step[at].next;
    }
    return at;
}

static int by_group(const void *a, const void *b)
{
    const struct member *x = a, *y = b;

    return compare_steps(&x->paths->step[x->outermost], &y->paths->step[y->outermost]);
}

static int are_at_one_site(const struct hitop_paths *paths, int x, int y)
{
    const struct path_step *step = paths->step;
    int i = paths->first[x], j = paths->first[y];

    while (i >= 0 && j >= 0 && step[i].layer == HITOP_LAYER_SITE &&
           compare_steps(&step[i], &step[j]) == 0) {
        i = step[i].next;
        j = step[j].next;
    }
    return (i < 0 || step[i].layer != HITOP_LAYER_SITE) &&
           (j < 0 || step[j].layer != HITOP_LAYER_SITE);
}

enum hitop_status drop_cut_sites(struct hitop_paths *paths)
{
    struct member *member = calloc((size_t)paths->nplaces, sizeof(*member));
    int n = 0, is_cut = 0;

    if (!member) {
        return HITOP_ERR_NOMEM;
    }
    for (int i = 0; i < paths->nplaces; i++) {
        const int at = behind_sites(paths, i);
        if (at >= 0 && paths->step[at].layer == HITOP_LAYER_NETWORK &&
            paths->step[at].source->spans_sites) {
            member[n++] = (struct member){paths, i, at};
        }
    }
    qsort(member, (size_t)n, sizeof(*member), by_group);
    for (int i = 1; i < n && !is_cut; i++) {
        is_cut = by_group(&member[i - 1], &member[i]) == 0 &&
                 !are_at_one_site(paths, member[i - 1].place, member[i].place);
    }
    for (int i = 0; i < paths->nplaces && is_cut; i++) {
        paths->first[i] = behind_sites(paths, i);
        if (paths->first[i] < 0) {
            paths->last[i] = -1;
        }
    }
    free(member);
    return HITOP_OK;
}
