/* SPDX-License-Identifier: BSD-3-Clause */
/* merge.c - merge several hierarchies: add one after the other, each called a part. */
#include <config.h>

#include "hierarchy/edit/merge_state.h"
#include "hierarchy/tree/same_rank.h"

#include <stdlib.h>
#include <string.h>

/*
 * The next functions find the places of groups that have ranks of earlier parts ("old" ranks). In a
 * hierarchy two groups are disjoint, or one contains the other. A group that would overlap an
 * earlier one is left out.
 */

/* Count the ranks below every group, and those of them that the current part also has. */
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
        int g = merge_is_old(s, rank) ? m->rank[s->to[rank]].up : MERGE_NONE;
        for (; g != MERGE_NONE; g = m->group[g].up) {
            m->group[g].common++;
        }
    }
}

/* The next rank below top, after node, that an earlier part has; HITOP_NO_NODE at the end. */
static int next_old(const struct merge_step *s, int top, int node)
{
    do {
        node = hitop_hierarchy_next(s->h, top, node);
    } while (node != HITOP_NO_NODE &&
             (node >= hitop_hierarchy_nranks(s->h) || !merge_is_old(s, node)));
    return node;
}

/*
 * For each old rank below a node, add sign to the hits of all groups around the rank. Returns the
 * number of old ranks.
 */
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

/*
 * Merge a node into an earlier group, which keeps its level and name unless only the node has a
 * name.
 */
static void unite(struct merge_step *s, int group, int node)
{
    struct merge_group *g = &s->m->group[group];
    const char *level = hitop_hierarchy_level(s->h, node);
    const char *name = hitop_hierarchy_name(s->h, node);

    if (!g->name[0] && name[0]) {
        g->level = level;
        g->name = name;
        hitop_merge_move_group(s->m, group, g->up);
    } else if (name[0] && (strcmp(g->name, name) != 0 || strcmp(g->level, level) != 0)) {
        hitop_merge_report(
            s->m, "%s of %s has the ranks of %s, and is left out",
            hitop_merge_title(hitop_hierarchy_level(s->h, node), hitop_hierarchy_name(s->h, node))
                .text,
            s->m->part[s->part].name, hitop_merge_title_of(s->m, group).text);
    }
    hitop_merge_note_group(s, group, node);
}

/*
 * 1 if a node may be merged into a group: both have the same ranks, or the same level and no
 * different names. A group takes one node of each part.
 */
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
 * The group from lowest up to, but without, place that has the n old ranks of the node and no
 * others of this part; if possible one of the same level. Of several the outermost is returned, so
 * that members of the node still find the inner ones.
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

/* The member of a group that contains a rank; MERGE_NONE if the rank is a member itself. */
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

/* Insert a new group below a group; the members with ranks of the node move into the new group. */
static void insert(struct merge_step *s, int group, int node, int n)
{
    struct merge *m = s->m;
    const int between = hitop_merge_add_group(m, hitop_hierarchy_level(s->h, node),
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
            hitop_merge_move_group(m, member, between);
            m->group[between].total += m->group[member].total;
        }
    }
    if (between != MERGE_NONE) {
        m->group[between].common = m->group[between].hits = n;
        hitop_merge_note_group(s, between, node);
    }
}

/* Find the place of a group with n old ranks, which hit() has counted. */
static void fit_among_old(struct merge_step *s, int node, int place, int n)
{
    const struct merge *m = s->m;
    int lowest = m->rank[s->to[next_old(s, node, node)]].up, same;

    while (m->group[lowest].hits < n) {
        lowest = m->group[lowest].up;
    }
    same = hitop_merge_is_in(m, lowest, place) ? find_same(s, lowest, place, node, n) : MERGE_NONE;
    if (same != MERGE_NONE) {
        unite(s, same, node);
    } else if (!hitop_merge_is_in(m, lowest, place)) {
        return; /* its ranks are in other groups, which fit_ranks() reports */
    } else if (has_whole_members(s, lowest, node)) {
        insert(s, lowest, node, n);
    } else {
        hitop_merge_report(
            s->m, "%s of %s cuts through groups of earlier files, and is left out",
            hitop_merge_title(hitop_hierarchy_level(s->h, node), hitop_hierarchy_name(s->h, node))
                .text,
            m->part[s->part].name);
    }
}

/*
 * Merge a group that has old ranks into a group at or below place, or insert it there, if it fits.
 * Returns the number of its old ranks; 0: nothing is changed.
 */
static int fit_old(struct merge_step *s, int node, int place)
{
    const int n = hit(s, node, 1);

    if (n > 0) {
        fit_among_old(s, node, place, n);
        (void)hit(s, node, -1);
    }
    return n;
}

/*
 * The next functions add the groups of one part, from the root downwards. Members of a group that
 * is left out go to the next group above it.
 */

/* The group into which the nearest group above a node has been merged; else the root. */
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
    const int named = hitop_merge_find_named(m, place, level, name);

    if (named != MERGE_NONE && m->group[named].taken != s->part) {
        hitop_merge_note_group(s, named, node);
        return;
    }
    if (fit_old(s, node, place) == 0) {
        const int added = hitop_merge_add_group(m, level, name, place);
        if (added != MERGE_NONE) {
            hitop_merge_note_group(s, added, node);
        }
    }
}

static int is_mere_root(const char *level, const char *name)
{
    return !name[0] && (!level[0] || strcmp(level, "root") == 0);
}

/*
 * Merge the roots if they are equal. Else a root without a name contains the others; it is added if
 * no part has one.
 */
static void fit_root(struct merge_step *s)
{
    struct merge *m = s->m;
    const int node = hitop_hierarchy_root(s->h);
    const char *level = hitop_hierarchy_level(s->h, node);
    const char *name = hitop_hierarchy_name(s->h, node);
    const struct merge_group *root = m->root == MERGE_NONE ? NULL : &m->group[m->root];

    if (!root) {
        m->root = hitop_merge_add_group(m, level, name, MERGE_NONE);
    } else if (is_mere_root(root->level, root->name)
                   ? !is_mere_root(level, name)
                   : strcmp(root->level, level) != 0 || strcmp(root->name, name) != 0) {
        if (!is_mere_root(root->level, root->name)) {
            const int old = m->root, top = hitop_merge_add_group(m, "root", "", MERGE_NONE);
            if (top == MERGE_NONE) {
                return;
            }
            hitop_merge_move_group(m, old, top);
            m->root = top;
            count_ranks(s);
        }
        if (!is_mere_root(level, name)) {
            fit_group(s, node); /* a group like any other */
            return;
        }
    }
    if (m->root != MERGE_NONE) {
        hitop_merge_note_group(s, m->root, node);
    }
}

/* The outermost one, of a group and the groups around it, that does not contain place. */
static int part_from(const struct merge *m, int group, int place)
{
    while (!hitop_merge_is_in(m, place, m->group[group].up)) {
        group = m->group[group].up;
    }
    return group;
}

/*
 * Put new ranks into their group. Old ranks stay where they are; contradictions are reported, at
 * most one for each run of ranks on a host.
 */
static void fit_ranks(struct merge_step *s)
{
    struct merge *m = s->m;
    const char *reported = "";

    for (int rank = 0; rank < hitop_hierarchy_nranks(s->h); rank++) {
        struct merge_rank *r = &m->rank[s->to[rank]];
        const int place = find_place(s, rank);

        if (!merge_is_old(s, rank)) {
            r->up = place;
        } else if (!hitop_merge_is_in(m, r->up, place) && strcmp(reported, r->host) != 0) {
            reported = r->host;
            hitop_merge_report(m, "host %s is in %s of %s, but stays in %s", r->host,
                               hitop_merge_title_of(m, place).text, m->part[s->part].name,
                               hitop_merge_title_of(m, part_from(m, r->up, place)).text);
        }
    }
}

/* Find places for the groups and ranks of the current part, whose ranks are already matched. */
static void fit_part(struct merge_step *s)
{
    count_ranks(s);
    fit_root(s);
    for (int node = hitop_hierarchy_root(s->h) - 1;
         node >= hitop_hierarchy_nranks(s->h) && !s->m->text.out_of_memory; node--) {
        fit_group(s, node);
    }
    if (!s->m->text.out_of_memory) {
        fit_ranks(s);
    }
}

/*
 * Match the k-th rank on a host to the k-th one there of earlier parts; any further ones are new.
 */
static void match_part(struct merge_step *s)
{
    struct merge *m = s->m;
    const int n = hitop_hierarchy_nranks(s->h);
    struct host_entry *old, *now;
    int *unused;

    if (!STORAGE_ARRAY(&s->scratch, old, m->nranks) || !STORAGE_ARRAY(&s->scratch, now, n) ||
        !STORAGE_ARRAY(&s->scratch, unused, m->nranks)) {
        m->text.out_of_memory = 1;
        return;
    }
    for (int rank = 0; rank < m->nranks; rank++) {
        old[rank] = (struct host_entry){m->rank[rank].host, rank};
    }
    for (int rank = 0; rank < n; rank++) {
        now[rank] = (struct host_entry){hitop_hierarchy_host(s->h, rank), rank};
    }
    hitop_sort_by_host(old, m->nranks);
    hitop_sort_by_host(now, n);
    hitop_match_ranks(old, m->nranks, now, n, unused, s->to);
    s->old_ranks = m->nranks;
    for (int rank = 0; rank < n && !m->text.out_of_memory; rank++) {
        if (s->to[rank] == HITOP_NO_RANK) {
            s->to[rank] = hitop_merge_add_rank(m, hitop_hierarchy_host(s->h, rank));
        }
        if (!m->text.out_of_memory) {
            hitop_merge_note_rank(s, s->to[rank], rank);
        }
    }
}

static void add_part(struct merge *m, int part)
{
    struct merge_step s = {.m = m, .part = part, .h = m->part[part].h};
    const int n = hitop_hierarchy_nnodes(s.h);

    if (!STORAGE_ARRAY(&s.scratch, s.to, n)) {
        m->text.out_of_memory = 1;
        return;
    }
    for (int node = 0; node < n; node++) {
        s.to[node] = MERGE_NONE;
    }
    match_part(&s);
    if (!m->text.out_of_memory) {
        fit_part(&s);
    }
    hitop_storage_clear(&s.scratch);
}

enum hitop_status hitop_hierarchy_merge(const struct hitop_part *part, int nparts,
                                        void (*conflict)(void *data, const char *line), void *data,
                                        struct hitop_hierarchy **out, struct hitop_diag *diag)
{
    struct merge m = {
        .part = part, .nparts = nparts, .root = MERGE_NONE, .conflict = conflict, .data = data};
    enum hitop_status status;

    *out = NULL;
    for (int i = 0; i < nparts && !m.text.out_of_memory; i++) {
        add_part(&m, i);
    }
    status = m.text.out_of_memory ? HITOP_ERR_NOMEM : hitop_merge_finish(&m, out, diag);
    hitop_text_index_clear(&m.names);
    hitop_storage_clear(&m.text);
    free(m.named);
    free(m.origin);
    free(m.group);
    free(m.rank);
    return status == HITOP_ERR_NOMEM ? hitop_fail(diag, status, "merge: out of memory") : status;
}
