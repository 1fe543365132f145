/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * columns.c - compute the column of each group.
 *
 * A kind is a level and its nesting. The column of a kind is behind those of all kinds that contain
 * it. If kinds contain each other (a rack in a cluster and a cluster in a rack), or are too many,
 * the column of a group is its depth.
 */
#include <config.h>

#include "hierarchy/draw/columns.h"

#include <stdlib.h>
#include <string.h>

/* Number of outer groups that have the level of this one. */
static int count_nesting(const struct hitop_hierarchy *h, int group)
{
    const char *level = hitop_hierarchy_level(h, group);
    int n = 0;

    for (int up = hitop_hierarchy_parent(h, group); up != HITOP_NO_NODE && n < COLUMN_KINDS;
         up = hitop_hierarchy_parent(h, up)) {
        n += strcmp(hitop_hierarchy_level(h, up), level) == 0;
    }
    return n;
}

/* Index of the kind, which is added if it is new; COLUMN_KINDS if there are too many. */
static int find_kind(struct columns *c, const char *level, int nesting)
{
    int i = 0;

    while (i < c->nkinds &&
           (c->kind[i].nesting != nesting || strcmp(c->kind[i].level, level) != 0)) {
        i++;
    }
    if (i == c->nkinds && i < COLUMN_KINDS) {
        c->kind[c->nkinds++] = (struct column_kind){.level = level, .nesting = nesting};
    }
    return i;
}

/* Give each kind a column behind those of the kinds that contain it; 0 if that is impossible. */
static int order_kinds(struct columns *c, const struct hitop_hierarchy *h)
{
    const int nranks = hitop_hierarchy_nranks(h), root = hitop_hierarchy_root(h);
    int moved = 1;

    for (int pass = 0; moved && pass <= c->nkinds; pass++) {
        moved = 0;
        for (int group = root - 1; group >= nranks; group--) {
            const int up = hitop_hierarchy_parent(h, group);
            const int least = c->kind[c->of_group[up - nranks]].column + 1;
            int *mine = &c->kind[c->of_group[group - nranks]].column;

            if (*mine < least) {
                *mine = least;
                moved = 1;
            }
        }
    }
    return !moved;
}

/* Compute of_group[] by levels; 0 if levels have no order or are too many. */
static int place_by_level(struct columns *c, const struct hitop_hierarchy *h)
{
    const int nranks = hitop_hierarchy_nranks(h);
    const int ngroups = hitop_hierarchy_nnodes(h) - nranks;

    for (int i = 0; i < ngroups; i++) {
        const int kind =
            find_kind(c, hitop_hierarchy_level(h, nranks + i), count_nesting(h, nranks + i));
        if (kind == COLUMN_KINDS) {
            return 0;
        }
        c->of_group[i] = kind;
    }
    if (!order_kinds(c, h)) {
        return 0;
    }
    for (int i = 0; i < ngroups; i++) {
        c->of_group[i] = c->kind[c->of_group[i]].column;
    }
    return 1;
}

/* Compute of_group[] by depths. */
static void place_by_depth(struct columns *c, const struct hitop_hierarchy *h)
{
    const int nranks = hitop_hierarchy_nranks(h);

    c->nkinds = 0;
    for (int group = hitop_hierarchy_root(h); group >= nranks; group--) {
        const int up = hitop_hierarchy_parent(h, group);
        const int column = up == HITOP_NO_NODE ? 0 : c->of_group[up - nranks] + 1;
        const int before = c->nkinds;
        const int kind = find_kind(c, hitop_hierarchy_level(h, group), column);

        c->of_group[group - nranks] = column;
        if (kind == before && kind < COLUMN_KINDS) {
            c->kind[kind].column = column;
        }
    }
}

static int compare_kinds(const void *a, const void *b)
{
    const struct column_kind *x = a, *y = b;
    const int order = (x->column > y->column) - (x->column < y->column);

    return order ? order : strcmp(x->level, y->level);
}

void hitop_columns_fill(struct columns *c, const struct hitop_hierarchy *h, struct storage *storage)
{
    const int ngroups = hitop_hierarchy_nnodes(h) - hitop_hierarchy_nranks(h);

    *c = (struct columns){0};
    if (!STORAGE_ARRAY(storage, c->of_group, ngroups)) {
        return;
    }
    if (!place_by_level(c, h)) {
        place_by_depth(c, h);
    }
    for (int i = 0; i < ngroups; i++) {
        c->n = c->of_group[i] >= c->n ? c->of_group[i] + 1 : c->n;
    }
    qsort(c->kind, (size_t)c->nkinds, sizeof(c->kind[0]), compare_kinds);
}

int hitop_columns_at(const struct columns *c, const struct hitop_hierarchy *h, int node)
{
    const int nranks = hitop_hierarchy_nranks(h);

    return node < nranks ? c->n : c->of_group[node - nranks];
}
