/* SPDX-License-Identifier: BSD-3-Clause */
/* frontier.c - a heap of reached ranks; rings by price for each home. */
#include <config.h>

#include "coll/trees/frontier.h"

#include <stdlib.h>

/* A ring with ranks to reach. */
struct target {
    double price;
    int rank; /* the first one */
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
    return &f->source[f->source_of[rank]];
}

static int is_sooner(const struct frontier *f, int a, int b)
{
    return f->time[a] < f->time[b] || (f->time[a] == f->time[b] && a < b);
}

/* The time of the first one in the heap has grown. */
static void sink(struct frontier *f)
{
    const int rank = f->heap[0];
    int i = 0;

    for (int child = 1; child < f->nheap; child = 2 * i + 1) {
        if (child + 1 < f->nheap && is_sooner(f, f->heap[child + 1], f->heap[child])) {
            child++;
        }
        if (!is_sooner(f, f->heap[child], rank)) {
            break;
        }
        f->heap[i] = f->heap[child];
        i = child;
    }
    f->heap[i] = rank;
}

static void push(struct frontier *f, int rank)
{
    int i = f->nheap++;

    while (i > 0 && is_sooner(f, rank, f->heap[(i - 1) / 2])) {
        f->heap[i] = f->heap[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    f->heap[i] = rank;
}

/* The first one of the index-th ring of a source, to which `from` belongs. */
static int first_of(const struct frontier *f, int from, const struct frontier_source *s, int index)
{
    const struct ring ring = hitop_ring_in(f->sets, from, s->ring[index]);

    return hitop_pool_first(&f->pool, &ring);
}

/* Point at the cheapest ring that has ranks to reach; returns the first of them, or POOL_EMPTY. */
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

/* Of the rings that cost what the cheapest costs, the lowest rank to reach; `to` is that of the cheapest. */
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
        const int from = f->heap[0];
        struct frontier_source *s = source_of(f, from);
        const int to = refresh(f, from, s);
        const double time = f->ready[from] + s->price;

        if (to != POOL_EMPTY && time == f->time[from]) {
            return (struct frontier_link){from, lowest_alike(f, from, to), time};
        }
        f->time[from] = time;
        if (to == POOL_EMPTY) {
            f->heap[0] = f->heap[--f->nheap];
        }
        sink(f);
    }
}

/* Rings by price, as the first reached rank of a home sees them. */
static enum hitop_status find_rings(const struct frontier *f, int from, struct frontier_source *s,
                                    struct hitop_diag *diag)
{
    struct ring ring = hitop_rings_around(f->sets, from);
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
    for (ring = hitop_rings_around(f->sets, from); hitop_ring_next(f->sets, &ring);) {
        const int to = hitop_pool_first(&f->pool, &ring);
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

/* Let one more rank be reached. */
static enum hitop_status add(struct frontier *f, int rank, double ready, struct hitop_diag *diag)
{
    struct frontier_source *s = source_of(f, rank);
    enum hitop_status status = HITOP_OK;

    if (!s->ring) {
        status = find_rings(f, rank, s, diag);
    }
    if (status == HITOP_OK && s->at < s->nrings) {
        f->ready[rank] = ready;
        f->time[rank] = ready + s->price;
        push(f, rank);
    }
    return status;
}

enum hitop_status hitop_frontier_reach(struct frontier *f, const struct frontier_link *link,
                                       double from_ready, double to_ready, struct hitop_diag *diag)
{
    hitop_pool_take(&f->pool, link->to);
    f->ready[link->from] = from_ready;
    f->time[link->from] = from_ready + source_of(f, link->from)->price;
    sink(f); /* the sender, which is the first one */
    return add(f, link->to, to_ready, diag);
}

/* A source for each home. */
static int make_sources(struct frontier *f)
{
    const struct sets *sets = f->sets;
    int *number = calloc((size_t)sets->first[sets->nsets], sizeof(*number)); /* from 1 on */

    if (!number) {
        return 0;
    }
    for (int r = 0; r < sets->size; r++) {
        if (number[sets->home[r]] == 0) {
            number[sets->home[r]] = ++f->nsources;
        }
        f->source_of[r] = number[sets->home[r]] - 1;
    }
    free(number);
    f->source = calloc((size_t)f->nsources, sizeof(*f->source));
    return f->source != NULL;
}

enum hitop_status
hitop_frontier_init(struct frontier *f, const struct hitop_tree_args *args, const struct sets *sets,
                    double (*price)(const struct hitop_tree_args *args, int from, int to),
                    int start, struct hitop_diag *diag)
{
    const size_t n = (size_t)sets->size;
    enum hitop_status status;

    *f = (struct frontier){.args = args,
                           .price = price,
                           .sets = sets,
                           .source_of = calloc(n, sizeof(int)),
                           .ready = calloc(n, sizeof(double)),
                           .time = calloc(n, sizeof(double)),
                           .heap = calloc(n, sizeof(int))};
    status = hitop_pool_init(&f->pool, sets, diag);
    if (status != HITOP_OK) {
        return status;
    }
    if (!f->source_of || !f->ready || !f->time || !f->heap || !make_sources(f)) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "tree over %zu ranks: out of memory", n);
    }
    hitop_pool_put_others(&f->pool, start);
    return add(f, start, 0, diag);
}

void hitop_frontier_fini(struct frontier *f)
{
    for (int s = 0; f->source && s < f->nsources; s++) {
        free(f->source[s].ring);
    }
    free(f->heap);
    free(f->time);
    free(f->ready);
    free(f->source);
    free(f->source_of);
    hitop_pool_fini(&f->pool);
}
