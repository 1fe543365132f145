/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tree_ecef.c - the earliest completing edge first (ECEF).
 *
 * Idea:   of all sends from an informed rank to an uninformed one, take the one that arrives
 *         first; repeat until all ranks are informed.
 * Cost:   twice as many prices as there are rings of alike ranks around innermost pieces
 * (frontier.h); n log n time. Use:    messages sent whole over links of different speed. Needs:
 * prices. Equal times go to the lowest sender, then to the lowest receiver. Source: P. Bhat, C.
 * Raghavendra, V. Prasanna, Efficient collective communication in distributed heterogeneous
 * systems, ICDCS 1999.
 */
#include <config.h>

#include "coll/trees/frontier.h"

#include "hitop/sys/tree.h"

static double price(const struct hitop_tree_args *args, int from, int to)
{
    return args->cost->p2p(args->cost->self, from, to, args->bytes);
}

static enum hitop_status grow(struct frontier *f, int *parent, int *order, struct hitop_diag *diag)
{
    const struct hitop_tree_args *args = f->args;
    enum hitop_status status = HITOP_OK;

    parent[args->root] = HITOP_NO_RANK;
    order[0] = args->root;
    for (int i = 1; i < args->size && status == HITOP_OK; i++) {
        const struct frontier_link link = hitop_frontier_next(f);
        const double busy =
            args->cost->occupancy(args->cost->self, link.from, link.to, args->bytes);

        parent[link.to] = link.from;
        order[i] = link.to;
        status = hitop_frontier_reach(f, &link, f->ready[link.from] + busy, link.time, diag);
    }
    return status;
}

static enum hitop_status ecef_build(const struct hitop_tree_args *args, const double *params,
                                    int *parent, int *order, struct hitop_diag *diag)
{
    struct hitop_tree_args alike = *args; /* all ranks get the same message: counts are ignored */
    struct frontier f = {0};
    struct sets sets;
    enum hitop_status status;

    (void)params;
    alike.counts = NULL;
    status = hitop_sets_init(&sets, &alike, diag);
    if (status == HITOP_OK) {
        status = hitop_frontier_init(&f, &alike, &sets, price, args->root, diag);
    }
    if (status == HITOP_OK) {
        status = grow(&f, parent, order, diag);
    }
    hitop_frontier_fini(&f);
    hitop_sets_fini(&sets);
    return status;
}

const struct hitop_tree_builder hitop_tree_ecef = {
    .name = "ecef",
    .summary = "the earliest completing edge first",
    .needs = HITOP_TREE_NEEDS_COST,
    .build = ecef_build,
};
