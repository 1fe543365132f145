/* SPDX-License-Identifier: BSD-3-Clause */
/* nest.c - single-linkage clustering: Prim's spanning tree, then its links from the cheapest on. */
#include <config.h>

#include "coll/trees/nest.h"

#include "coll/trees/frontier.h"

#include <stdlib.h>

struct link {
    double price;
    int a, b; /* ranks */
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
static double there_and_back(const struct hitop_tree_args *args, int i, int j)
{
    const struct hitop_cost *cost = args->cost;

    return cost->p2p(cost->self, i, j, args->bytes) + cost->p2p(cost->self, j, i, args->bytes);
}

/* Prim: the next link is the cheapest one out of what is reached. Nobody ever waits. */
static enum hitop_status span(const struct hitop_tree_args *args, const struct sets *sets,
                              struct link *links, struct hitop_diag *diag)
{
    struct frontier f;
    enum hitop_status status = frontier_init(&f, args, sets, there_and_back, 0, diag);

    for (int i = 0; i + 1 < args->size && status == HITOP_OK; i++) {
        const struct frontier_link next = frontier_next(&f);
        links[i] = (struct link){next.time, next.from, next.to};
        status = frontier_reach(&f, &next, 0, 0, diag);
    }
    frontier_fini(&f);
    return status;
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
}

static void join(struct nest *nest, const struct link *link)
{
    const int a = outermost(nest, link->a), b = outermost(nest, link->b);
    const int both = nest->nsets++;

    nest->around[both] = both;
    nest->sets[both] = (struct nest_set){NEST_NONE, NEST_NONE, NEST_NONE, link->price};
    enclose(nest, both, a);
    enclose(nest, both, b);
}

enum hitop_status nest_init(struct nest *nest, const struct sets *sets,
                            const struct hitop_tree_args *args, struct hitop_diag *diag)
{
    const size_t n = (size_t)args->size;
    struct link *links = calloc(n, sizeof(*links));
    enum hitop_status status = HITOP_OK;

    *nest = (struct nest){.sets = calloc(2 * n, sizeof(*nest->sets)),
                          .around = calloc(2 * n, sizeof(*nest->around)),
                          .nsets = args->size};
    if (!links || !nest->sets || !nest->around) {
        status = hitop_fail(diag, HITOP_ERR_NOMEM, "tree over %zu ranks: out of memory", n);
        goto out;
    }
    for (int r = 0; r < args->size; r++) {
        nest->sets[r] = (struct nest_set){NEST_NONE, NEST_NONE, NEST_NONE, 0};
        nest->around[r] = r;
    }
    status = span(args, sets, links, diag);
    if (status != HITOP_OK) {
        goto out;
    }
    qsort(links, n - 1, sizeof(*links), compare);
    for (int i = 0; i + 1 < args->size; i++) {
        join(nest, &links[i]);
    }
    nest->whole = outermost(nest, 0);
    for (int s = 0; s < nest->nsets; s++) { /* undo the short cuts of outermost() */
        for (int p = nest->sets[s].first; p != NEST_NONE; p = nest->sets[p].next) {
            nest->around[p] = s;
        }
    }

out:
    free(links);
    return status;
}

void nest_fini(struct nest *nest)
{
    free(nest->around);
    free(nest->sets);
}
