/* SPDX-License-Identifier: BSD-3-Clause */
/* cost_view.c - forward each price to the original cost. */
#include <config.h>

#include "coll/predict/cost_view.h"

static int rank_of(const struct cost_view *v, int rank)
{
    return v->rank ? v->rank[rank] : rank;
}

static double factor_of(const struct cost_view *v, int from, int to, size_t bytes)
{
    return v->factor ? v->factor(v->self, from, to, bytes) : 1;
}

static double view_p2p(const void *self, int from, int to, size_t bytes)
{
    const struct cost_view *v = self;

    return factor_of(v, from, to, bytes) *
               v->all->p2p(v->all->self, rank_of(v, from), rank_of(v, to), bytes) +
           (v->delay ? v->delay(v->self, from, to, bytes) : 0);
}

static double view_occupancy(const void *self, int from, int to, size_t bytes)
{
    const struct cost_view *v = self;

    return factor_of(v, from, to, bytes) *
           v->all->occupancy(v->all->self, rank_of(v, from), rank_of(v, to), bytes);
}

static double view_reception(const void *self, int from, int to, size_t bytes)
{
    const struct cost_view *v = self;

    return factor_of(v, from, to, bytes) *
           v->all->reception(v->all->self, rank_of(v, from), rank_of(v, to), bytes);
}

static size_t view_eager(const void *self, int from, int to)
{
    const struct cost_view *v = self;

    return v->all->eager(v->all->self, rank_of(v, from), rank_of(v, to));
}

static double view_local(const void *self, int rank, size_t bytes)
{
    const struct cost_view *v = self;

    return v->all->local(v->all->self, rank_of(v, rank), bytes);
}

static int view_crossings(const void *self, int from, int to, size_t bytes,
                          struct hitop_crossing *out)
{
    const struct cost_view *v = self;
    const int n = v->all->crossings(v->all->self, rank_of(v, from), rank_of(v, to), bytes, out);

    for (int i = 0; i < n; i++) {
        out[i].seconds *= factor_of(v, from, to, bytes);
    }
    return n;
}

static double view_handshake(const void *self, int from, int to, size_t bytes)
{
    const struct cost_view *v = self;

    return factor_of(v, from, to, bytes) *
           v->all->handshake(v->all->self, rank_of(v, from), rank_of(v, to), bytes);
}

/* Larger sets than ranks follow the ranks of the view, as they follow all ranks. */
static int view_enclosing(const void *self, int set)
{
    const struct cost_view *v = self;
    const int beyond = v->all->nranks - v->nranks;
    const int up =
        v->all->enclosing(v->all->self, set < v->nranks ? rank_of(v, set) : set + beyond);

    return up < 0 ? up : up - beyond;
}

static int view_kind(const void *self, int rank)
{
    const struct cost_view *v = self;

    return v->all->kind(v->all->self, rank_of(v, rank));
}

struct hitop_cost hitop_cost_view(const struct cost_view *view, int nranks)
{
    const struct hitop_cost *all = view->all;
    const int has_sets = view->nranks > 0 && all->enclosing;

    return (struct hitop_cost){.self = view,
                               .nranks = nranks,
                               .p2p = view_p2p,
                               .occupancy = view_occupancy,
                               .reception = all->reception ? view_reception : NULL,
                               .eager = all->eager ? view_eager : NULL,
                               .local = all->local ? view_local : NULL,
                               .enclosing = has_sets ? view_enclosing : NULL,
                               .nsets = has_sets ? all->nsets - all->nranks + nranks : 0,
                               .kind = has_sets && all->kind ? view_kind : NULL,
                               .crossings = all->crossings ? view_crossings : NULL,
                               .ntrunks = all->ntrunks,
                               .max_crossings = all->max_crossings,
                               .handshake = all->handshake ? view_handshake : NULL};
}
