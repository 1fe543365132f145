/* SPDX-License-Identifier: BSD-3-Clause */
/* relay_cost.c - see relay_cost.h. */
#include <config.h>

#include "coll/twolevel/relay_cost.h"

static double p2p(const void *self, int from, int to, size_t bytes)
{
    const struct hitop_cost *model = self;

    return model->p2p(model->self, from, to, bytes);
}

/* Does the model tell what a message takes of its two ends from when it has arrived? */
static int knows_ends(const struct hitop_cost *model, int from, int to)
{
    return model->occupancy(model->self, from, to, 0) < model->p2p(model->self, from, to, 0);
}

static double occupancy(const void *self, int from, int to, size_t bytes)
{
    const struct hitop_cost *model = self;
    const double transfer = p2p(self, from, to, bytes) - p2p(self, from, to, 0);
    const double known = model->occupancy(model->self, from, to, bytes);
    const double hand_over =
        knows_ends(model, from, to) ? model->occupancy(model->self, from, to, 0) : 0;
    const double longer = hand_over > transfer ? hand_over : transfer;

    return known < longer ? known : longer;
}

static double reception(const void *self, int from, int to, size_t bytes)
{
    const struct hitop_cost *model = self;

    return model->reception && knows_ends(model, from, to)
               ? model->reception(model->self, from, to, bytes)
               : 0;
}

static int around(const void *self, int set)
{
    const struct hitop_cost *model = self;

    return model->around(model->self, set);
}

static int kind(const void *self, int node)
{
    const struct hitop_cost *model = self;

    return model->kind(model->self, node);
}

static int crossings(const void *self, int from, int to, size_t bytes, struct hitop_crossing *out)
{
    const struct hitop_cost *model = self;

    return model->crossings(model->self, from, to, bytes, out);
}

/* On an ordinary node. */
static const double copy_seconds_per_byte = 0.25e-9;

static double copy(const void *self, int node, size_t bytes)
{
    (void)self;
    (void)node;
    return copy_seconds_per_byte * (double)bytes;
}

struct hitop_cost hitop_relay_cost(const struct hitop_cost *model)
{
    return (struct hitop_cost){.self = model,
                               .nranks = model->nranks,
                               .p2p = p2p,
                               .occupancy = occupancy,
                               .reception = reception,
                               .around = model->around ? around : NULL,
                               .nsets = model->nsets,
                               .kind = model->kind ? kind : NULL,
                               .grows = model->grows,
                               .crossings = model->crossings ? crossings : NULL,
                               .ntrunks = model->ntrunks,
                               .max_crossings = model->max_crossings};
}

void hitop_relay_cost_copies(struct hitop_cost *cost)
{
    cost->local = copy;
}
