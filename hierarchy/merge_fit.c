/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * merge_fit.c - places for the groups of one more part, from the root downwards.
 *
 * Groups are sets of ranks that either contain each other or have nothing in common. A group that would
 * cut through one that is there has no place; its members go where the next group above it is.
 */
#include <config.h>

#include "merge.h"

#include <stdio.h>
#include <string.h>

static int is_in(const struct merge *m, int group, int top)
{
    while (group != MERGE_NONE && group != top) {
        group = m->group[group].up;
    }
    return group == top;
}

/* Where the next group above a node is. */
static int find_place(const struct merge_step *s, int node)
{
    int up = hitop_hierarchy_parent(s->h, node);

    while (up != HITOP_NO_NODE && s->to[up] == MERGE_NONE) {
        up = hitop_hierarchy_parent(s->h, up);
    }
    return up == HITOP_NO_NODE ? s->m->root : s->to[up];
}

static int is_old(const struct merge_step *s, int rank)
{
    return s->to[rank] < s->old_ranks;
}

/* Count the ranks below every group, and those of them that the part at hand has too. */
static void count_ranks(struct merge_step *s)
{
    struct merge *m = s->m;

    for (int g = 0; g < m->ngroups; g++) {
        m->group[g].total = m->group[g].common = m->group[g].hits = 0;
    }
    for (int rank = 0; rank < s->old_ranks; rank++) {
        for (int g = m->rank[rank].up; g != MERGE_NONE; g = m->group[g].up) {
            m->group[g].total++;
        }
    }
    for (int rank = 0; rank < hitop_hierarchy_nranks(s->h); rank++) {
        int g = is_old(s, rank) ? m->rank[s->to[rank]].up : MERGE_NONE;
        for (; g != MERGE_NONE; g = m->group[g].up) {
            m->group[g].common++;
        }
    }
}

/* The first or next old rank below a node, HITOP_NO_NODE at the end. */
static int next_old(const struct merge_step *s, int top, int node)
{
    do {
        node = hitop_hierarchy_next(s->h, top, node);
    } while (node != HITOP_NO_NODE && (node >= hitop_hierarchy_nranks(s->h) || !is_old(s, node)));
    return node;
}

/* Add to the hits of all groups that have old ranks of this node; returns how many ranks those are. */
static int hit(struct merge_step *s, int node, int sign)
{
    int n = 0;

    for (int rank = next_old(s, node, node); rank != HITOP_NO_NODE;
         rank = next_old(s, node, rank)) {
        int g = s->m->rank[s->to[rank]].up;
        for (; g != MERGE_NONE; g = s->m->group[g].up) {
            s->m->group[g].hits += sign;
        }
        n++;
    }
    return n;
}

/* What a group is called in a message. */
struct title {
    char text[256];
};

static struct title title_of(const char *level, const char *name)
{
    struct title t;

    (void)snprintf(t.text, sizeof(t.text), "%s%s%s", level[0] ? level : "group", name[0] ? " " : "",
                   name);
    return t;
}

static struct title title_in_part(const struct merge_step *s, int node)
{
    return title_of(hitop_hierarchy_level(s->h, node), hitop_hierarchy_name(s->h, node));
}

static struct title title_of_group(const struct merge *m, int group)
{
    return title_of(m->group[group].level, m->group[group].name);
}

/* They are one, of which the earlier words count where it has a name. */
static void unite(struct merge_step *s, int group, int node)
{
    struct merge_group *g = &s->m->group[group];
    const char *level = hitop_hierarchy_level(s->h, node);
    const char *name = hitop_hierarchy_name(s->h, node);

    if (!g->name[0] && name[0]) {
        g->level = level;
        g->name = name;
        merge_move_group(s->m, group, g->up);
    } else if (name[0] && (strcmp(g->name, name) != 0 || strcmp(g->level, level) != 0)) {
        merge_tell(s->m, "%s of %s has the ranks of %s, and is left out",
                   title_in_part(s, node).text, s->m->part[s->part].name,
                   title_of_group(s->m, group).text);
    }
    merge_note_group(s, group, node);
}

/* Might this be the same group, one of them having perhaps no name yet? */
static int is_alike(const struct merge_step *s, const struct merge_group *g, int node, int n)
{
    const char *name = hitop_hierarchy_name(s->h, node);
    const int is_same_level = strcmp(g->level, hitop_hierarchy_level(s->h, node)) == 0;
    const int is_same_set = g->total == n && hitop_hierarchy_count_ranks(s->h, node) == n;

    return g->taken != s->part &&
           ((is_same_level && (!g->name[0] || !name[0] || strcmp(g->name, name) == 0)) ||
            is_same_set);
}

/*
 * The group between place and lowest that has the same n ranks, if possible of the same level. Of several,
 * the outermost: members of this one come later.
 */
static int find_same(const struct merge_step *s, int lowest, int place, int node, int n)
{
    const struct merge *m = s->m;
    int found = MERGE_NONE, is_found_level = 0;

    for (int g = lowest; g != place && m->group[g].common == n; g = m->group[g].up) {
        const int is_level = strcmp(m->group[g].level, hitop_hierarchy_level(s->h, node)) == 0;

        if (is_alike(s, &m->group[g], node, n) && is_level >= is_found_level) {
            found = g;
            is_found_level = is_level;
        }
    }
    return found;
}

/* The member of a group that a rank is in; MERGE_NONE when it is a member itself. */
static int member_of(const struct merge *m, int group, int rank)
{
    int member = MERGE_NONE;

    for (int g = m->rank[rank].up; g != group; g = m->group[g].up) {
        member = g;
    }
    return member;
}

static int has_whole_members(const struct merge_step *s, int group, int node)
{
    const struct merge *m = s->m;

    for (int rank = next_old(s, node, node); rank != HITOP_NO_NODE;
         rank = next_old(s, node, rank)) {
        const int member = member_of(m, group, s->to[rank]);
        if (member != MERGE_NONE && m->group[member].hits != m->group[member].common) {
            return 0;
        }
    }
    return 1;
}

/* A new group between a group and those of its members that have ranks of the node. */
static void insert(struct merge_step *s, int group, int node, int n)
{
    struct merge *m = s->m;
    const int between = merge_add_group(m, hitop_hierarchy_level(s->h, node),
                                        hitop_hierarchy_name(s->h, node), group);

    for (int rank = between == MERGE_NONE ? HITOP_NO_NODE : next_old(s, node, node);
         rank != HITOP_NO_NODE; rank = next_old(s, node, rank)) {
        struct merge_rank *r = &m->rank[s->to[rank]];
        int g = r->up, member = MERGE_NONE;

        for (; g != group && g != between; g = m->group[g].up) {
            member = g;
        }
        if (g == group && member == MERGE_NONE) {
            r->up = between;
            m->group[between].total++;
        } else if (g == group) {
            merge_move_group(m, member, between);
            m->group[between].total += m->group[member].total;
        }
    }
    if (between != MERGE_NONE) {
        m->group[between].common = m->group[between].hits = n;
        merge_note_group(s, between, node);
    }
}

/* A group with n ranks of earlier parts, which are hit. */
static void fit_among_old(struct merge_step *s, int node, int place, int n)
{
    const struct merge *m = s->m;
    int lowest = m->rank[s->to[next_old(s, node, node)]].up, same;

    while (m->group[lowest].hits < n) {
        lowest = m->group[lowest].up;
    }
    same = is_in(m, lowest, place) ? find_same(s, lowest, place, node, n) : MERGE_NONE;
    if (same != MERGE_NONE) {
        unite(s, same, node);
    } else if (!is_in(m, lowest, place)) {
        return; /* its ranks are elsewhere, and will tell */
    } else if (has_whole_members(s, lowest, node)) {
        insert(s, lowest, node, n);
    } else {
        merge_tell(s->m, "%s of %s cuts through groups of earlier files, and is left out",
                   title_in_part(s, node).text, m->part[s->part].name);
    }
}

static void fit_group(struct merge_step *s, int node)
{
    struct merge *m = s->m;
    const char *level = hitop_hierarchy_level(s->h, node);
    const char *name = hitop_hierarchy_name(s->h, node);
    const int place = find_place(s, node);
    const int named = merge_find_named(m, place, level, name);
    int n;

    if (named != MERGE_NONE && m->group[named].taken != s->part) {
        merge_note_group(s, named, node);
        return;
    }
    n = hit(s, node, 1);
    if (n > 0) {
        fit_among_old(s, node, place, n);
        (void)hit(s, node, -1);
    } else {
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
            count_ranks(s);
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
    while (!is_in(m, place, m->group[group].up)) {
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

        if (!is_old(s, rank)) {
            r->up = place;
        } else if (!is_in(m, r->up, place) && strcmp(told, r->host) != 0) {
            told = r->host;
            merge_tell(m, "host %s is in %s of %s, but stays in %s", r->host,
                       title_of_group(m, place).text, m->part[s->part].name,
                       title_of_group(m, part_from(m, r->up, place)).text);
        }
    }
}

void merge_fit(struct merge_step *s)
{
    count_ranks(s);
    fit_root(s);
    for (int node = hitop_hierarchy_root(s->h) - 1;
         node >= hitop_hierarchy_nranks(s->h) && !s->m->out_of_memory; node--) {
        fit_group(s, node);
    }
    if (!s->m->out_of_memory) {
        fit_ranks(s);
    }
}
