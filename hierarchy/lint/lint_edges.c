/* SPDX-License-Identifier: BSD-3-Clause */
/* lint_edges.c - check that the edges of a hierarchy file make a tree. */
#include <config.h>

#include "hierarchy/lint/lint.h"

#include <string.h>

static const char *id(const struct lint *l, int node)
{
    return l->node[node].id;
}

/* 1: from leaf to group; -1: from group to leaf; 0: any other edge. */
static int direction(const struct lint *l, const struct lint_edge *e)
{
    const enum lint_kind tail = l->node[e->tail].kind, head = l->node[e->head].kind;

    return (tail == LINT_LEAF && head == LINT_GROUP) - (tail == LINT_GROUP && head == LINT_LEAF);
}

/*
 * The direction is that of most edges between leaves and groups. Edges in the other direction are
 * errors.
 */
static void find_direction(struct lint *l)
{
    int nup = 0, ndown = 0;

    for (int i = 0; i < l->nedges; i++) {
        nup += direction(l, &l->edge[i]) > 0;
        ndown += direction(l, &l->edge[i]) < 0;
    }
    l->is_down = ndown > nup;
    for (int i = 0; nup > 0 && ndown > 0 && i < l->nedges; i++) {
        const struct lint_edge *e = &l->edge[i];
        if (direction(l, e) == (l->is_down ? 1 : -1)) {
            hitop_lint_error(l, e->line, "edge \"%s\" -> \"%s\": points the other way than most do",
                             id(l, e->tail), id(l, e->head));
        }
    }
}

static void link_nodes(struct lint *l)
{
    for (int i = 0; i < l->nedges; i++) {
        const struct lint_edge *e = &l->edge[i];
        const int is_turned = direction(l, e) == (l->is_down ? 1 : -1);
        const int child = l->is_down != is_turned ? e->head : e->tail;
        const int parent = l->is_down != is_turned ? e->tail : e->head;
        struct lint_node *c = &l->node[child];

        if (l->node[parent].kind == LINT_LEAF) {
            hitop_lint_error(l, e->line,
                             "node \"%s\": a leaf cannot have members, but \"%s\" is below it",
                             id(l, parent), id(l, child));
        } else if (c->parent == parent) {
            hitop_lint_error(l, e->line, "node \"%s\": put below \"%s\" twice", id(l, child),
                             id(l, parent));
        } else if (c->parent != LINT_NONE) {
            hitop_lint_error(l, e->line, "node \"%s\": has two parents, \"%s\" and \"%s\"",
                             id(l, child), id(l, c->parent), id(l, parent));
        } else {
            c->parent = parent;
            l->node[parent].nchildren++;
        }
    }
}

static void check_ends(struct lint *l)
{
    int root = LINT_NONE;

    for (int i = 0; i < l->nnodes; i++) {
        const struct lint_node *n = &l->node[i];

        if (n->kind == LINT_LEAF && n->parent == LINT_NONE) {
            hitop_lint_error(l, hitop_lint_line(l, i),
                             "node \"%s\": a leaf that belongs to no group", n->id);
        }
        if (n->kind == LINT_GROUP && n->nchildren == 0) {
            hitop_lint_error(l, hitop_lint_line(l, i), "node \"%s\": a group without members",
                             n->id);
        } else if (n->kind == LINT_GROUP && n->parent == LINT_NONE) {
            if (root != LINT_NONE) {
                hitop_lint_error(l, hitop_lint_line(l, i),
                                 "node \"%s\": a second root beside \"%s\"", n->id, id(l, root));
            }
            root = root == LINT_NONE ? i : root;
        }
    }
}

/*
 * Follow parents from every node i until a node that was visited. mark is i + 1 of the first visit;
 * 0: not visited. A node that its own walk visited is part of a cycle.
 */
static void check_cycles(struct lint *l, int *mark)
{
    for (int i = 0; i < l->nnodes; i++) {
        int at = i;

        while (at != LINT_NONE && !mark[at]) {
            mark[at] = i + 1;
            at = l->node[at].parent;
        }
        if (at != LINT_NONE && mark[at] == i + 1) {
            const int up = l->node[at].parent;
            hitop_lint_error(l, hitop_lint_line(l, at), "node \"%s\": part of a cycle%s%s%s",
                             id(l, at), up != at ? " with \"" : "", up != at ? id(l, up) : "",
                             up != at ? "\"" : "");
        }
    }
}

/*
 * Compute heights, depths and numbers of leaves. order[] lists children before their parents;
 * pending[] counts the children that are not yet listed.
 */
static void measure_tree(struct lint *l, int *order, int *pending)
{
    int n = 0;

    for (int i = 0; i < l->nnodes; i++) {
        pending[i] = l->node[i].nchildren;
        if (pending[i] == 0) {
            l->node[i].nleaves = 1;
            order[n++] = i;
        }
    }
    for (int k = 0; k < n; k++) {
        const struct lint_node *node = &l->node[order[k]];
        struct lint_node *up = node->parent == LINT_NONE ? NULL : &l->node[node->parent];

        if (up) {
            up->nleaves += node->nleaves;
            up->height = node->height + 1 > up->height ? node->height + 1 : up->height;
            if (--pending[node->parent] == 0) {
                order[n++] = node->parent;
            }
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        struct lint_node *node = &l->node[order[k]];
        node->depth = node->parent == LINT_NONE ? 0 : l->node[node->parent].depth + 1;
    }
}

void hitop_lint_edges(struct lint *l)
{
    const int before = l->nerrors;
    int *mark, *order;

    if (!STORAGE_ARRAY(&l->storage, mark, l->nnodes) ||
        !STORAGE_ARRAY(&l->storage, order, l->nnodes)) {
        return;
    }
    for (int i = 0; i < l->nnodes; i++) {
        l->node[i].parent = LINT_NONE;
    }
    find_direction(l);
    link_nodes(l);
    check_ends(l);
    check_cycles(l, mark);
    l->is_sound = l->nerrors == before;
    for (int i = 0; i < l->nnodes; i++) {
        l->is_sound = l->is_sound && l->node[i].kind != LINT_UNKNOWN;
    }
    if (l->is_sound) {
        measure_tree(l, order, mark);
    }
}
