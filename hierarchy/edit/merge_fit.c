/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * merge_fit.c - places for the groups of one more part, from the root downwards.
 *
 * Members of a group that has no place go where the next group above it is.
 */
#include <config.h>

#include "hierarchy/edit/merge.h"

#include <string.h>

/* Where the next group above a node is. */
static int find_place(const struct merge_step *s, int node)
{
    int up = hitop_hierarchy_parent(s->h, node);

    while (up != HITOP_NO_NODE && s->to[up] == MERGE_NONE) {
        up = hitop_hierarchy_parent(s->h, up);
    }
    return up == HITOP_NO_NODE ? s->m->root : s->to[up];
}

static void fit_group(struct merge_step *s, int node)
{
    struct merge *m = s->m;
    const char *level = hitop_hierarchy_level(s->h, node);
    const char *name = hitop_hierarchy_name(s->h, node);
    const int place = find_place(s, node);
    const int named = merge_find_named(m, place, level, name);

    if (named != MERGE_NONE && m->group[named].taken != s->part) {
        merge_note_group(s, named, node);
        return;
    }
    if (merge_fit_old(s, node, place) == 0) {
        const int added = merge_add_group(m, level, name, place);
        if (added != MERGE_NONE) {
            merge_note_group(s, added, node);
        }
    }
}

static int is_mere_root(const char *level, const char *name)
{
    return !name[0] && (!level[0] || strcmp(level, "root") == 0);
}

/* Roots are one if they are alike; a mere root is above all others, and is added if there is none. */
static void fit_root(struct merge_step *s)
{
    struct merge *m = s->m;
    const int node = hitop_hierarchy_root(s->h);
    const char *level = hitop_hierarchy_level(s->h, node);
    const char *name = hitop_hierarchy_name(s->h, node);
    const struct merge_group *root = m->root == MERGE_NONE ? NULL : &m->group[m->root];

    if (!root) {
        m->root = merge_add_group(m, level, name, MERGE_NONE);
    } else if (is_mere_root(root->level, root->name)
                   ? !is_mere_root(level, name)
                   : strcmp(root->level, level) != 0 || strcmp(root->name, name) != 0) {
        if (!is_mere_root(root->level, root->name)) {
            const int old = m->root, top = merge_add_group(m, "root", "", MERGE_NONE);
            if (top == MERGE_NONE) {
                return;
            }
            merge_move_group(m, old, top);
            m->root = top;
            merge_count_ranks(s);
        }
        if (!is_mere_root(level, name)) {
            fit_group(s, node); /* a group like any other */
            return;
        }
    }
    if (m->root != MERGE_NONE) {
        merge_note_group(s, m->root, node);
    }
}

/* The group that a rank stays in, as far out as it is apart from a place. */
static int part_from(const struct merge *m, int group, int place)
{
    while (!merge_is_in(m, place, m->group[group].up)) {
        group = m->group[group].up;
    }
    return group;
}

/* New ranks go to their group; old ones stay, which is told where it contradicts. */
static void fit_ranks(struct merge_step *s)
{
    struct merge *m = s->m;
    const char *told = "";

    for (int rank = 0; rank < hitop_hierarchy_nranks(s->h); rank++) {
        struct merge_rank *r = &m->rank[s->to[rank]];
        const int place = find_place(s, rank);

        if (!merge_is_old(s, rank)) {
            r->up = place;
        } else if (!merge_is_in(m, r->up, place) && strcmp(told, r->host) != 0) {
            told = r->host;
            merge_tell(m, "host %s is in %s of %s, but stays in %s", r->host,
                       merge_title_of(m, place).text, m->part[s->part].name,
                       merge_title_of(m, part_from(m, r->up, place)).text);
        }
    }
}

void merge_fit(struct merge_step *s)
{
    merge_count_ranks(s);
    fit_root(s);
    for (int node = hitop_hierarchy_root(s->h) - 1;
         node >= hitop_hierarchy_nranks(s->h) && !s->m->out_of_memory; node--) {
        fit_group(s, node);
    }
    if (!s->m->out_of_memory) {
        fit_ranks(s);
    }
}
