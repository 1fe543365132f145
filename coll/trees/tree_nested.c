/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tree_nested.c - trees within trees: no set of near ranks is entered twice.
 *
 * Idea:   cluster the ranks by price. In the outermost set one leader per inner set gets the
 *         message, the root first of all; then the same inside each inner set. The set that takes
 *         longest inside is served first, by the leader whose message arrives first.
 * Cost:   the outer levels add up; every expensive link carries the message once.
 * Use:    links between far groups that are shared, which prices of single messages do not show.
 * Needs:  prices. The leader of a set without the root is its lowest rank.
 * Source: the clusters are those of single linkage; serving the longest first follows the
 *         look-ahead of P. Bhat, C. Raghavendra, V. Prasanna, ICDCS 1999.
 */
#include <config.h>

#include "nest.h"

#include "hitop/sys/tree.h"

#include <stdlib.h>

/* A leader and what it leads: a set, or itself alone in a group of alike ranks. */
struct part {
    int leader;
    int set;      /* NEST_NONE for a rank alone */
    double inner; /* seconds from when the leader has the message until all inside have it */
    double ready; /* when the leader can send, once informed */
};

struct nested {
    const struct hitop_tree_args *args;
    struct pool pool;
    struct nest nest;
    double *inner; /* per set, led by its lowest rank; -1 while unknown */
    int *parent, *order, norder;
};

/* The longest first, then the lowest. */
static int compare(const void *a, const void *b)
{
    const struct part *x = a, *y = b;

    if (x->inner != y->inner) {
        return x->inner > y->inner ? -1 : 1;
    }
    return (x->leader > y->leader) - (x->leader < y->leader);
}

static int holds(struct nested *n, int set, int rank)
{
    int s = n->pool.group[rank];

    while (s != set && n->nest.around[s] != s) {
        s = n->nest.around[s];
    }
    return s == set;
}

static double inner_of(struct nested *n, int set, enum hitop_status *status);

/* The parts of a set: that of `leader` first, then the others as they are served. */
static struct part *make_parts(struct nested *n, int set, int leader, int *count,
                               enum hitop_status *status)
{
    const int is_group = n->nest.sets[set].first == NEST_NONE;
    const int begin = set == 0 || !is_group ? 0 : n->pool.end[set - 1];
    struct part *parts;

    *count = 0;
    if (is_group) {
        *count = n->pool.end[set] - begin;
    }
    for (int s = n->nest.sets[set].first; s != NEST_NONE; s = n->nest.sets[s].next) {
        (*count)++;
    }
    parts = calloc((size_t)*count, sizeof(*parts));
    if (!parts) {
        *status = HITOP_ERR_NOMEM;
        return NULL;
    }
    for (int i = 0, s = n->nest.sets[set].first; i < *count; i++) {
        if (is_group) {
            parts[i] = (struct part){n->pool.member[begin + i], NEST_NONE, 0, 0};
        } else {
            parts[i] = (struct part){n->nest.sets[s].lowest, s, inner_of(n, s, status), 0};
            s = n->nest.sets[s].next;
        }
        if (is_group ? parts[i].leader == leader : holds(n, parts[i].set, leader)) {
            const struct part own = parts[i];
            parts[i] = parts[0];
            parts[0] = own;
            parts[0].leader = leader;
        }
    }
    qsort(parts + 1, (size_t)*count - 1, sizeof(*parts), compare);
    return parts;
}

/* Inform the leaders of all parts, the first of which has the message at its ready time. */
static void serve(struct nested *n, int is_group, struct part *parts, int count, int emit)
{
    const struct hitop_cost *cost = n->args->cost;
    const size_t bytes = n->args->bytes;
    double price = 0;

    for (int i = 1; i < count; i++) {
        double best_time = 0, best_price = 0;
        int best = -1;
        for (int k = 0; k < i; k++) {
            double time;
            if (!is_group || (i == 1 && k == 0)) { /* alike ranks have one price */
                price = cost->p2p(cost->self, parts[k].leader, parts[i].leader, bytes);
            }
            time = parts[k].ready + price;
            if (best < 0 || time < best_time ||
                (time == best_time && parts[k].leader < parts[best].leader)) {
                best = k;
                best_time = time;
                best_price = price;
            }
        }
        parts[i].ready = parts[best].ready + best_price;
        parts[best].ready +=
            cost->occupancy(cost->self, parts[best].leader, parts[i].leader, bytes);
        if (emit) {
            n->parent[parts[i].leader] = parts[best].leader;
            n->order[n->norder++] = parts[i].leader;
        }
    }
}

/* Time inside a set that its lowest rank leads. */
static double inner_of(struct nested *n, int set, enum hitop_status *status)
{
    const int leader = n->nest.sets[set].lowest;
    double last = 0;
    int count;
    struct part *parts;

    if (n->inner[set] >= 0) {
        return n->inner[set];
    }
    parts = make_parts(n, set, leader, &count, status);
    if (!parts) {
        return 0;
    }
    serve(n, n->nest.sets[set].first == NEST_NONE, parts, count, 0);
    for (int i = 0; i < count; i++) {
        const double time = parts[i].ready + parts[i].inner;
        last = time > last ? time : last;
    }
    free(parts);
    n->inner[set] = last;
    return last;
}

/* Attach all ranks of a set below its leader, the outer links before the inner ones. */
static void spread(struct nested *n, int set, int leader, enum hitop_status *status)
{
    int count;
    struct part *parts = make_parts(n, set, leader, &count, status);

    if (!parts) {
        return;
    }
    serve(n, n->nest.sets[set].first == NEST_NONE, parts, count, 1);
    for (int i = 0; i < count && *status == HITOP_OK; i++) {
        if (parts[i].set != NEST_NONE) {
            spread(n, parts[i].set, parts[i].leader, status);
        }
    }
    free(parts);
}

static enum hitop_status nested_build(const struct hitop_tree_args *args, const double *params,
                                      int *parent, int *order, struct hitop_diag *diag)
{
    struct nested n = {.args = args, .parent = parent, .order = order};
    enum hitop_status status = pool_init(&n.pool, args, diag);

    (void)params;
    if (status == HITOP_OK) {
        status = nest_init(&n.nest, &n.pool, args, diag);
    }
    if (status != HITOP_OK) {
        goto out;
    }
    n.inner = calloc((size_t)n.nest.nsets, sizeof(*n.inner));
    if (!n.inner) {
        status = hitop_fail(diag, HITOP_ERR_NOMEM, "nested: out of memory");
        goto out;
    }
    for (int s = 0; s < n.nest.nsets; s++) {
        n.inner[s] = -1;
    }
    parent[args->root] = HITOP_NO_RANK;
    order[n.norder++] = args->root;
    spread(&n, n.nest.whole, args->root, &status);
    if (status != HITOP_OK) {
        (void)hitop_fail(diag, status, "nested: out of memory");
    }

out:
    free(n.inner);
    nest_fini(&n.nest);
    pool_fini(&n.pool);
    return status;
}

const struct hitop_tree_builder hitop_tree_nested = {
    .name = "nested",
    .summary = "trees within trees: no set of near ranks is entered twice",
    .needs = HITOP_TREE_NEEDS_COST,
    .build = nested_build,
};
