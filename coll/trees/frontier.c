/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * frontier.c - pools of reached ranks by time and of the other ranks; rings by price for each
 * innermost piece.
 */
#include <config.h>

#include "coll/trees/frontier.h"

#include "hitop/coroutine.h"

#include <stdlib.h>

/* A ring with ranks to reach. */
struct target {
    double price;
    int rank; /* the first one to reach */
    int outer;
};

static int compare(const void *a, const void *b)
{
    const struct target *x = a, *y = b;

    if (x->price != y->price) {
        return x->price < y->price ? -1 : 1;
    }
    return (x->rank > y->rank) - (x->rank < y->rank);
}

static struct frontier_source *source_of(const struct frontier *f, int rank)
{
    return &f->source[f->sets->innermost[rank]];
}

/* The first rank to reach in ring `index` of a source, to which `from` belongs. */
static int first_of(const struct frontier *f, int from, const struct frontier_source *s, int index)
{
    const struct ring ring = hitop_ring_in(f->sets, from, s->ring[index]);

    return hitop_pool_first(&f->others, &ring);
}

/* Advance to the cheapest ring that has ranks to reach; return the first of them, or POOL_EMPTY. */
static int refresh(const struct frontier *f, int from, struct frontier_source *s)
{
    const int before = s->at;
    int rank = POOL_EMPTY;

    while (s->at < s->nrings && (rank = first_of(f, from, s, s->at)) == POOL_EMPTY) {
        s->at++;
    }
    if (rank != POOL_EMPTY && s->at != before) {
        s->price = f->price(f->args, from, rank);
    }
    return rank;
}

/*
 * The lowest rank to reach in all rings with the price of the cheapest; `to` is that of the
 * cheapest.
 */
static int lowest_alike(const struct frontier *f, int from, int to)
{
    const struct frontier_source *s = source_of(f, from);

    for (int i = s->at + 1; i < s->nrings; i++) {
        const int rank = first_of(f, from, s, i);
        if (rank != POOL_EMPTY && f->price(f->args, from, rank) > s->price) {
            break;
        }
        to = rank != POOL_EMPTY && rank < to ? rank : to;
    }
    return to;
}

struct frontier_link hitop_frontier_next(struct frontier *f)
{
    for (;;) {
        const int from = pool_first_of_all(&f->reached);
        struct frontier_source *s = source_of(f, from);
        const int to = refresh(f, from, s);
        const double time = f->ready[from] + s->price;

        if (to == POOL_EMPTY) {
            hitop_pool_take(&f->reached, from);
        } else if (time == f->reached.key[from]) {
            return (struct frontier_link){from, lowest_alike(f, from, to), time};
        } else {
            hitop_pool_put(&f->reached, from, time);
        }
    }
}

/* Sort the rings around the first reached rank of an innermost piece by price. */
static enum hitop_status find_rings(const struct frontier *f, int from, struct frontier_source *s,
                                    struct hitop_diag *diag)
{
    struct ring ring = hitop_rings_of(f->sets, from);
    struct target *target;
    int n = 0;

    while (hitop_ring_next(f->sets, &ring)) {
        n++;
    }
    target = calloc((size_t)n + 1, sizeof(*target));
    s->ring = calloc((size_t)n + 1, sizeof(*s->ring));
    if (!target || !s->ring) {
        free(target);
        return hitop_fail(diag, HITOP_ERR_NOMEM, "tree: out of memory");
    }
    n = 0;
    for (ring = hitop_rings_of(f->sets, from); hitop_ring_next(f->sets, &ring);) {
        const int to = hitop_pool_first(&f->others, &ring);
        if (to != POOL_EMPTY) {
            target[n++] = (struct target){f->price(f->args, from, to), to, ring.outer};
        }
    }
    qsort(target, (size_t)n, sizeof(*target), compare);
    for (int i = 0; i < n; i++) {
        s->ring[i] = target[i].outer;
    }
    s->nrings = n;
    s->price = target[0].price;
    free(target);
    return HITOP_OK;
}

/* Add a reached rank. */
static enum hitop_status add(struct frontier *f, int rank, double ready, struct hitop_diag *diag)
{
    struct frontier_source *s = source_of(f, rank);
    enum hitop_status status = HITOP_OK;

    if (!s->ring) {
        status = find_rings(f, rank, s, diag);
    }
    if (status == HITOP_OK && s->at < s->nrings) {
        f->ready[rank] = ready;
        hitop_pool_put(&f->reached, rank, ready + s->price);
    }
    return status;
}

enum hitop_status hitop_frontier_reach(struct frontier *f, const struct frontier_link *link,
                                       double from_ready, double to_ready, struct hitop_diag *diag)
{
    (void)hitop_coroutine_yield(2);
    hitop_pool_take(&f->others, link->to);
    f->ready[link->from] = from_ready;
    hitop_pool_put(&f->reached, link->from, from_ready + source_of(f, link->from)->price);
    return add(f, link->to, to_ready, diag);
}

enum hitop_status
hitop_frontier_init(struct frontier *f, const struct hitop_tree_args *args, const struct sets *sets,
                    double (*price)(const struct hitop_tree_args *args, int from, int to),
                    int start, struct hitop_diag *diag)
{
    enum hitop_status status;

    *f = (struct frontier){.args = args, .price = price, .sets = sets};
    status = hitop_pool_init(&f->others, sets, diag);
    if (status == HITOP_OK) {
        status = hitop_pool_init(&f->reached, sets, diag);
    }
    if (status != HITOP_OK) {
        return status;
    }
    f->ready = calloc((size_t)sets->size, sizeof(*f->ready));
    f->source = calloc((size_t)sets->first[sets->nsets], sizeof(*f->source));
    if (!f->ready || !f->source) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "tree over %d ranks: out of memory", sets->size);
    }
    hitop_pool_put_others(&f->others, start);
    return add(f, start, 0, diag);
}

void hitop_frontier_fini(struct frontier *f)
{
    for (int s = 0; f->source && s < f->sets->first[f->sets->nsets]; s++) {
        free(f->source[s].ring);
    }
    free(f->source);
    free(f->ready);
    hitop_pool_fini(&f->reached);
    hitop_pool_fini(&f->others);
}
