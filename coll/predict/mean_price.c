/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mean_price.c - what a message costs between any two ranks in the mean.
 *
 * Idea:  ranks with one home see all others in rings, in each of which all have one price: one rank of each
 *        home asks for those of its rings.
 * Cost:  a price for each home and ring around it.
 */
#include <config.h>

#include "coll/predict/mean_price.h"

#include "coll/trees/sets.h"

#include <stdlib.h>

/* Some rank of a ring that has one. */
static int rank_in(const struct sets *sets, const struct ring *ring)
{
    return sets->line[ring->begin < ring->hole_begin ? ring->begin : ring->hole_end];
}

/* Add what a rank pays, for `weight` ranks that pay the same. */
static void add(const struct hitop_cost *cost, const struct sets *sets, int from, size_t bytes,
                double weight, struct price *out)
{
    struct ring ring = hitop_rings_around(sets, from);

    while (hitop_ring_next(sets, &ring)) {
        const double share = weight * ring_count(&ring);
        if (share > 0) {
            const int to = rank_in(sets, &ring);
            out->p2p += share * cost->p2p(cost->self, from, to, bytes);
            out->occupancy += share * cost->occupancy(cost->self, from, to, bytes);
        }
    }
}

enum hitop_status hitop_mean_price(const struct hitop_cost *cost, size_t bytes, struct price *out,
                                   struct hitop_diag *diag)
{
    const struct hitop_tree_args args = {.size = cost->nranks, .bytes = bytes, .cost = cost};
    const double npairs = (double)cost->nranks * (cost->nranks - 1);
    struct sets sets;
    int *alike = NULL; /* of each home, how many ranks have it */
    enum hitop_status status;

    *out = (struct price){0};
    if (cost->nranks < 2) {
        return HITOP_OK;
    }
    status = hitop_sets_init(&sets, &args, diag);
    if (status != HITOP_OK) {
        goto out;
    }
    alike = calloc((size_t)sets.first[sets.nsets], sizeof(*alike));
    if (!alike) {
        status = hitop_fail(diag, HITOP_ERR_NOMEM, "mean price: out of memory");
        goto out;
    }
    for (int rank = 0; rank < cost->nranks; rank++) {
        alike[sets.home[rank]]++;
    }
    for (int rank = 0; rank < cost->nranks; rank++) {
        int *n = &alike[sets.home[rank]];
        add(cost, &sets, rank, bytes, *n / npairs, out);
        *n = 0; /* the others pay as much: they are in already */
    }

out:
    free(alike);
    hitop_sets_fini(&sets);
    return status;
}
