/* SPDX-License-Identifier: BSD-3-Clause */
/* merge_finish.c - build the merged hierarchy with the attributes of all parts. */
#include <config.h>

#include "hierarchy/edit/merge_state.h"
#include "hierarchy/tree/element.h"

#include <stdlib.h>
#include <string.h>

/* ---- Attributes: of several parts the first one counts ---- */

static const struct hitop_attr *find_attr(const struct merge *m, enum hitop_attr_of of, int origin,
                                          const char *key)
{
    int count;
    const struct merge_origin *o = &m->origin[origin];
    const struct hitop_attr *attr = hitop_hierarchy_attrs(m->part[o->part].h, of, o->node, &count);

    for (int i = 0; i < count; i++) {
        if (strcmp(attr[i].key, key) == 0) {
            return &attr[i];
        }
    }
    return NULL;
}

/* 1 for attributes that tools write: different values are no contradiction between users. */
static int is_by_tools(const char *key)
{
    return strcmp(key, "source") == 0 || strcmp(key, "confidence") == 0 ||
           strcmp(key, "label") == 0;
}

static void report_difference(struct merge *m, const char *what, int first, int later,
                              const struct hitop_attr *a, const struct hitop_attr *b)
{
    const struct merge_origin *o = &m->origin[later];

    if (!is_by_tools(a->key) && strcmp(a->value, b->value) != 0 &&
        element_is_first(m->part[o->part].h, o->node)) {
        hitop_merge_report(m, "%s: attribute %s is \"%s\" in %s, which counts, and \"%s\" in %s",
                           what, a->key, a->value, m->part[m->origin[first].part].name, b->value,
                           m->part[o->part].name);
    }
}

/* Add attributes of one kind from one part, unless an earlier part has them. */
static void add_kind(struct merge *m, struct hitop_hierarchy_builder *b, enum hitop_attr_of of,
                     const char *what, int first, int origin, int handle)
{
    const struct merge_origin *o = &m->origin[origin];
    int count;
    const struct hitop_attr *attr = hitop_hierarchy_attrs(m->part[o->part].h, of, o->node, &count);

    for (int i = 0; i < count; i++) {
        const struct hitop_attr *earlier = NULL;
        int before = first;

        while (before != origin && !(earlier = find_attr(m, of, before, attr[i].key))) {
            before = m->origin[before].next;
        }
        if (earlier) {
            report_difference(m, what, before, origin, earlier, &attr[i]);
        } else {
            hitop_hierarchy_builder_add_attr(b, of, handle, &attr[i]);
        }
    }
}

struct finishing {
    struct merge *m;
    struct hitop_hierarchy_builder *builder;
    struct text_index ids; /* that nodes of the builder have */
    struct storage scratch;
};

/*
 * Give a node of the builder the attributes of all parts and its first id. Reports of
 * contradictions begin with what.
 */
static void add_attrs(struct finishing *f, const char *what, int first_origin, int handle)
{
    struct merge *m = f->m;
    int has_id = 0;

    for (int o = first_origin; o != MERGE_NONE; o = m->origin[o].next) {
        const char *id = hitop_hierarchy_id(m->part[m->origin[o].part].h, m->origin[o].node);

        add_kind(m, f->builder, HITOP_ATTR_OF_NODE, what, first_origin, o, handle);
        add_kind(m, f->builder, HITOP_ATTR_OF_EDGE, what, first_origin, o, handle);
        if (id[0] && !has_id) { /* sets has_id to 1 if no other node has this id */
            f->scratch.out_of_memory |= hitop_text_index_put(&f->ids, id, &has_id) < 0;
            hitop_hierarchy_builder_id(f->builder, handle, has_id ? id : "");
        }
    }
}

/* A rank, for sorting ranks of the same leaf sets together. */
struct leaf {
    const struct merge *m;
    int rank;
};

static int set_of(const struct merge *m, int origin)
{
    int count;

    return hitop_hierarchy_leaf_sets(m->part[m->origin[origin].part].h, m->origin[origin].node,
                                     &count);
}

/* By group, then by leaf set in all parts. */
static int compare_kinds(const struct merge *m, const struct merge_rank *x,
                         const struct merge_rank *y)
{
    int order = (x->up > y->up) - (x->up < y->up), o = x->first, p = y->first;

    while (order == 0 && o != MERGE_NONE && p != MERGE_NONE) {
        order = (m->origin[o].part > m->origin[p].part) - (m->origin[o].part < m->origin[p].part);
        order = order ? order : set_of(m, o) - set_of(m, p);
        o = m->origin[o].next;
        p = m->origin[p].next;
    }
    return order ? order : (o != MERGE_NONE) - (p != MERGE_NONE);
}

static int compare_leaves(const void *a, const void *b)
{
    const struct leaf *x = a, *y = b;
    const int order = compare_kinds(x->m, &x->m->rank[x->rank], &y->m->rank[y->rank]);

    return order ? order : (x->rank > y->rank) - (x->rank < y->rank);
}

/* Add n ranks that differ only in their numbers as one set of leaves. rank[] is ascending. */
static void add_set(struct finishing *f, const int *rank, int n, const int *handle)
{
    const struct merge_rank *r = &f->m->rank[rank[0]];
    struct hitop_ranks ranks = {0};

    if (hitop_ranks_add(&ranks, rank, n, NULL) == HITOP_OK) {
        const int leaf = hitop_hierarchy_builder_leaves(f->builder, ranks.range, ranks.n, r->host);
        hitop_hierarchy_builder_edge(f->builder, leaf, handle[r->up]);
        add_attrs(f, r->host, r->first, leaf);
    } else {
        f->scratch.out_of_memory = 1;
    }
    hitop_ranks_clear(&ranks);
}

static void add_leaves(struct finishing *f, const int *handle)
{
    const int n = f->m->nranks;
    struct leaf *leaf;
    int *rank;

    if (!STORAGE_ARRAY(&f->scratch, leaf, n) || !STORAGE_ARRAY(&f->scratch, rank, n)) {
        return;
    }
    for (int i = 0; i < n; i++) {
        leaf[i] = (struct leaf){f->m, i};
    }
    qsort(leaf, (size_t)n, sizeof(*leaf), compare_leaves);
    for (int i = 0, end; i < n; i = end) {
        for (end = i; end < n && (end == i || compare_kinds(f->m, &f->m->rank[leaf[i].rank],
                                                            &f->m->rank[leaf[end].rank]) == 0);
             end++) {
            rank[end - i] = leaf[end].rank;
        }
        add_set(f, rank, end - i, handle);
    }
}

/* The root of the result: an added root with a single member is left out. */
static int find_root(const struct merge *m)
{
    int only = MERGE_NONE, n = 0;

    if (m->group[m->root].first != MERGE_NONE) {
        return m->root;
    }
    for (int g = 0; g < m->ngroups; g++) {
        if (m->group[g].up == m->root) {
            only = g;
            n++;
        }
    }
    for (int rank = 0; rank < m->nranks; rank++) {
        n += m->rank[rank].up == m->root ? 2 : 0;
    }
    return n == 1 ? only : m->root;
}

static void add_groups(struct finishing *f, int root, int *handle)
{
    const struct merge *m = f->m;

    for (int g = 0; g < m->ngroups; g++) {
        if (g != m->root || g == root) {
            handle[g] =
                hitop_hierarchy_builder_group(f->builder, m->group[g].level, m->group[g].name);
            add_attrs(f, m->group[g].name[0] ? m->group[g].name : m->group[g].level,
                      m->group[g].first, handle[g]);
        }
    }
    for (int g = 0; g < m->ngroups; g++) {
        if (g != root && g != m->root) {
            hitop_hierarchy_builder_edge(f->builder, handle[g], handle[m->group[g].up]);
        }
    }
}

enum hitop_status hitop_merge_finish(struct merge *m, struct hitop_hierarchy **out,
                                     struct hitop_diag *diag)
{
    struct finishing f = {.m = m, .builder = hitop_hierarchy_builder_new()};
    enum hitop_status status = HITOP_ERR_NOMEM;
    int *handle;

    if (f.builder && STORAGE_ARRAY(&f.scratch, handle, m->ngroups)) {
        add_groups(&f, find_root(m), handle);
        add_leaves(&f, handle);
        for (int i = m->nparts - 1; i >= 0; i--) { /* the first graph has precedence */
            hitop_hierarchy_builder_copy_graph(f.builder, m->part[i].h);
        }
        status = f.scratch.out_of_memory ? HITOP_ERR_NOMEM
                                         : hitop_hierarchy_builder_finish(f.builder, out, diag);
    }
    hitop_text_index_clear(&f.ids);
    hitop_hierarchy_builder_free(f.builder);
    hitop_storage_clear(&f.scratch);
    return status;
}
