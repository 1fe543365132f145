/* SPDX-License-Identifier: BSD-3-Clause */
/* model_crossings.c - the ways that messages between groups share. */
#include <config.h>

#include "model_impl.h"

#include <math.h>

/* Seconds that the bytes of a message take after its latency. */
static double transfer(const struct hitop_model *model, int from, int to, size_t bytes)
{
    return fmax(0, hitop_model_p2p(model, from, to, bytes) - hitop_model_p2p(model, from, to, 0));
}

/*
 * A rank of another member of the group around `node`, or HITOP_NO_RANK where there is none or links of that
 * group differ: the links between its members are those that the way out of `node` was made for, and a message that
 * goes further over slower ones fills but a part of it.
 */
static int neighbour(const struct hitop_model *model, int node)
{
    const struct hitop_hierarchy *h = model->hierarchy;
    const int around = hitop_hierarchy_parent(h, node), first = model->class_of_node[around];
    int n;
    const int *member = hitop_hierarchy_children(h, around, &n);

    if (first < 0 || !model_is_whole(&model->classes[first])) {
        return HITOP_NO_RANK;
    }
    return hitop_hierarchy_first_rank(h, member[member[0] == node]);
}

static double full_speed(const struct hitop_model *model, int node, int from, int to, size_t bytes)
{
    const int near = neighbour(model, node);

    return transfer(model, from, near == HITOP_NO_RANK ? to : near, bytes);
}

int model_crossings(const void *self, int from, int to, size_t bytes, struct hitop_crossing *out)
{
    const struct hitop_model *model = self;
    const struct hitop_hierarchy *h = model->hierarchy;
    const int nranks = hitop_hierarchy_nranks(h), meet = hitop_hierarchy_lca(h, from, to);
    int n = 0;

    for (int in = 0; in < 2 && from != to; in++) {
        const int own = in ? to : from, other = in ? from : to;
        for (int node = hitop_hierarchy_parent(h, own); node != meet;
             node = hitop_hierarchy_parent(h, node)) {
            const double capacity = hitop_hierarchy_capacity(h, node);
            if (capacity > 0) {
                const double seconds = full_speed(model, node, own, other, bytes) / capacity;
                out[n++] = (struct hitop_crossing){2 * (node - nranks) + in, seconds};
            }
        }
    }
    return n;
}
