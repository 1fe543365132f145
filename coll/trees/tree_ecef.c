/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tree_ecef.c - the earliest completing edge first.
 *
 * Idea:   of all sends from an informed rank to an uninformed one take the one that would arrive
 *         first, then again, until all are informed.
 * Cost:   with g groups of interchangeable ranks: g^2 + n g prices, memory for n + g^2 integers.
 * Use:    messages sent whole over links of different speed.
 * Needs:  prices. Equal times go to the lowest sender, then to the lowest receiver.
 * Source: P. Bhat, C. Raghavendra, V. Prasanna, Efficient collective communication in distributed
 *         heterogeneous systems, ICDCS 1999.
 */
#include <config.h>

#include "pool.h"

#include "hitop/sys/tree.h"

#include <stdlib.h>

/* The informed ranks of one group, which all reach the other groups at the same prices. */
struct source {
    int *heap; /* the informed ranks, the earliest ready first */
    int count;
    int *target;  /* groups by rising price; NULL while nobody here is informed */
    int ntargets; /* entries of target[] */
    int at;       /* the first of them with uninformed ranks */
    double price; /* of sending to it */
};

struct ecef {
    const struct hitop_cost *cost;
    size_t bytes;
    struct pool pool;
    struct source *sources; /* [ngroups] */
    int *heaps;             /* [size], where the heaps lie one after another */
    double *ready;          /* [size], when an informed rank can send again */
    struct row *row;        /* [ngroups], scratch */
};

struct row {
    double price;
    int rank; /* uninformed member of the group */
    int group;
};

static int compare(const void *a, const void *b)
{
    const struct row *x = a, *y = b;

    if (x->price != y->price) {
        return x->price < y->price ? -1 : 1;
    }
    return (x->rank > y->rank) - (x->rank < y->rank);
}

static double price(const struct ecef *e, int from, int to)
{
    return e->cost->p2p(e->cost->self, from, to, e->bytes);
}

static int earlier(const struct ecef *e, int a, int b)
{
    return e->ready[a] < e->ready[b] || (e->ready[a] == e->ready[b] && a < b);
}

/* The top's ready time has grown: let it sink to its place. */
static void sink(const struct ecef *e, struct source *s)
{
    const int rank = s->heap[0];
    int i = 0;

    for (int child = 1; child < s->count; child = 2 * i + 1) {
        if (child + 1 < s->count && earlier(e, s->heap[child + 1], s->heap[child])) {
            child++;
        }
        if (!earlier(e, s->heap[child], rank)) {
            break;
        }
        s->heap[i] = s->heap[child];
        i = child;
    }
    s->heap[i] = rank;
}

static void push(const struct ecef *e, struct source *s, int rank)
{
    int i = s->count++;

    while (i > 0 && earlier(e, rank, s->heap[(i - 1) / 2])) {
        s->heap[i] = s->heap[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    s->heap[i] = rank;
}

/* Point at the cheapest group that still has uninformed ranks. */
static void refresh(const struct ecef *e, struct source *s)
{
    const int before = s->at;

    while (s->at < s->ntargets && pool_first(&e->pool, s->target[s->at]) == POOL_EMPTY) {
        s->at++;
    }
    if (s->at < s->ntargets && (s->at != before || s->at == 0)) {
        s->price = price(e, s->heap[0], pool_first(&e->pool, s->target[s->at]));
    }
}

/* Note that `rank` has the message and may send from ready[rank] on. */
static enum hitop_status inform(struct ecef *e, int rank, struct hitop_diag *diag)
{
    struct source *s = &e->sources[e->pool.group[rank]];
    int n = 0;

    push(e, s, rank);
    if (s->target) {
        return HITOP_OK;
    }
    s->target = calloc((size_t)e->pool.ngroups, sizeof(*s->target));
    if (!s->target) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "ecef: out of memory");
    }
    for (int g = 0; g < e->pool.ngroups; g++) {
        const int to = pool_first(&e->pool, g);
        if (to != POOL_EMPTY) {
            e->row[n++] = (struct row){price(e, rank, to), to, g};
        }
    }
    qsort(e->row, (size_t)n, sizeof(*e->row), compare);
    for (int i = 0; i < n; i++) {
        s->target[i] = e->row[i].group;
    }
    s->ntargets = n;
    refresh(e, s);
    return HITOP_OK;
}

/* The group whose earliest rank completes a send first. */
static struct source *choose_source(const struct ecef *e)
{
    struct source *best = NULL;
    double best_time = 0;

    for (int g = 0; g < e->pool.ngroups; g++) {
        struct source *s = &e->sources[g];
        double time;
        if (s->count == 0 || s->at == s->ntargets) {
            continue;
        }
        time = e->ready[s->heap[0]] + s->price;
        if (!best || time < best_time || (time == best_time && s->heap[0] < best->heap[0])) {
            best = s;
            best_time = time;
        }
    }
    return best;
}

/* Of the groups that cost the same as the cheapest, the one with the lowest uninformed rank. */
static int choose_target(const struct ecef *e, const struct source *s)
{
    int best = s->target[s->at];

    for (int i = s->at + 1; i < s->ntargets; i++) {
        const int rank = pool_first(&e->pool, s->target[i]);
        if (rank == POOL_EMPTY) {
            continue;
        }
        if (price(e, s->heap[0], rank) > s->price) {
            break;
        }
        if (rank < pool_first(&e->pool, best)) {
            best = s->target[i];
        }
    }
    return best;
}

static enum hitop_status grow(struct ecef *e, const struct hitop_tree_args *args, int *parent,
                              int *order, struct hitop_diag *diag)
{
    enum hitop_status status = inform(e, args->root, diag);

    parent[args->root] = HITOP_NO_RANK;
    order[0] = args->root;
    for (int i = 1; i < args->size && status == HITOP_OK; i++) {
        struct source *s = choose_source(e);
        const int group = choose_target(e, s);
        const int from = s->heap[0], to = pool_first(&e->pool, group);

        parent[to] = from;
        order[i] = to;
        e->ready[to] = e->ready[from] + s->price;
        e->ready[from] += e->cost->occupancy(e->cost->self, from, to, e->bytes);
        sink(e, s);
        pool_take(&e->pool, group);
        if (pool_first(&e->pool, group) == POOL_EMPTY) {
            for (int g = 0; g < e->pool.ngroups; g++) {
                refresh(e, &e->sources[g]);
            }
        }
        status = inform(e, to, diag);
    }
    return status;
}

static enum hitop_status ecef_build(const struct hitop_tree_args *args, const double *params,
                                    int *parent, int *order, struct hitop_diag *diag)
{
    struct ecef e = {.cost = args->cost, .bytes = args->bytes};
    enum hitop_status status = pool_init(&e.pool, args, diag);

    (void)params;
    if (status != HITOP_OK) {
        goto out;
    }
    e.sources = calloc((size_t)e.pool.ngroups, sizeof(*e.sources));
    e.row = calloc((size_t)e.pool.ngroups, sizeof(*e.row));
    e.heaps = calloc((size_t)args->size, sizeof(*e.heaps));
    e.ready = calloc((size_t)args->size, sizeof(*e.ready));
    if (!e.sources || !e.row || !e.heaps || !e.ready) {
        status = hitop_fail(diag, HITOP_ERR_NOMEM, "ecef: out of memory");
        goto out;
    }
    for (int g = 0; g < e.pool.ngroups; g++) {
        e.sources[g].heap = &e.heaps[g == 0 ? 0 : e.pool.end[g - 1]];
    }
    status = grow(&e, args, parent, order, diag);

out:
    for (int g = 0; e.sources && g < e.pool.ngroups; g++) {
        free(e.sources[g].target);
    }
    free(e.ready);
    free(e.heaps);
    free(e.row);
    free(e.sources);
    pool_fini(&e.pool);
    return status;
}

const struct hitop_tree_builder hitop_tree_ecef = {
    .name = "ecef",
    .summary = "the earliest completing edge first",
    .needs = HITOP_TREE_NEEDS_COST,
    .build = ecef_build,
};
