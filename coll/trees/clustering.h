/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CLUSTERING_H
#define CLUSTERING_H

/*
 * clustering.h - sets of ranks within sets of ranks, found by price: ranks that are cheap to reach
 * from each other make a set, sets that are cheap to reach make a larger one.
 *
 * This is single-linkage clustering: two sets join at the price of the cheapest link between them;
 * sets that join at one price join at once. Where prices come from a hierarchy whose inner links
 * are cheaper than its outer ones, the sets are the groups of that hierarchy.
 */

#include "coll/trees/sets.h"

#define CLUSTER_NONE (-1)

struct cluster {
    /* List of the sets inside; CLUSTER_NONE for a rank alone, and for what has dissolved. */
    int first, last;
    int next;     /* the next one in the set around it, or CLUSTER_NONE */
    double price; /* there and back, at which the sets inside joined */
};

struct clustering {
    struct cluster *sets; /* sets[r] is rank r alone; the others come behind those inside */
    int *around;          /* of each set the one around it; of the whole itself */
    int nsets;
    int whole; /* the set of all ranks */
};

/*
 * Cluster the ranks of `args`; release with hitop_clustering_free(), also after a failure. Asks for
 * as few prices as frontier.h does, there and back.
 */
enum hitop_status hitop_clustering_init(struct clustering *clusters, const struct sets *sets,
                                        const struct hitop_tree_args *args,
                                        struct hitop_diag *diag);
void hitop_clustering_free(struct clustering *clusters);

#endif /* CLUSTERING_H */
