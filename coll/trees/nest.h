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

#include "coll/trees/sets.h"

#define NEST_NONE (-1)

struct nest_set {
    int first,
        last; /* list of the sets inside; NEST_NONE for a rank alone, and for what has dissolved */
    int next; /* the next one in the set around it, or NEST_NONE */
    double price; /* there and back, at which the sets inside joined */
};

struct nest {
    struct nest_set *sets; /* sets[r] is rank r alone; the others come behind those inside */
    int *around;           /* of each set the one around it; of the whole itself */
    int nsets;
    int whole; /* the set of all ranks */
};

/*
 * Cluster the ranks of `args`; release with nest_fini(), also after a failure. Asks for as few prices as
 * frontier.h does, there and back.
 */
enum hitop_status nest_init(struct nest *nest, const struct sets *sets,
                            const struct hitop_tree_args *args, struct hitop_diag *diag);
void nest_fini(struct nest *nest);

#endif /* NEST_H */
