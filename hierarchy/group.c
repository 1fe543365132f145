/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * group.c - merge the paths of all ranks into one tree.
 *
 * Ranks are sorted by path, so that a rank shares with its predecessor whatever it shares with
 * anybody before it. Groups that would have a single member are then left out.
 */
#include <config.h>

#include "paths.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct group {
    const struct path_step *step; /* NULL for the root */
    int parent;                   /* index, or -1 for the root */
    int nmembers;                 /* groups and ranks directly inside */
    int nranks;                   /* at any depth */
    int newest;                   /* member group added last, or -1 */
    int handle; /* in the builder: its own or that of the group it is left out of */
};

struct grouping {
    const struct hitop_paths *paths;
    const struct hitop_place *place;
    struct group *group; /* parents before their members */
    int *home;           /* per rank: innermost group */
    int ngroups;
};

struct sortable {
    const struct path_step *all;
    int first, rank;
};

static int compare_steps(const struct path_step *x, const struct path_step *y)
{
    const int by_level = strcmp(x->level, y->level);

    return by_level ? by_level : strcmp(x->name, y->name);
}

static int compare_paths(const void *a, const void *b)
{
    const struct sortable *x = a, *y = b;
    int i = x->first, j = y->first;

    while (i >= 0 && j >= 0) {
        const int order = compare_steps(&x->all[i], &y->all[j]);
        if (order) {
            return order;
        }
        i = x->all[i].next;
        j = y->all[j].next;
    }
    if ((i >= 0) != (j >= 0)) { /* the shorter path first */
        return i >= 0 ? 1 : -1;
    }
    return (x->rank > y->rank) - (x->rank < y->rank);
}

/* The group that step leads to from a group; ranks come sorted, so it is the newest one or new. */
static int enter(struct grouping *g, int from, const struct path_step *step)
{
    const int newest = g->group[from].newest;

    if (newest >= 0 && compare_steps(g->group[newest].step, step) == 0) {
        return newest;
    }
    g->group[g->ngroups] =
        (struct group){.step = step, .parent = from, .newest = -1, .handle = HITOP_NO_NODE};
    g->group[from].nmembers++;
    g->group[from].newest = g->ngroups;
    return g->ngroups++;
}

static enum hitop_status merge_paths(struct grouping *g, int nranks)
{
    const struct path_step *all = g->paths->step;
    struct sortable *sorted = calloc((size_t)nranks, sizeof(*sorted));

    if (!sorted) {
        return HITOP_ERR_NOMEM;
    }
    for (int rank = 0; rank < nranks; rank++) {
        sorted[rank] = (struct sortable){.all = all, .first = g->paths->first[rank], .rank = rank};
    }
    qsort(sorted, (size_t)nranks, sizeof(*sorted), compare_paths);
    g->group[0] = (struct group){.parent = -1, .newest = -1, .handle = HITOP_NO_NODE};
    g->ngroups = 1;
    for (int i = 0; i < nranks; i++) {
        int at = 0;

        g->group[0].nranks++;
        for (int step = sorted[i].first; step >= 0; step = all[step].next) {
            at = enter(g, at, &all[step]);
            g->group[at].nranks++;
        }
        g->group[at].nmembers++;
        g->home[sorted[i].rank] = at;
    }
    free(sorted);
    return HITOP_OK;
}

static int is_in_layer(const struct group *group, enum hitop_layer layer)
{
    return group->step && group->step->layer == layer;
}

/*
 * Of a chain of groups with one member each the innermost stays, which says most about where ranks
 * are. Inside a host it is the outermost, so that ranks that share everything just share the host.
 */
static int is_kept(const struct grouping *g, int i, int keep_chains, int keep_hosts)
{
    const struct group *group = &g->group[i];

    if (keep_chains || (keep_hosts && is_in_layer(group, HITOP_LAYER_HOST))) {
        return 1;
    }
    if (is_in_layer(group, HITOP_LAYER_INSIDE)) {
        return group->nranks > 1 && g->group[group->parent].nmembers > 1;
    }
    return group->nmembers > 1;
}

static void add_group(struct hitop_hierarchy_builder *b, struct group *group, int parent_handle)
{
    const struct path_step *step = group->step;
    char confidence[32];

    group->handle =
        hitop_hierarchy_builder_group(b, step ? step->level : "root", step ? step->name : "");
    if (step) {
        (void)snprintf(confidence, sizeof(confidence), "%g", step->confidence);
        hitop_hierarchy_builder_attr(b, group->handle, "source", step->source);
        hitop_hierarchy_builder_attr(b, group->handle, "confidence", confidence);
    }
    if (parent_handle != HITOP_NO_NODE) {
        hitop_hierarchy_builder_edge(b, group->handle, parent_handle);
    }
}

static void add_groups(struct grouping *g, struct hitop_hierarchy_builder *b, int keep_chains)
{
    int keep_hosts = 0, nkept = 0;

    for (int i = 0; i < g->ngroups; i++) {
        keep_hosts =
            keep_hosts || (is_in_layer(&g->group[i], HITOP_LAYER_HOST) && g->group[i].nranks > 1);
    }
    for (int i = 0; i < g->ngroups; i++) {
        nkept += is_kept(g, i, keep_chains, keep_hosts);
    }
    for (int i = 0; i < g->ngroups; i++) {
        struct group *group = &g->group[i];
        const int above = group->parent < 0 ? HITOP_NO_NODE : g->group[group->parent].handle;

        if (is_kept(g, i, keep_chains, keep_hosts) || (i == 0 && nkept == 0)) {
            add_group(b, group, above);
        } else {
            group->handle = above;
        }
    }
}

static enum hitop_status build(struct grouping *g, int nranks, int keep_chains,
                               struct hitop_hierarchy **out, struct hitop_diag *diag)
{
    struct hitop_hierarchy_builder *b = hitop_hierarchy_builder_new();
    enum hitop_status status;

    if (!b) {
        return HITOP_ERR_NOMEM;
    }
    add_groups(g, b, keep_chains);
    for (int rank = 0; rank < nranks; rank++) {
        const int leaf = hitop_hierarchy_builder_leaf(b, rank, g->place[rank].host);
        hitop_hierarchy_builder_edge(b, leaf, g->group[g->home[rank]].handle);
    }
    status = hitop_hierarchy_builder_finish(b, out, diag);
    hitop_hierarchy_builder_free(b);
    return status;
}

/* Ask the sources of each layer in turn, until one of the layer says something. */
static enum hitop_status ask_sources(const struct hitop_place *place, int nranks,
                                     const struct hitop_grouping *how, struct hitop_paths *paths,
                                     struct hitop_diag *diag)
{
    for (int layer = 0; layer < HITOP_NLAYERS; layer++) {
        const int before = paths->nsteps;

        for (const struct hitop_source *const *s = hitop_sources(); *s && paths->nsteps == before;
             s++) {
            enum hitop_status status = HITOP_OK;
            if ((int)(*s)->layer == layer) {
                paths->source = *s;
                status = (*s)->classify(place, nranks, how, paths, diag);
            }
            if (status != HITOP_OK) {
                return status;
            }
        }
    }
    return paths->out_of_memory ? HITOP_ERR_NOMEM : HITOP_OK;
}

static enum hitop_status check_arguments(const struct hitop_place *place, int nranks,
                                         const struct hitop_grouping *how, struct hitop_diag *diag)
{
    if (nranks < 1) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "no ranks to group");
    }
    if (how->prefix_length < 0) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "prefix length %d is negative",
                          how->prefix_length);
    }
    for (int i = 0; i < how->nprefixes; i++) {
        if (!how->prefixes[i][0]) {
            return hitop_fail(diag, HITOP_ERR_INVALID, "an empty prefix matches every host");
        }
    }
    for (int rank = 0; rank < nranks; rank++) {
        if (!place[rank].host[0]) {
            return hitop_fail(diag, HITOP_ERR_INVALID, "rank %d has no host name", rank);
        }
    }
    return HITOP_OK;
}

enum hitop_status hitop_hierarchy_group(const struct hitop_place *place, int nranks,
                                        const struct hitop_grouping *how,
                                        struct hitop_hierarchy **out, struct hitop_diag *diag)
{
    struct hitop_paths paths = {0};
    struct grouping g = {.paths = &paths, .place = place};
    enum hitop_status status = check_arguments(place, nranks, how, diag);

    *out = NULL;
    if (status != HITOP_OK) {
        return status;
    }
    status = paths_init(&paths, nranks);
    if (status == HITOP_OK) {
        status = ask_sources(place, nranks, how, &paths, diag);
    }
    if (status == HITOP_OK) {
        g.group = calloc((size_t)paths.nsteps + 1, sizeof(*g.group));
        g.home = calloc((size_t)nranks, sizeof(*g.home));
        status = g.group && g.home ? merge_paths(&g, nranks) : HITOP_ERR_NOMEM;
    }
    if (status == HITOP_OK) {
        status = build(&g, nranks, how->keep_chains, out, diag);
    }
    free(g.home);
    free(g.group);
    paths_clear(&paths);
    return status == HITOP_ERR_NOMEM ? hitop_fail(diag, status, "grouping: out of memory") : status;
}
