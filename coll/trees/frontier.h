/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef FRONTIER_H
#define FRONTIER_H

/*
 * frontier.h - a set of ranks that grows: over which link it reaches the next one soonest.
 *
 * Reached ranks are in a pool by the time at which each could reach another one. Ranks with one
 * home (sets.h) have the same prices to all others, so they share the order of rings by price. When
 * a ring has no more ranks to reach, the times of its ranks are too early; each is corrected when
 * it comes first in the pool.
 *
 * With h homes and r rings around each this asks for about 2 h r prices, besides those of rings
 * that cost the same, and takes O(n r log n) time at worst.
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
    struct pool others;             /* ranks not reached */
    struct pool reached;            /* reached ranks that may reach others, by time */
    double *ready;                  /* [size] of reached ranks */
    struct frontier_source *source; /* by home (sets.h) */
};

/*
 * Let `start` be reached, ready at 0. price() is that of a link, and depends on no more than prices
 * of a cost do. `args` and `sets` are lent. Release with hitop_frontier_fini(), also after a
 * failure.
 */
enum hitop_status
hitop_frontier_init(struct frontier *f, const struct hitop_tree_args *args, const struct sets *sets,
                    double (*price)(const struct hitop_tree_args *args, int from, int to),
                    int start, struct hitop_diag *diag);
void hitop_frontier_fini(struct frontier *f);

/*
 * The link that reaches another rank first; of equal ones the link with the lower sender, then with
 * the lower receiver. There must be a rank to reach.
 */
struct frontier_link hitop_frontier_next(struct frontier *f);

/*
 * Let the receiver of the link just got be reached, ready at `to_ready`, and its sender be ready at
 * `from_ready`.
 */
enum hitop_status hitop_frontier_reach(struct frontier *f, const struct frontier_link *link,
                                       double from_ready, double to_ready, struct hitop_diag *diag);

#endif /* FRONTIER_H */
