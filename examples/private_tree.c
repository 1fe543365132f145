/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * private_tree.c - a tree that Hitop does not have: a comb.
 *
 * Idea:   every so many ranks, counted from the root, one belongs to the spine, a chain; the others
 * hang below the one of the spine before them, its teeth. Cost:   depth size / teeth; a rank of the
 * spine sends to its successor first, then to its teeth. Use:    ranks that are numbered by host,
 * and teeth that are as many as ranks of a host.
 */
#include "private.h"

static const struct hitop_param params[] = {
    {"teeth", "ranks from one of the spine to the next", 2, 1, 1e6, ""},
};

static enum hitop_status comb_build(const struct hitop_tree_args *args, const double *values,
                                    int *parent, int *order, struct hitop_diag *diag)
{
    const int size = args->size, root = args->root, teeth = (int)values[0];
    int n = 0;

    (void)diag; /* a comb can always be built */
    /* v counts from the root. The spine comes first, so that successors are served before teeth. */
    for (int v = 0; v < size; v += teeth) {
        const int rank = (v + root) % size;
        parent[rank] = v == 0 ? HITOP_NO_RANK : (v - teeth + root) % size;
        order[n++] = rank;
    }
    for (int v = 0; v < size; v++) {
        if (v % teeth != 0) {
            const int rank = (v + root) % size;
            parent[rank] = (v - v % teeth + root) % size;
            order[n++] = rank;
        }
    }
    return HITOP_OK;
}

const struct hitop_tree_builder private_tree_comb = {
    .name = "comb",
    .summary = "a chain of every so many ranks, each with the others as teeth",
    .params = params,
    .nparams = 1,
    .build = comb_build,
};
