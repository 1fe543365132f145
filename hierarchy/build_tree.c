/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * build_tree.c - merge the paths of all hosts and ranks into one tree.
 *
 * Hosts are sorted by path, so that a host shares with its predecessor whatever it shares with anybody
 * before it; then the ranks, by host, by what is inside. Groups that would have a single member are left
 * out.
 */
#include <config.h>

#include "group_impl.h"

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
    const struct host_table *table;
    const struct hitop_place *place;
    struct group *group; /* parents before their members */
    int *home;           /* per rank: innermost group */
    int *host_home;      /* per host: its group */
    int ngroups;
};

struct sortable {
    const struct hitop_paths *paths; /* NULL: all alike */
    int key;                         /* what counts before the path */
    int index;
};

int compare_steps(const struct path_step *x, const struct path_step *y)
{
    int order;

    if (x->source != y->source) {
        return strcmp(x->source->name, y->source->name);
    }
    order = x->level == y->level ? 0 : strcmp(x->level, y->level);
    return order || x->name == y->name ? order : strcmp(x->name, y->name);
}

static int compare_paths(const void *a, const void *b)
{
    const struct sortable *x = a, *y = b;
    int i = x->paths ? x->paths->first[x->index] : -1;
    int j = y->paths ? y->paths->first[y->index] : -1;

    if (x->key != y->key) {
        return x->key < y->key ? -1 : 1;
    }
    while (i >= 0 && j >= 0) {
        const int order = compare_steps(&x->paths->step[i], &y->paths->step[j]);
        if (order) {
            return order;
        }
        i = x->paths->step[i].next;
        j = y->paths->step[j].next;
    }
    if ((i >= 0) != (j >= 0)) { /* the shorter path first */
        return i >= 0 ? 1 : -1;
    }
    return (x->index > y->index) - (x->index < y->index);
}

/* The group that step leads to from a group; members come sorted, so it is the newest one or new. */
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

/* Follow a path from a group inwards; returns the innermost group. */
static int follow(struct grouping *g, int from, const struct hitop_paths *paths, int index)
{
    int at = from;

    for (int step = paths ? paths->first[index] : -1; step >= 0; step = paths->step[step].next) {
        at = enter(g, at, &paths->step[step]);
    }
    return at;
}

static enum hitop_status place_hosts(struct grouping *g, const struct hitop_paths *paths)
{
    const int n = g->table->nhosts;
    struct sortable *sorted = calloc((size_t)n, sizeof(*sorted));

    if (!sorted) {
        return HITOP_ERR_NOMEM;
    }
    for (int i = 0; i < n; i++) {
        sorted[i] = (struct sortable){.paths = paths, .index = i};
    }
    qsort(sorted, (size_t)n, sizeof(*sorted), compare_paths);
    for (int i = 0; i < n; i++) {
        g->host_home[sorted[i].index] = follow(g, 0, paths, sorted[i].index);
    }
    free(sorted);
    return HITOP_OK;
}

static enum hitop_status place_ranks(struct grouping *g, const struct hitop_paths *paths)
{
    const int n = g->table->nranks;
    struct sortable *sorted = paths ? calloc((size_t)n, sizeof(*sorted)) : NULL;

    if (paths && !sorted) {
        return HITOP_ERR_NOMEM;
    }
    for (int rank = 0; rank < n && paths; rank++) {
        sorted[rank] = (struct sortable){
            .paths = paths, .key = g->host_home[g->table->host_of[rank]], .index = rank};
    }
    if (paths) {
        qsort(sorted, (size_t)n, sizeof(*sorted), compare_paths);
    }
    for (int i = 0; i < n; i++) {
        const int rank = paths ? sorted[i].index : i;
        const int home = follow(g, g->host_home[g->table->host_of[rank]], paths, rank);

        g->group[home].nmembers++;
        g->group[home].nranks++;
        g->home[rank] = home;
    }
    for (int i = g->ngroups - 1; i > 0; i--) { /* members stand behind their groups */
        g->group[g->group[i].parent].nranks += g->group[i].nranks;
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
        hitop_hierarchy_builder_attr(b, group->handle, "source", step->source->name);
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

/* Add the ranks of one group, which ascend: one leaf for those of each host. */
static enum hitop_status add_members(const struct grouping *g, int group, const int *rank, int n,
                                     struct hitop_ranks *ranges, struct hitop_hierarchy_builder *b)
{
    const int *host_of = g->table->host_of;
    enum hitop_status status = HITOP_OK;

    for (int i = 0, end; i < n && status == HITOP_OK; i = end) {
        for (end = i + 1; end < n && host_of[rank[end]] == host_of[rank[i]]; end++) {
        }
        ranges->n = 0;
        status = hitop_ranks_add(ranges, rank + i, end - i, NULL);
        if (status == HITOP_OK) {
            const int leaf =
                hitop_hierarchy_builder_leaves(b, ranges->range, ranges->n, g->place[rank[i]].host);
            hitop_hierarchy_builder_edge(b, leaf, g->group[group].handle);
        }
    }
    return status;
}

static enum hitop_status add_leaves(const struct grouping *g, struct hitop_hierarchy_builder *b)
{
    const int nranks = g->table->nranks;
    int *end = calloc((size_t)g->ngroups + 1, sizeof(*end)); /* of each group in rank[] */
    int *rank = calloc((size_t)nranks, sizeof(*rank));       /* by group */
    struct hitop_ranks ranges = {0};
    enum hitop_status status = end && rank ? HITOP_OK : HITOP_ERR_NOMEM;

    for (int r = 0; r < nranks && status == HITOP_OK; r++) {
        end[g->home[r] + 1]++;
    }
    for (int i = 0; i < g->ngroups && status == HITOP_OK; i++) {
        end[i + 1] += end[i];
    }
    for (int r = 0; r < nranks && status == HITOP_OK; r++) {
        rank[end[g->home[r]]++] = r;
    }
    for (int i = 0, begin = 0; i < g->ngroups && status == HITOP_OK; begin = end[i++]) {
        status = add_members(g, i, rank + begin, end[i] - begin, &ranges, b);
    }
    hitop_ranks_clear(&ranges);
    free(rank);
    free(end);
    return status;
}

static enum hitop_status build(struct grouping *g, int keep_chains, struct hitop_hierarchy **out,
                               struct hitop_diag *diag)
{
    struct hitop_hierarchy_builder *b = hitop_hierarchy_builder_new();
    enum hitop_status status;

    if (!b) {
        return HITOP_ERR_NOMEM;
    }
    add_groups(g, b, keep_chains);
    status = add_leaves(g, b);
    if (status == HITOP_OK) {
        status = hitop_hierarchy_builder_finish(b, out, diag);
    }
    hitop_hierarchy_builder_free(b);
    return status;
}

enum hitop_status build_tree(const struct host_table *t, const struct hitop_place *place,
                             const struct hitop_paths *hosts, const struct hitop_paths *inside,
                             int keep_chains, struct hitop_hierarchy **out, struct hitop_diag *diag)
{
    const int most = 1 + hosts->nsteps + (inside ? inside->nsteps : 0);
    struct grouping g = {.table = t, .place = place, .ngroups = 1};
    enum hitop_status status = HITOP_ERR_NOMEM;

    g.group = calloc((size_t)most, sizeof(*g.group));
    g.home = calloc((size_t)t->nranks, sizeof(*g.home));
    g.host_home = calloc((size_t)t->nhosts, sizeof(*g.host_home));
    if (g.group && g.home && g.host_home) {
        g.group[0] = (struct group){.parent = -1, .newest = -1, .handle = HITOP_NO_NODE};
        status = place_hosts(&g, hosts);
    }
    if (status == HITOP_OK) {
        status = place_ranks(&g, inside);
    }
    if (status == HITOP_OK) {
        status = build(&g, keep_chains, out, diag);
    }
    free(g.host_home);
    free(g.home);
    free(g.group);
    return status;
}
