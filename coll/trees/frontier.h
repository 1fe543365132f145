/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef FRONTIER_H
#define FRONTIER_H

/*
 * frontier.h - a set of ranks that grows: over which link it reaches the next one soonest.
 *
 * Reached ranks stand in a heap by the time at which each could reach another one. Those with one home (sets.h) see
 * the others at the same prices, so they share the order in which rings come by price. A time that has become too
 * early, because a ring has no more ranks to reach, is mended when it comes up; others than that only grow.
 *
 * With h homes and r rings around each this asks for about 2 h r prices, besides those of rings that cost the same, and takes
 * O(n r log n) time at worst.
 */

#include "coll/trees/pool.h"

/* From a reached rank to one that was not. */
struct frontier_link {
    int from, to;
    double time; /* from's ready time and the price of the link */
};

/* What the reached ranks of one home share. */
struct frontier_source {
    int *ring; /* outer pieces of rings by rising price; NULL while no rank is reached */
    int nrings;
    int at;       /* the first of them that has ranks to reach */
    double price; /* of reaching them */
};

struct frontier {
    const struct hitop_tree_args *args;
    double (*price)(const struct hitop_tree_args *args, int from, int to);
    const struct sets *sets;
    struct pool pool; /* those not reached */
    int nsources;
    int *source_of; /* [size] */
    struct frontier_source *source;
    double *ready, *time; /* [size] of reached ranks */
    int *heap;            /* reached ranks that may reach others, by time, then by number */
    int nheap;
};

/*
 * Let `start` be reached, ready at 0. price() is that of a link, and depends on no more than prices of a cost do.
 * `args` and `sets` are lent. Release with hitop_frontier_fini(), also after a failure.
 */
enum hitop_status
hitop_frontier_init(struct frontier *f, const struct hitop_tree_args *args, const struct sets *sets,
                    double (*price)(const struct hitop_tree_args *args, int from, int to),
                    int start, struct hitop_diag *diag);
void hitop_frontier_fini(struct frontier *f);

/*
 * The link that reaches someone first, equal ones by the lower sender, then by the lower receiver. There must
 * be someone to reach.
 */
struct frontier_link hitop_frontier_next(struct frontier *f);

/* Let the receiver of the link just got be reached, ready at `to_ready`, and its sender be ready at `from_ready`. */
enum hitop_status hitop_frontier_reach(struct frontier *f, const struct frontier_link *link,
                                       double from_ready, double to_ready, struct hitop_diag *diag);

#endif /* FRONTIER_H */
