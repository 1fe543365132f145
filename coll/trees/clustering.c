/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * clustering.c - single-linkage clustering: Prim's minimum spanning tree, then its links are
 * joined by rising price.
 */
#include <config.h>

#include "coll/trees/clustering.h"

#include "coll/trees/frontier.h"
#include "hitop/coroutine.h"

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

/* The sum of both directions, so that the price is symmetric. */
static double there_and_back(const struct hitop_tree_args *args, int i, int j)
{
    const struct hitop_cost *cost = args->cost;

    return cost->p2p(cost->self, i, j, args->bytes) + cost->p2p(cost->self, j, i, args->bytes);
}

/* Whether no link from a rank, which is in a piece with others, is cheaper than those in the piece.
 */
static int is_near(const struct hitop_tree_args *args, const struct sets *sets, int rank,
                   double inside)
{
    struct ring ring = hitop_rings_of(sets, rank);

    while (hitop_ring_next(sets, &ring)) {
        if (ring_count(&ring) > 0) {
            const int other = sets->line[ring.hole_begin > ring.begin ? ring.begin : ring.hole_end];
            if (there_and_back(args, rank, other) < inside) {
                return 0;
            }
        }
    }
    return 1;
}

/*
 * Ranks of one kind directly in one set have equal links. Where no other link of theirs is cheaper,
 * they join first: link them to the first of them, and keep only that one for Prim's algorithm.
 * Ranks of that kind in inner sets, which are beside them in the line, have links of their own.
 * Returns the number of links.
 */
static int join_alike(const struct hitop_tree_args *args, const struct sets *sets,
                      struct frontier *f, struct link *links)
{
    int n = 0;

    for (int i = 0, end; i < sets->size; i = end) {
        const int first = sets->line[i], piece = sets->innermost[first];
        double price;
        for (end = i + 1; end < sets->size && sets->innermost[sets->line[end]] == piece;) {
            end++;
        }
        if (end - i < 2) {
            continue;
        }
        price = there_and_back(args, first, sets->line[i + 1]);
        if (!is_near(args, sets, first, price)) {
            continue;
        }
        for (int k = i + 1; k < end; k++) {
            links[n++] = (struct link){price, first, sets->line[k]};
            hitop_pool_take(&f->others, sets->line[k]);
        }
        (void)hitop_coroutine_yield((size_t)(end - i));
    }
    return n;
}

/* Prim's algorithm: the next link is the cheapest one from a reached rank to another one. */
static enum hitop_status span(const struct hitop_tree_args *args, const struct sets *sets,
                              struct link *links, struct hitop_diag *diag)
{
    struct frontier f;
    enum hitop_status status =
        hitop_frontier_init(&f, args, sets, there_and_back, sets->line[0], diag);

    for (int i = status == HITOP_OK ? join_alike(args, sets, &f, links) : 0;
         i + 1 < args->size && status == HITOP_OK; i++) {
        const struct frontier_link next = hitop_frontier_next(&f);
        links[i] = (struct link){next.time, next.from, next.to};
        status = hitop_frontier_reach(&f, &next, 0, 0, diag);
    }
    hitop_frontier_fini(&f);
    return status;
}

static int outermost(struct clustering *clusters, int set)
{
    while (clusters->enclosing[set] != set) {
        clusters->enclosing[set] = clusters->enclosing[clusters->enclosing[set]];
        set = clusters->enclosing[set];
    }
    return set;
}

/* Append the list first .. last to the inner sets of `into`. */
static void append(struct clustering *clusters, int into, int first, int last)
{
    struct cluster *set = &clusters->sets[into];

    if (set->first == CLUSTER_NONE) {
        set->first = first;
    } else {
        clusters->sets[set->last].next = first;
    }
    set->last = last;
}

/* Put `inner` into `outer`; a set that joined at the same price dissolves in it. */
static void enclose(struct clustering *clusters, int outer, int inner)
{
    struct cluster *in = &clusters->sets[inner];
    struct cluster *out = &clusters->sets[outer];

    if (in->first != CLUSTER_NONE && in->price == out->price) {
        append(clusters, outer, in->first, in->last);
        in->first = CLUSTER_NONE;
    } else {
        append(clusters, outer, inner, inner);
    }
    clusters->enclosing[inner] = outer;
}

static void join(struct clustering *clusters, const struct link *link)
{
    const int a = outermost(clusters, link->a), b = outermost(clusters, link->b);
    const int both = clusters->nsets++;

    clusters->enclosing[both] = both;
    clusters->sets[both] = (struct cluster){CLUSTER_NONE, CLUSTER_NONE, CLUSTER_NONE, link->price};
    enclose(clusters, both, a);
    enclose(clusters, both, b);
}

enum hitop_status hitop_clustering_init(struct clustering *clusters, const struct sets *sets,
                                        const struct hitop_tree_args *args, struct hitop_diag *diag)
{
    const size_t n = (size_t)args->size;
    struct link *links = calloc(n, sizeof(*links));
    enum hitop_status status = HITOP_OK;

    *clusters = (struct clustering){.sets = calloc(2 * n, sizeof(*clusters->sets)),
                                    .enclosing = calloc(2 * n, sizeof(*clusters->enclosing)),
                                    .nsets = args->size};
    if (!links || !clusters->sets || !clusters->enclosing) {
        status = hitop_fail(diag, HITOP_ERR_NOMEM, "tree over %zu ranks: out of memory", n);
        goto out;
    }
    for (int r = 0; r < args->size; r++) {
        clusters->sets[r] = (struct cluster){CLUSTER_NONE, CLUSTER_NONE, CLUSTER_NONE, 0};
        clusters->enclosing[r] = r;
    }
    status = span(args, sets, links, diag);
    if (status != HITOP_OK) {
        goto out;
    }
    qsort(links, n - 1, sizeof(*links), compare);
    for (int i = 0; i + 1 < args->size; i++) {
        join(clusters, &links[i]);
    }
    clusters->whole = outermost(clusters, 0);
    for (int s = 0; s < clusters->nsets; s++) { /* undo the path compression of outermost() */
        for (int p = clusters->sets[s].first; p != CLUSTER_NONE; p = clusters->sets[p].next) {
            clusters->enclosing[p] = s;
        }
    }

out:
    free(links);
    return status;
}

void hitop_clustering_free(struct clustering *clusters)
{
    free(clusters->enclosing);
    free(clusters->sets);
}
