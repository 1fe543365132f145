/* SPDX-License-Identifier: BSD-3-Clause */
/* lint_groups.c - check the groups of a correct tree for likely mistakes. */
#include <config.h>

#include "hierarchy/lint/lint.h"

#include <stdlib.h>
#include <string.h>

/* Levels with a fixed order, from the outside inwards; levels with equal numbers have no order. */
static int order_of(const char *level)
{
    static const struct {
        const char *level;
        int order;
    } known[] = {
        {"root", 0},   {"site", 1},    {"domain", 1},  {"region", 1}, {"zone", 2},  {"cluster", 3},
        {"rack", 5},   {"cabinet", 5}, {"chassis", 6}, {"host", 8},   {"node", 8},  {"package", 9},
        {"socket", 9}, {"numa", 10},   {"l3", 11},     {"l2", 12},    {"core", 13},
    };

    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        if (strcmp(level, known[i].level) == 0) {
            return known[i].order;
        }
    }
    return -1;
}

/*
 * Warn if the order of a level is below that of the nearest outer group whose level is in the
 * table.
 */
static void check_order(struct lint *l, int i)
{
    const int order = order_of(l->node[i].level);
    int up = order < 0 ? LINT_NONE : l->node[i].parent;

    while (up != LINT_NONE && order_of(l->node[up].level) < 0) {
        up = l->node[up].parent;
    }
    if (up != LINT_NONE && order_of(l->node[up].level) > order) {
        hitop_lint_warn(l, hitop_lint_line(l, i), "node \"%s\": a %s inside a %s, \"%s\"",
                        l->node[i].id, l->node[i].level, l->node[up].level, l->node[up].id);
    }
}

static void check_members(struct lint *l, const int *only_member, int i)
{
    const struct lint_node *n = &l->node[i];
    const struct lint_node *member = n->nchildren == 1 ? &l->node[only_member[i]] : NULL;

    /* correct: a host with one rank in this job; a leaf that stands for several ranks */
    if (member && n->parent != LINT_NONE && order_of(n->level) < order_of("host") &&
        !(member->kind == LINT_LEAF && strpbrk(member->rank, ",-"))) {
        hitop_lint_warn(l, hitop_lint_line(l, i),
                        "node \"%s\": a group with a single member, \"%s\"", n->id, member->id);
    }
}

/* By parent, level, name and place in the file. */
static int compare_names(const void *a, const void *b)
{
    const struct lint_node *x = *(const struct lint_node *const *)a;
    const struct lint_node *y = *(const struct lint_node *const *)b;
    int order = (x->parent > y->parent) - (x->parent < y->parent);

    order = order ? order : strcmp(x->level, y->level);
    order = order ? order : strcmp(x->name, y->name);
    return order ? order : (x > y) - (x < y);
}

static void check_names(struct lint *l, const struct lint_node **sorted)
{
    int n = 0, nnamed = 0;

    for (int i = 0; i < l->nnodes; i++) {
        if (l->node[i].kind == LINT_GROUP) {
            sorted[n++] = &l->node[i];
            nnamed += l->node[i].name[0] != '\0';
        }
    }
    qsort(sorted, (size_t)n, sizeof(*sorted), compare_names);
    for (int i = 0; i < n; i++) {
        const struct lint_node *x = sorted[i], *before = i > 0 ? sorted[i - 1] : NULL;
        const int line = hitop_lint_line(l, (int)(x - l->node));

        if (x->name[0] && before && before->parent == x->parent &&
            strcmp(before->level, x->level) == 0 && strcmp(before->name, x->name) == 0) {
            hitop_lint_warn(l, line,
                            "node \"%s\": the same level and name as \"%s\" in the same group",
                            x->id, before->id);
        }
        if (!x->name[0] && x->parent != LINT_NONE && nnamed > 0 &&
            strcmp(x->level, "domain") != 0) {
            hitop_lint_warn(l, line, "node \"%s\": a group without a name", x->id);
        }
    }
}

void hitop_lint_groups(struct lint *l)
{
    int *member;
    const struct lint_node **sorted;

    if (!STORAGE_ARRAY(&l->storage, member, l->nnodes) ||
        !STORAGE_ARRAY(&l->storage, sorted, l->nnodes)) {
        return;
    }
    for (int i = 0; i < l->nnodes; i++) {
        if (l->node[i].parent != LINT_NONE) {
            member[l->node[i].parent] = i;
        }
    }
    for (int i = 0; i < l->nnodes; i++) {
        if (l->node[i].kind == LINT_GROUP) {
            check_order(l, i);
            check_members(l, member, i);
        }
    }
    check_names(l, sorted);
}
