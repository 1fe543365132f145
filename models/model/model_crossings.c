/* SPDX-License-Identifier: BSD-3-Clause */
/* model_crossings.c - the shared links that a message between groups crosses. */
#include <config.h>

#include "models/model/model_impl.h"
#include "models/model/uplink.h"

#include <math.h>
#include <stdlib.h>

/*
 * Find the groups with ranks of several hosts: links out of their members are links between hosts.
 */
static void find_wide(const struct hitop_hierarchy *h, char *is_wide)
{
    const int nranks = hitop_hierarchy_nranks(h);

    for (int node = nranks; node < hitop_hierarchy_nnodes(h); node++) { /* members come first */
        int n;
        const int *member = hitop_hierarchy_children(h, node, &n);
        const int first = hitop_hierarchy_first_rank(h, node);
        for (int i = 0; i < n && !is_wide[node - nranks]; i++) {
            is_wide[node - nranks] =
                (member[i] >= nranks && is_wide[member[i] - nranks]) ||
                !hitop_hierarchy_share_host(h, first, hitop_hierarchy_first_rank(h, member[i]));
        }
    }
}

/*
 * Half of the shortest latency between hosts: the longest time for which an empty message can keep
 * each of its two processors busy.
 */
static double find_shortest(const struct hitop_model *model, const char *is_wide)
{
    double shortest = INFINITY;

    for (int i = 0; i < model->nclasses; i++) {
        struct hitop_terms terms;
        if (is_wide[model->classes[i].node - hitop_hierarchy_nranks(model->hierarchy)]) {
            hitop_model_class_terms(&model->classes[i], &terms);
            shortest = fmin(shortest, model->type->p2p(&terms, 0));
        }
    }
    return shortest / 2;
}

/*
 * Capacity of the link out of a group. Where it is unknown, links between hosts have capacity 1:
 * concurrent messages share the bandwidth of one.
 */
static double capacity_of(const struct hitop_hierarchy *h, int node, const char *is_wide,
                          int *is_unknown)
{
    const double known = hitop_hierarchy_capacity(h, node);
    const int enclosing = hitop_hierarchy_parent(h, node);

    *is_unknown = !(known > 0) && uplink_messages(h, node) > 1 &&
                  is_wide[enclosing - hitop_hierarchy_nranks(h)];
    return known > 0 ? known : *is_unknown ? 1 : INFINITY;
}

enum hitop_status hitop_model_find_capacities(struct hitop_model *model, struct hitop_diag *diag)
{
    const struct hitop_hierarchy *h = model->hierarchy;
    const int nranks = hitop_hierarchy_nranks(h), ngroups = hitop_hierarchy_nnodes(h) - nranks;
    char *is_wide = calloc((size_t)ngroups, sizeof(*is_wide));

    model->capacity = hitop_memory_take(&model->memory, (size_t)ngroups, sizeof(double));
    if (!is_wide || !model->capacity) {
        free(is_wide);
        return hitop_model_out_of_memory(diag);
    }
    find_wide(h, is_wide);
    for (int g = 0; g < ngroups; g++) {
        int is_unknown;
        model->capacity[g] = capacity_of(h, nranks + g, is_wide, &is_unknown);
        model->nunknown += is_unknown;
        model->has_capacity |= model->capacity[g] < INFINITY;
    }
    model->shortest = model->type->send_overhead ? INFINITY : find_shortest(model, is_wide);
    free(is_wide);
    return HITOP_OK;
}

int hitop_model_unknown_capacities(const struct hitop_model *model)
{
    return model->nunknown;
}

static double capacity_at(const struct hitop_model *model, int node)
{
    return model->capacity[node - hitop_hierarchy_nranks(model->hierarchy)];
}

/*
 * Seconds for which the bytes of a message occupy a link: what as many further bytes add to its
 * time, because the handshake before a long message takes time but occupies no link. It is at least
 * the time of the bytes at the rate of long messages.
 */
static double transfer(const struct hitop_model *model, int from, int to, size_t bytes)
{
    static const size_t most = (size_t)1 << 20;
    const size_t far = bytes > most ? bytes : most;
    const double time = hitop_model_p2p(model, from, to, bytes);
    const double all = time - hitop_model_p2p(model, from, to, 0);
    const double further = hitop_model_p2p(model, from, to, 2 * bytes) - time;
    const double at_full_rate =
        (hitop_model_p2p(model, from, to, 2 * far) - hitop_model_p2p(model, from, to, far)) *
        (double)bytes / (double)far;

    return fmax(0, fmin(all, fmax(further, at_full_rate)));
}

/*
 * A rank of another member of the group around `node`, or HITOP_NO_RANK where that group has no
 * class for all its links. The capacity of the link out of `node` is that of messages between
 * members of the group; a message that crosses slower links further out uses only a part of it.
 */
static int neighbour(const struct hitop_model *model, int node)
{
    const struct hitop_hierarchy *h = model->hierarchy;
    const int enclosing = hitop_hierarchy_parent(h, node), first = model->class_of_node[enclosing];
    int n;
    const int *member = hitop_hierarchy_children(h, enclosing, &n);

    if (first < 0 || !model_is_whole(&model->classes[first])) {
        return HITOP_NO_RANK;
    }
    return hitop_hierarchy_first_rank(h, member[member[0] == node]);
}

/* Seconds for which a message occupies the link out of or into a group on its path; 0: no limit. */
static double seconds_at(const struct hitop_model *model, int node, int own, int other,
                         size_t bytes)
{
    const double capacity = capacity_at(model, node);
    int near;

    if (isinf(capacity)) {
        return 0;
    }
    near = neighbour(model, node);
    return transfer(model, own, near == HITOP_NO_RANK ? other : near, bytes) / capacity;
}

int hitop_model_crossings(const void *self, int from, int to, size_t bytes,
                          struct hitop_crossing *out)
{
    const struct hitop_model *model = self;
    const struct hitop_hierarchy *h = model->hierarchy;
    const int nranks = hitop_hierarchy_nranks(h), meet = hitop_hierarchy_lca(h, from, to);
    int n = 0;

    for (int in = 0; in < 2 && from != to; in++) {
        const int own = in ? to : from, other = in ? from : to;
        for (int node = hitop_hierarchy_parent(h, own); node != meet;
             node = hitop_hierarchy_parent(h, node)) {
            if (!isinf(capacity_at(model, node))) {
                out[n++] = (struct hitop_crossing){2 * (node - nranks) + in,
                                                   seconds_at(model, node, own, other, bytes)};
            }
        }
    }
    return n;
}

double hitop_model_handshake(const void *self, int from, int to, size_t bytes)
{
    const struct hitop_model *model = self;
    const double growth =
        hitop_model_p2p(model, from, to, bytes) - hitop_model_p2p(model, from, to, 0);

    return from == to ? 0 : fmax(0, growth - transfer(model, from, to, bytes));
}

int hitop_model_link_parts(const struct hitop_model *model, int own, int other, size_t bytes,
                           double gap)
{
    static const double rounding = 1e-6;
    const struct hitop_hierarchy *h = model->hierarchy;
    const int meet = hitop_hierarchy_lca(h, own, other);
    const double least = fmin(gap, transfer(model, own, other, bytes));

    for (int node = hitop_hierarchy_parent(h, own); node != meet;
         node = hitop_hierarchy_parent(h, node)) {
        if (model_knows_link(model, node) &&
            seconds_at(model, node, own, other, bytes) >= least * (1 - rounding)) {
            return 1;
        }
    }
    return 0;
}
