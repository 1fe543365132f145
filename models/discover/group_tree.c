/* SPDX-License-Identifier: BSD-3-Clause */
/* group_tree.c - nested groups of hosts while they are being found. */
#include <config.h>

#include "models/discover/discover_impl.h"

#include "src/grow.h"

#include <math.h>
#include <stdlib.h>

int hitop_group_tree_init(struct group_tree *tree, int nhosts)
{
    *tree = (struct group_tree){.nhosts = nhosts};
    tree->innermost = calloc((size_t)nhosts, sizeof(*tree->innermost));
    for (int i = 0; tree->innermost && i < nhosts; i++) {
        tree->innermost[i] = -1;
    }
    return tree->innermost != NULL;
}

void hitop_group_tree_clear(struct group_tree *tree)
{
    free(tree->innermost);
    free(tree->group);
    *tree = (struct group_tree){0};
}

int hitop_group_tree_add(struct group_tree *tree, int parent, int representative, double x,
                         double se)
{
    if (!HITOP_GROW(tree->group, tree->ngroups, tree->max_groups)) {
        return -1;
    }
    tree->group[tree->ngroups] =
        (struct tree_group){.parent = parent, .representative = representative, .x = x, .se = se};
    return tree->ngroups++;
}

void hitop_group_tree_place(struct group_tree *tree, struct unit unit, int group)
{
    if (unit.group >= 0) {
        tree->group[unit.group].parent = group;
    } else {
        tree->innermost[unit.host] = group;
    }
}

static int by_host(const void *a, const void *b)
{
    const struct unit *x = a, *y = b;

    return (x->host > y->host) - (x->host < y->host);
}

void hitop_units_sort(struct unit *unit, int n)
{
    qsort(unit, (size_t)n, sizeof(*unit), by_host);
}

int hitop_group_tree_members(const struct group_tree *tree, int group, struct unit *members)
{
    int n = 0;

    for (int i = 0; i < tree->ngroups; i++) {
        if (!tree->group[i].is_gone && tree->group[i].parent == group) {
            members[n++] = (struct unit){tree->group[i].representative, i};
        }
    }
    for (int host = 0; host < tree->nhosts; host++) {
        if (tree->innermost[host] == group) {
            members[n++] = (struct unit){host, -1};
        }
    }
    hitop_units_sort(members, n);
    return n;
}

void hitop_group_tree_dissolve(struct group_tree *tree, int group, int heir)
{
    for (int i = 0; i < tree->ngroups; i++) {
        if (tree->group[i].parent == group) {
            tree->group[i].parent = heir;
        }
    }
    for (int host = 0; host < tree->nhosts; host++) {
        if (tree->innermost[host] == group) {
            tree->innermost[host] = heir;
        }
    }
    if (heir >= 0) {
        tree->group[heir].is_open = tree->group[heir].is_open || tree->group[group].is_open;
    }
    tree->group[group].is_gone = 1;
}

static int depth_of(const struct group_tree *tree, int group)
{
    int depth = 0;

    for (; group >= 0; group = tree->group[group].parent) {
        depth++;
    }
    return depth;
}

int hitop_group_tree_common(const struct group_tree *tree, int a, int b)
{
    int x = tree->innermost[a], y = tree->innermost[b];
    int depth_x = depth_of(tree, x), depth_y = depth_of(tree, y);

    while (x != y) {
        if (depth_x >= depth_y) {
            x = tree->group[x].parent;
            depth_x--;
        } else {
            y = tree->group[y].parent;
            depth_y--;
        }
    }
    return x;
}

/*
 * Whether a group adds nothing to the one around it: its latency is unknown, or not lower by step.
 */
static int is_idle(const struct group_tree *tree, int group, double step)
{
    const struct tree_group *g = &tree->group[group];
    const double enclosing = g->parent >= 0 ? tree->group[g->parent].x : NAN;

    if (g->is_gone || g->is_fixed || g->parent < 0) {
        return 0;
    }
    return isnan(g->x) || g->x >= enclosing - step;
}

void hitop_group_tree_tidy(struct group_tree *tree, double step)
{
    int changed;

    do {
        changed = 0;
        for (int i = 0; i < tree->ngroups; i++) {
            /* outer groups first: what is around a group must stay */
            if (is_idle(tree, i, step) && !is_idle(tree, tree->group[i].parent, step)) {
                hitop_group_tree_dissolve(tree, i, tree->group[i].parent);
                changed = 1;
            }
        }
    } while (changed);
}

/*
 * The probability that noise leaves a latency on its side of the middle of the gap between the
 * group and the one around it; at most 0.99, because latencies alone prove nothing.
 */
static double confidence_of(const struct group_tree *tree, int group, double share)
{
    const struct tree_group *g = &tree->group[group];
    const double gap = g->parent >= 0 ? tree->group[g->parent].x - g->x : INFINITY;
    double confidence = 0.99;

    if (isnan(g->x) || g->is_open) {
        return 0.5 * share;
    }
    if (isfinite(gap) && g->se > 0) {
        confidence = fmin(confidence, erf(fmax(gap, 0) / (2 * g->se) / sqrt(2)));
    }
    return confidence * share;
}

/* Number the groups that remain, those around others first; returns how many. */
static int number_groups(const struct group_tree *tree, int *order, int *number)
{
    int n = 0;

    for (int i = 0; i < tree->ngroups; i++) {
        if (!tree->group[i].is_gone && tree->group[i].parent < 0) {
            number[i] = n;
            order[n++] = i;
        }
    }
    for (int done = 0; done < n; done++) {
        for (int i = 0; i < tree->ngroups; i++) {
            if (!tree->group[i].is_gone && tree->group[i].parent == order[done]) {
                number[i] = n;
                order[n++] = i;
            }
        }
    }
    return n;
}

enum hitop_status hitop_group_tree_export(const struct group_tree *tree, double share,
                                          struct hitop_host_groups *out, struct hitop_diag *diag)
{
    int *order = calloc((size_t)tree->ngroups + 1, sizeof(*order));
    int *number = calloc((size_t)tree->ngroups + 1, sizeof(*number));
    enum hitop_status status = HITOP_OK;

    *out = (struct hitop_host_groups){.nhosts = tree->nhosts};
    out->group = calloc((size_t)tree->ngroups + 1, sizeof(*out->group));
    out->innermost = calloc((size_t)tree->nhosts, sizeof(*out->innermost));
    if (!order || !number || !out->group || !out->innermost) {
        status = hitop_fail(diag, HITOP_ERR_NOMEM, "groups: out of memory");
        goto out;
    }
    out->ngroups = number_groups(tree, order, number);
    for (int i = 0; i < out->ngroups; i++) {
        const struct tree_group *g = &tree->group[order[i]];
        out->group[i] =
            (struct hitop_host_group){.parent = g->parent >= 0 ? number[g->parent] : -1,
                                      .is_fixed = g->is_fixed,
                                      .seconds = isnan(g->x) ? 0 : exp(g->x),
                                      .confidence = confidence_of(tree, order[i], share)};
    }
    for (int host = 0; host < tree->nhosts; host++) {
        out->innermost[host] = number[tree->innermost[host]];
    }

out:
    free(number);
    free(order);
    return status;
}
