/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * capacities_choose.c - which messages at once tell how wide the ways out of groups and into them are.
 *
 * Idea:  the way asked for must be the narrow one. So ranks of a group take turns by its members, and members by theirs,
 *        and so do their partners in all other members of the group around: each way inside has as few messages as can be.
 */
#include <config.h>

#include "crowds_impl.h"

#include "hitop/capacity.h"

#include <stdlib.h>
#include <string.h>

void hitop_capacity_plan_clear(struct hitop_capacity_plan *plan)
{
    hitop_crowd_plan_clear(&plan->crowds);
    free(plan->kind);
    free(plan->kind_of);
    *plan = (struct hitop_capacity_plan){0};
}

/* Messages that can cross the ways of a group at once, each with ranks of its own. */
static int count_pairs(const struct hitop_hierarchy *h, int node)
{
    const int around = hitop_hierarchy_parent(h, node);
    const int inside = hitop_hierarchy_count_ranks(h, node);
    const int outside =
        around == HITOP_NO_NODE ? 0 : hitop_hierarchy_count_ranks(h, around) - inside;

    return inside < outside ? inside : outside;
}

static int are_alike(const struct hitop_hierarchy *h, int x, int y)
{
    const int above_x = hitop_hierarchy_parent(h, x), above_y = hitop_hierarchy_parent(h, y);

    return hitop_hierarchy_count_ranks(h, x) == hitop_hierarchy_count_ranks(h, y) &&
           hitop_hierarchy_capacity(h, x) == hitop_hierarchy_capacity(h, y) &&
           hitop_hierarchy_height(h, x) == hitop_hierarchy_height(h, y) &&
           strcmp(hitop_hierarchy_level(h, x), hitop_hierarchy_level(h, y)) == 0 &&
           strcmp(hitop_hierarchy_level(h, above_x), hitop_hierarchy_level(h, above_y)) == 0;
}

/* The kind of a group whose ways can be measured, made when it is the first one. */
static enum hitop_status find_kind(const struct hitop_hierarchy *h, int node,
                                   struct hitop_capacity_plan *plan, int *out,
                                   struct hitop_diag *diag)
{
    const int npairs = count_pairs(h, node);
    struct hitop_group_kind *more = plan->kind;
    int k = 0;

    while (k < plan->nkinds && !are_alike(h, plan->kind[k].node, node)) {
        k++;
    }
    *out = k;
    if (k == plan->nkinds) {
        more = realloc(plan->kind, ((size_t)k + 1) * sizeof(*more));
        if (!more) {
            return hitop_fail(diag, HITOP_ERR_NOMEM, "capacities: out of memory");
        }
        plan->kind = more;
        plan->kind[plan->nkinds++] =
            (struct hitop_group_kind){.named = hitop_hierarchy_capacity(h, node)};
    }
    plan->kind[k].ngroups++;
    if (npairs > plan->kind[k].npairs) { /* the more there are, the more they tell */
        plan->kind[k].npairs = npairs;
        plan->kind[k].node = node;
    }
    return HITOP_OK;
}

/* Ranks taken out of a tree, evenly. */
struct turns {
    const struct hitop_hierarchy *h;
    int *left; /* [nnodes] ranks below a node that were not taken */
    int *next; /* [nnodes] place among its members of whose turn it is */
};

static int take_rank(struct turns *t, int node)
{
    for (;;) {
        int n;
        const int *member = hitop_hierarchy_children(t->h, node, &n);
        t->left[node]--;
        if (n == 0) {
            return node;
        }
        while (t->left[member[t->next[node] % n]] == 0) {
            t->next[node]++;
        }
        node = member[t->next[node]++ % n];
    }
}

/* So many pairs, the first rank of each in the group of a node and the second one around it. */
static void fill_pairs(struct turns *t, int node, int (*pair)[2], int npairs)
{
    const int around = hitop_hierarchy_parent(t->h, node);

    for (int i = 0; i < hitop_hierarchy_nnodes(t->h); i++) {
        t->left[i] = hitop_hierarchy_count_ranks(t->h, i);
        t->next[i] = 0;
    }
    for (int i = 0; i < npairs; i++) {
        pair[i][0] = take_rank(t, node);
    }
    t->left[around] -= hitop_hierarchy_count_ranks(t->h, node);
    t->left[node] = 0;
    for (int i = 0; i < npairs; i++) {
        pair[i][1] = take_rank(t, around);
    }
}

/* One pair and all of them, out of the group and into it. */
static enum hitop_status add_crowds(struct hitop_crowd_plan *crowds, int kind, int (*pair)[2],
                                    int npairs, int is_named, struct hitop_diag *diag)
{
    enum hitop_status status = crowd_plan_add(crowds, pair, 1, kind, diag);

    if (status == HITOP_OK && !is_named) {
        status = crowd_plan_add(crowds, pair, npairs, kind, diag);
    }
    for (int i = 0; !is_named && i < npairs; i++) {
        const int inside = pair[i][0];
        pair[i][0] = pair[i][1];
        pair[i][1] = inside;
    }
    if (status == HITOP_OK && !is_named) {
        status = crowd_plan_add(crowds, pair, 1, kind, diag);
    }
    return status == HITOP_OK && !is_named ? crowd_plan_add(crowds, pair, npairs, kind, diag)
                                           : status;
}

static enum hitop_status choose_crowds(const struct hitop_hierarchy *h,
                                       struct hitop_capacity_plan *plan, struct hitop_diag *diag)
{
    const size_t nnodes = (size_t)hitop_hierarchy_nnodes(h);
    struct turns turns = {.h = h,
                          .left = calloc(nnodes, sizeof(*turns.left)),
                          .next = calloc(nnodes, sizeof(*turns.next))};
    int(*pair)[2] = calloc(nnodes, sizeof(*pair));
    enum hitop_status status = turns.left && turns.next && pair
                                   ? HITOP_OK
                                   : hitop_fail(diag, HITOP_ERR_NOMEM, "capacities: out of memory");

    plan->crowds.what = HITOP_REPLY; /* echoes would fill both ways half of the time */
    for (int k = 0; status == HITOP_OK && k < plan->nkinds; k++) {
        const struct hitop_group_kind *kind = &plan->kind[k];
        fill_pairs(&turns, kind->node, pair, kind->npairs);
        status = add_crowds(&plan->crowds, k, pair, kind->npairs, kind->named > 0, diag);
    }
    free(pair);
    free(turns.next);
    free(turns.left);
    return status;
}

enum hitop_status hitop_capacities_choose(const struct hitop_hierarchy *h,
                                          struct hitop_capacity_plan *out, struct hitop_diag *diag)
{
    const int nranks = hitop_hierarchy_nranks(h), nnodes = hitop_hierarchy_nnodes(h);
    enum hitop_status status = HITOP_OK;
    int nwanted = 0;

    *out = (struct hitop_capacity_plan){0};
    out->kind_of = calloc((size_t)(nnodes - nranks), sizeof(*out->kind_of));
    if (!out->kind_of) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "capacities: out of memory");
    }
    for (int node = nranks; status == HITOP_OK && node < nnodes; node++) {
        out->kind_of[node - nranks] = -1;
        if (count_pairs(h, node) > 1) {
            status = find_kind(h, node, out, &out->kind_of[node - nranks], diag);
        }
    }
    for (int k = 0; k < out->nkinds; k++) {
        nwanted += !(out->kind[k].named > 0);
    }
    return status == HITOP_OK && nwanted > 0 ? choose_crowds(h, out, diag) : status;
}
