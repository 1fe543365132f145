/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * merge_paths.c - merge the paths of all hosts and ranks into one tree.
 *
 * Hosts are sorted by path, so that a host shares with its predecessor all groups that it shares
 * with any host before it; then ranks are sorted by host and by path inside the host.
 */
#include <config.h>

#include "hierarchy/tree/merged_tree.h"

#include <stdlib.h>
#include <string.h>

struct sortable {
    const struct hitop_paths *paths;
    int key; /* 0 for hosts; for ranks the group of their host. Compared before the path. */
    int index;
};

int hitop_compare_steps(const struct path_step *x, const struct path_step *y)
{
    int order;

    if (x->source != y->source) {
        return strcmp(x->source->name, y->source->name);
    }
    order = x->level == y->level ? 0 : strcmp(x->level, y->level);
    return order || x->name == y->name ? order : strcmp(x->name, y->name);
}

int hitop_compare_paths(const struct hitop_paths *paths, int x, int y)
{
    const struct path_step *step = paths->step;
    int i = paths->first[x], j = paths->first[y];

    while (i >= 0 && j >= 0) {
        const int order = hitop_compare_steps(&step[i], &step[j]);
        if (order) {
            return order;
        }
        i = step[i].next;
        j = step[j].next;
    }
    return (i >= 0) - (j >= 0);
}

static int by_path(const void *a, const void *b)
{
    const struct sortable *x = a, *y = b;
    int order = (x->key > y->key) - (x->key < y->key);

    order = order ? order : hitop_compare_paths(x->paths, x->index, y->index);
    return order ? order : (x->index > y->index) - (x->index < y->index);
}

/* The member of group from for a step. Paths are sorted: it is the newest member or a new one. */
static int enter(struct merged_tree *t, int from, const struct path_step *step)
{
    const int newest = t->group[from].newest;

    if (newest >= 0 && hitop_compare_steps(t->group[newest].step, step) == 0) {
        return newest;
    }
    t->group[t->ngroups] = (struct merged_group){.step = step, .parent = from, .newest = -1};
    t->group[from].nmembers++;
    t->group[from].newest = t->ngroups;
    return t->ngroups++;
}

/* Follow a path from a group inwards; returns the innermost group. */
static int follow(struct merged_tree *t, int from, const struct hitop_paths *paths, int index)
{
    int at = from;

    for (int step = paths->first[index]; step >= 0; step = paths->step[step].next) {
        at = enter(t, at, &paths->step[step]);
    }
    return at;
}

static void place_hosts(struct merged_tree *t, const struct hitop_paths *paths,
                        struct sortable *sorted)
{
    const int n = t->table->nhosts;

    for (int i = 0; i < n; i++) {
        sorted[i] = (struct sortable){.paths = paths, .index = i};
    }
    qsort(sorted, (size_t)n, sizeof(*sorted), by_path);
    for (int i = 0; i < n; i++) {
        t->innermost_of_host[sorted[i].index] = follow(t, 0, paths, sorted[i].index);
    }
}

static void place_rank(struct merged_tree *t, int rank, int innermost)
{
    t->group[innermost].nmembers++;
    t->group[innermost].nranks++;
    t->innermost[rank] = innermost;
}

/* Place ranks directly on their hosts. */
static void place_on_hosts(struct merged_tree *t)
{
    for (int rank = 0; rank < t->table->nranks; rank++) {
        place_rank(t, rank, t->innermost_of_host[t->table->host_of[rank]]);
    }
}

static void place_inside(struct merged_tree *t, const struct hitop_paths *paths,
                         struct sortable *sorted)
{
    const int n = t->table->nranks;

    for (int rank = 0; rank < n; rank++) {
        sorted[rank] = (struct sortable){
            .paths = paths, .key = t->innermost_of_host[t->table->host_of[rank]], .index = rank};
    }
    qsort(sorted, (size_t)n, sizeof(*sorted), by_path);
    for (int i = 0; i < n; i++) {
        place_rank(t, sorted[i].index, follow(t, sorted[i].key, paths, sorted[i].index));
    }
}

enum hitop_status hitop_merge_paths(struct merged_tree *t, const struct host_table *table,
                                    const struct hitop_paths *hosts,
                                    const struct hitop_paths *inside, struct storage *scratch)
{
    struct sortable *sorted; /* there are at least as many ranks as hosts */

    *t = (struct merged_tree){.table = table, .ngroups = 1};
    if (!STORAGE_ARRAY(scratch, t->group, hosts->nsteps + (inside ? inside->nsteps : 0)) ||
        !STORAGE_ARRAY(scratch, t->innermost, table->nranks) ||
        !STORAGE_ARRAY(scratch, t->innermost_of_host, table->nhosts) ||
        !STORAGE_ARRAY(scratch, sorted, table->nranks)) {
        return HITOP_ERR_NOMEM;
    }
    t->group[0] = (struct merged_group){.parent = -1, .newest = -1};
    place_hosts(t, hosts, sorted);
    if (inside) {
        place_inside(t, inside, sorted);
    } else {
        place_on_hosts(t);
    }
    for (int i = t->ngroups - 1; i > 0; i--) { /* groups come before their members */
        t->group[t->group[i].parent].nranks += t->group[i].nranks;
    }
    return HITOP_OK;
}
