/* SPDX-License-Identifier: BSD-3-Clause */
/* counted_cost.c - a cost that counts how often it is asked. */
#include "bench/scale/counted_cost.h"

static const struct hitop_cost *ask(const void *self)
{
    const struct counted_cost *c = self;

    ++*c->prices;
    return &c->from;
}

static double p2p(const void *self, int from, int to, size_t bytes)
{
    const struct hitop_cost *cost = ask(self);

    return cost->p2p(cost->self, from, to, bytes);
}

static double occupancy(const void *self, int from, int to, size_t bytes)
{
    const struct hitop_cost *cost = ask(self);

    return cost->occupancy(cost->self, from, to, bytes);
}

static double reception(const void *self, int from, int to, size_t bytes)
{
    const struct hitop_cost *cost = ask(self);

    return cost->reception(cost->self, from, to, bytes);
}

static double local(const void *self, int rank, size_t bytes)
{
    const struct hitop_cost *cost = ask(self);

    return cost->local(cost->self, rank, bytes);
}

static int enclosing(const void *self, int set)
{
    const struct counted_cost *c = self;

    return c->from.enclosing(c->from.self, set);
}

static int kind(const void *self, int rank)
{
    const struct counted_cost *c = self;

    return c->from.kind(c->from.self, rank);
}

struct hitop_cost counted_cost(const struct counted_cost *counted)
{
    const struct hitop_cost *from = &counted->from;

    return (struct hitop_cost){.self = counted,
                               .nranks = from->nranks,
                               .p2p = p2p,
                               .occupancy = occupancy,
                               .reception = from->reception ? reception : NULL,
                               .local = from->local ? local : NULL,
                               .enclosing = from->enclosing ? enclosing : NULL,
                               .nsets = from->nsets,
                               .kind = from->kind ? kind : NULL,
                               .grows = from->grows};
}
