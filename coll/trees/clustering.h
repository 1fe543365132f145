/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CLUSTERING_H
#define CLUSTERING_H

/*
 * clustering.h - cluster ranks by price: ranks that are cheap to reach from each other form a set,
 * sets that are cheap to reach from each other form a larger one.
 *
 * This is single-linkage clustering: two sets join at the price of the cheapest link between them;
 * sets that join at the same price join together. Where prices come from a hierarchy whose inner
 * links are cheaper than its outer ones, the sets are the groups of that hierarchy.
 */

#include "coll/trees/sets.h"

#define CLUSTER_NONE (-1)

struct cluster {
    /* List of the inner sets; CLUSTER_NONE for a single rank, and for a set that has dissolved. */
    int first, last;
    int next;     /* the next inner set of the same outer set, or CLUSTER_NONE */
    double price; /* the price, in both directions, at which the inner sets joined */
};

struct clustering {
    struct cluster *sets; /* sets[r] is rank r alone; each other set comes after its inner sets */
    int *enclosing;       /* the outer set of each set; the set of all ranks has itself */
    int nsets;
    int whole; /* the set of all ranks */
};

/*
 * Cluster the ranks of `args`; release with hitop_clustering_free(), also after a failure. Asks
 * for as few prices as frontier.h, in both directions.
 */
enum hitop_status hitop_clustering_init(struct clustering *clusters, const struct sets *sets,
                                        const struct hitop_tree_args *args,
                                        struct hitop_diag *diag);
void hitop_clustering_free(struct clustering *clusters);

#endif /* CLUSTERING_H */
