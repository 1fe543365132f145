/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef NEST_H
#define NEST_H

/*
 * nest.h - sets of ranks within sets of ranks, found by price: ranks that are cheap to reach from
 * each other make a set, sets that are cheap to reach make a larger one.
 *
 * This is single-linkage clustering: two sets join at the price of the cheapest link between them;
 * sets that join at one price join at once. Where prices come from a hierarchy whose inner links
 * are cheaper than its outer ones, the sets are the groups of that hierarchy.
 */

#include "pool.h"

#define NEST_NONE (-1)

struct nest_set {
    int lowest;      /* lowest rank */
    int first, last; /* list of the sets inside; NEST_NONE for a group of alike ranks */
    int next;        /* the next one in the set around it, or NEST_NONE */
    double price;    /* there and back, at which the sets inside joined */
};

struct nest {
    struct nest_set *sets; /* sets[g] is group g of the pool; further ones hold others */
    int *around;           /* of each set the one around it; of the whole itself */
    int nsets;
    int whole; /* the set of all ranks */
};

/*
 * Cluster the groups of `pool`; release with nest_fini(), also after a failure. Asks for two prices
 * per pair of groups.
 */
enum hitop_status nest_init(struct nest *nest, const struct pool *pool,
                            const struct hitop_tree_args *args, struct hitop_diag *diag);
void nest_fini(struct nest *nest);

#endif /* NEST_H */
