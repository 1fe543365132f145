/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * merge_old.c - places for groups of ranks that earlier parts have, too.
 *
 * Groups are sets of ranks that either contain each other or have nothing in common. A group that would
 * cut through one that is there has no place.
 */
#include <config.h>

#include "hierarchy/edit/merge.h"

#include <string.h>

void merge_count_ranks(struct merge_step *s)
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
        int g = merge_is_old(s, rank) ? m->rank[s->to[rank]].up : MERGE_NONE;
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
    } while (node != HITOP_NO_NODE &&
             (node >= hitop_hierarchy_nranks(s->h) || !merge_is_old(s, node)));
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
        merge_tell(
            s->m, "%s of %s has the ranks of %s, and is left out",
            merge_title(hitop_hierarchy_level(s->h, node), hitop_hierarchy_name(s->h, node)).text,
            s->m->part[s->part].name, merge_title_of(s->m, group).text);
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
    same = merge_is_in(m, lowest, place) ? find_same(s, lowest, place, node, n) : MERGE_NONE;
    if (same != MERGE_NONE) {
        unite(s, same, node);
    } else if (!merge_is_in(m, lowest, place)) {
        return; /* its ranks are elsewhere, and will tell */
    } else if (has_whole_members(s, lowest, node)) {
        insert(s, lowest, node, n);
    } else {
        merge_tell(
            s->m, "%s of %s cuts through groups of earlier files, and is left out",
            merge_title(hitop_hierarchy_level(s->h, node), hitop_hierarchy_name(s->h, node)).text,
            m->part[s->part].name);
    }
}

int merge_fit_old(struct merge_step *s, int node, int place)
{
    const int n = hit(s, node, 1);

    if (n > 0) {
        fit_among_old(s, node, place, n);
        (void)hit(s, node, -1);
    }
    return n;
}
