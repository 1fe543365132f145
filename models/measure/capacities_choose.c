/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * capacities_choose.c - choose concurrent messages that measure the capacities of the ways out of
 * groups and into them.
 *
 * Idea:  the measured uplink must be the bottleneck. So the ranks of a group are taken in turn from
 *        its members, recursively, and so are their partners in the other members of the group
 *        around: each uplink inside carries as few messages as possible.
 */
#include <config.h>

#include "models/measure/pair_sets_impl.h"
#include "models/model/uplink.h"

#include "models/measure/capacity.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void hitop_capacity_plan_clear(struct hitop_capacity_plan *plan)
{
    hitop_pair_plan_clear(&plan->pair_sets);
    free(plan->kind);
    free(plan->kind_of);
    *plan = (struct hitop_capacity_plan){0};
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

/* Find the kind of a group whose uplink can be measured; the first group of a kind creates it. */
static enum hitop_status find_kind(const struct hitop_hierarchy *h, int node,
                                   struct hitop_capacity_plan *plan, int *out,
                                   struct hitop_diag *diag)
{
    const int npairs = uplink_messages(h, node);
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
    if (npairs > plan->kind[k].most) { /* more pairs give more information */
        plan->kind[k].most = plan->kind[k].npairs = npairs;
        plan->kind[k].node = node;
    }
    return HITOP_OK;
}

/* Takes ranks out of a tree, in turn from all members of each group. */
struct turns {
    const struct hitop_hierarchy *h;
    int *left; /* [nnodes] ranks below a node that are not taken yet */
    int *next; /* [nnodes] index of the member whose turn it is */
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

/*
 * Choose pairs: the first rank of each is in the group of a node, the second one in another member
 * of the group around it.
 */
static void fill_pairs(struct turns *t, int node, int (*pair)[2], int npairs)
{
    const int enclosing = hitop_hierarchy_parent(t->h, node);

    for (int i = 0; i < hitop_hierarchy_nnodes(t->h); i++) {
        t->left[i] = hitop_hierarchy_count_ranks(t->h, i);
        t->next[i] = 0;
    }
    for (int i = 0; i < npairs; i++) {
        pair[i][0] = take_rank(t, node);
    }
    t->left[enclosing] -= hitop_hierarchy_count_ranks(t->h, node);
    t->left[node] = 0;
    for (int i = 0; i < npairs; i++) {
        pair[i][1] = take_rank(t, enclosing);
    }
}

/* Add sets of one pair and of all pairs, out of the group and into it. */
static enum hitop_status add_pair_sets(struct hitop_pair_plan *pair_sets, int kind, int (*pair)[2],
                                       int npairs, int is_named, struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;

    for (int direction = 0; status == HITOP_OK && direction < (is_named ? 1 : 2); direction++) {
        for (int i = 0; direction == 1 && i < npairs; i++) {
            const int inside = pair[i][0];
            pair[i][0] = pair[i][1];
            pair[i][1] = inside;
        }
        status = hitop_pair_plan_add(pair_sets, pair, 1, kind, diag);
        if (status == HITOP_OK && !is_named) {
            status = hitop_pair_plan_add(pair_sets, pair, npairs, kind, diag);
        }
    }
    return status;
}

/* Choose concurrent pairs of the requested kinds. */
static enum hitop_status choose_pair_sets(const struct hitop_hierarchy *h,
                                          struct hitop_capacity_plan *plan,
                                          int (*is_wanted)(const struct hitop_group_kind *kind),
                                          struct hitop_diag *diag)
{
    const size_t nnodes = (size_t)hitop_hierarchy_nnodes(h);
    struct turns turns = {.h = h,
                          .left = calloc(nnodes, sizeof(*turns.left)),
                          .next = calloc(nnodes, sizeof(*turns.next))};
    int(*pair)[2] = calloc(nnodes, sizeof(*pair));
    enum hitop_status status = turns.left && turns.next && pair
                                   ? HITOP_OK
                                   : hitop_fail(diag, HITOP_ERR_NOMEM, "capacities: out of memory");

    hitop_pair_plan_clear(&plan->pair_sets);
    plan->pair_sets.what = HITOP_REPLY; /* echoes would use each direction half of the time only */
    plan->pair_sets.is_optional = 1;
    for (int k = 0; status == HITOP_OK && k < plan->nkinds; k++) {
        const struct hitop_group_kind *kind = &plan->kind[k];
        if (is_wanted(kind)) {
            fill_pairs(&turns, kind->node, pair, kind->npairs);
            status = add_pair_sets(&plan->pair_sets, k, pair, kind->npairs, kind->named > 0, diag);
        }
    }
    free(pair);
    free(turns.next);
    free(turns.left);
    return status;
}

/* Up to this slowdown the uplink has room for the concurrent messages. */
static const double with_room = 1.1;

/* Probes end at this slowdown: their number of pairs suffices to find the capacity. */
static const double slow_enough = 1.5;

int hitop_capacities_are_free(const struct hitop_group_kind *kind)
{
    return kind->slowdown > 0 && kind->slowdown <= with_room;
}

static int is_measured(const struct hitop_group_kind *kind)
{
    return !(kind->named > 0) && !hitop_capacities_are_free(kind);
}

/*
 * Kinds with a finite named capacity are measured, too, to find how much of a slowdown their
 * uplinks explain.
 */
static int takes_part(const struct hitop_group_kind *kind)
{
    return (kind->named > 0 && !isinf(kind->named)) || is_measured(kind);
}

enum hitop_status hitop_capacities_pair_sets(const struct hitop_hierarchy *h,
                                             struct hitop_capacity_plan *plan,
                                             struct hitop_diag *diag)
{
    int nwanted = 0;

    for (int k = 0; k < plan->nkinds; k++) {
        nwanted += is_measured(&plan->kind[k]);
    }
    hitop_pair_plan_clear(&plan->pair_sets);
    return nwanted > 0 ? choose_pair_sets(h, plan, takes_part, diag) : HITOP_OK;
}

static int is_to_be_probed(const struct hitop_group_kind *kind)
{
    return !(kind->named > 0) && !kind->is_probed;
}

/*
 * The larger slowdown of concurrent messages, out of groups of a kind or into them; 0: neither was
 * measured.
 */
static double slowdown(const struct hitop_pair_set_list *list)
{
    double most = 0;

    for (int way = 0; way + 1 < (int)list->n; way += 2) {
        const struct hitop_curve *one = &list->set[way].curve, *all = &list->set[way + 1].curve;
        if (one->npoints > 0 && all->npoints > 0 && one->points->seconds > 0) {
            most = fmax(most, all->points->seconds / one->points->seconds);
        }
    }
    return most;
}

enum hitop_status hitop_capacities_probe(const struct hitop_hierarchy *h,
                                         struct hitop_capacity_plan *plan,
                                         const struct hitop_pair_sets *probed, int *left,
                                         struct hitop_diag *diag)
{
    enum hitop_status status;

    *left = 0;
    for (int k = 0; k < plan->nkinds; k++) {
        struct hitop_group_kind *kind = &plan->kind[k];
        if (!is_to_be_probed(kind)) {
            continue;
        }
        if (!probed) {
            kind->npairs = 2;
        } else {
            kind->slowdown = slowdown(&probed->list[k]);
            kind->is_probed = kind->npairs == kind->most || kind->slowdown >= slow_enough ||
                              !(kind->slowdown > 0); /* there was no time */
            kind->npairs = kind->is_probed                 ? kind->npairs
                           : kind->npairs > kind->most / 2 ? kind->most
                                                           : 2 * kind->npairs;
        }
        *left += !kind->is_probed;
    }
    hitop_pair_plan_clear(&plan->pair_sets);
    if (*left == 0) {
        return HITOP_OK;
    }
    status = choose_pair_sets(h, plan, is_to_be_probed, diag);
    plan->pair_sets.is_probe = 1;
    return status;
}

enum hitop_status hitop_capacities_choose(const struct hitop_hierarchy *h,
                                          struct hitop_capacity_plan *out, struct hitop_diag *diag)
{
    const int nranks = hitop_hierarchy_nranks(h), nnodes = hitop_hierarchy_nnodes(h);
    enum hitop_status status = HITOP_OK;

    *out = (struct hitop_capacity_plan){0};
    out->kind_of = calloc((size_t)(nnodes - nranks), sizeof(*out->kind_of));
    if (!out->kind_of) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "capacities: out of memory");
    }
    for (int node = nranks; status == HITOP_OK && node < nnodes; node++) {
        out->kind_of[node - nranks] = -1;
        if (uplink_messages(h, node) > 1) {
            status = find_kind(h, node, out, &out->kind_of[node - nranks], diag);
        }
    }
    return status == HITOP_OK ? hitop_capacities_pair_sets(h, out, diag) : status;
}
