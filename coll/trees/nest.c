/* SPDX-License-Identifier: BSD-3-Clause */
/* nest.c - single-linkage clustering: Prim's spanning tree, then its links from the cheapest on. */
#include <config.h>

#include "nest.h"

#include <stdlib.h>

struct link {
    double price;
    int a, b; /* groups */
};

static int compare(const void *x, const void *y)
{
    const struct link *l = x, *m = y;

    if (l->price != m->price) {
        return l->price < m->price ? -1 : 1;
    }
    return l->a != m->a ? (l->a > m->a) - (l->a < m->a) : (l->b > m->b) - (l->b < m->b);
}

/* Both ways, so that it does not matter which way is asked. */
static double price(const struct nest *nest, const struct hitop_tree_args *args, int a, int b)
{
    const struct hitop_cost *cost = args->cost;
    const int i = nest->sets[a < b ? a : b].lowest, j = nest->sets[a < b ? b : a].lowest;

    return cost->p2p(cost->self, i, j, args->bytes) + cost->p2p(cost->self, j, i, args->bytes);
}

/* Prim: links[0 .. i] become links of the tree, the rest lead to the groups not yet reached. */
static void span(const struct nest *nest, const struct hitop_tree_args *args, int ngroups,
                 struct link *links)
{
    for (int g = 1; g < ngroups; g++) {
        links[g - 1] = (struct link){price(nest, args, 0, g), 0, g};
    }
    for (int i = 0; i + 1 < ngroups; i++) {
        int best = i;
        struct link link;
        for (int k = i + 1; k + 1 < ngroups; k++) {
            best = links[k].price < links[best].price ? k : best;
        }
        link = links[best];
        links[best] = links[i];
        links[i] = link;
        for (int k = i + 1; k + 1 < ngroups; k++) {
            const double p = price(nest, args, link.b, links[k].b);
            if (p < links[k].price) {
                links[k].price = p;
                links[k].a = link.b;
            }
        }
    }
}

static int outermost(struct nest *nest, int set)
{
    while (nest->around[set] != set) {
        nest->around[set] = nest->around[nest->around[set]];
        set = nest->around[set];
    }
    return set;
}

/* Append the list first .. last to the sets inside `into`. */
static void append(struct nest *nest, int into, int first, int last)
{
    struct nest_set *set = &nest->sets[into];

    if (set->first == NEST_NONE) {
        set->first = first;
    } else {
        nest->sets[set->last].next = first;
    }
    set->last = last;
}

/* Put `inner` into `outer`; a set that joined at the same price dissolves in it. */
static void enclose(struct nest *nest, int outer, int inner)
{
    struct nest_set *in = &nest->sets[inner];
    struct nest_set *out = &nest->sets[outer];

    if (in->first != NEST_NONE && in->price == out->price) {
        append(nest, outer, in->first, in->last);
        in->first = NEST_NONE;
    } else {
        append(nest, outer, inner, inner);
    }
    nest->around[inner] = outer;
    out->lowest = in->lowest < out->lowest ? in->lowest : out->lowest;
}

static void join(struct nest *nest, const struct link *link)
{
    const int a = outermost(nest, link->a), b = outermost(nest, link->b);
    const int both = nest->nsets++;

    nest->around[both] = both;
    nest->sets[both] =
        (struct nest_set){nest->sets[a].lowest, NEST_NONE, NEST_NONE, NEST_NONE, link->price};
    enclose(nest, both, a);
    enclose(nest, both, b);
}

enum hitop_status nest_init(struct nest *nest, const struct pool *pool,
                            const struct hitop_tree_args *args, struct hitop_diag *diag)
{
    const size_t ngroups = (size_t)pool->ngroups;
    struct link *links = calloc(ngroups, sizeof(*links));

    *nest = (struct nest){.sets = calloc(2 * ngroups, sizeof(*nest->sets)),
                          .around = calloc(2 * ngroups, sizeof(*nest->around)),
                          .nsets = pool->ngroups};
    if (!links || !nest->sets || !nest->around) {
        free(links);
        return hitop_fail(diag, HITOP_ERR_NOMEM, "%zu groups of ranks: out of memory", ngroups);
    }
    for (int g = 0; g < pool->ngroups; g++) {
        const int lowest = pool->member[g == 0 ? 0 : pool->end[g - 1]];
        nest->sets[g] = (struct nest_set){lowest, NEST_NONE, NEST_NONE, NEST_NONE, 0};
        nest->around[g] = g;
    }
    span(nest, args, pool->ngroups, links);
    qsort(links, ngroups - 1, sizeof(*links), compare);
    for (int i = 0; i + 1 < pool->ngroups; i++) {
        join(nest, &links[i]);
    }
    nest->whole = outermost(nest, 0);
    for (int s = 0; s < nest->nsets; s++) { /* undo the short cuts of outermost() */
        for (int p = nest->sets[s].first; p != NEST_NONE; p = nest->sets[p].next) {
            nest->around[p] = s;
        }
    }
    free(links);
    return HITOP_OK;
}

void nest_fini(struct nest *nest)
{
    free(nest->around);
    free(nest->sets);
}
