/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef FRONTIER_H
#define FRONTIER_H

/*
 * frontier.h - a growing set of reached ranks: find the link that reaches another rank soonest.
 *
 * Reached ranks are in a pool, ordered by the time at which each can reach another rank. Ranks with
 * the same innermost piece (sets.h) have the same prices to all others, so they share one list of
 * rings by price. When no rank of a ring is left to reach, the times of the senders that used this
 * ring are too early; each is corrected when it comes first in the pool.
 *
 * With h innermost pieces and r rings around each, this asks for about 2 h r prices, besides those
 * of rings with the same price, and takes O(n r log n) time at most.
 */

#include "coll/trees/pool.h"

/* A link from a reached rank to one that is not reached. */
struct frontier_link {
    int from, to;
    double time; /* the time at which `from` is ready plus the price of the link */
};

/* The state that the reached ranks of one innermost piece share. */
struct frontier_source {
    int *ring; /* outer pieces of rings by rising price; NULL: no rank of the piece is reached */
    int nrings;
    int at;       /* the first ring that has ranks to reach */
    double price; /* of reaching the ranks of this ring */
};

struct frontier {
    const struct hitop_tree_args *args;
    double (*price)(const struct hitop_tree_args *args, int from, int to);
    const struct sets *sets;
    struct pool others;             /* ranks not reached */
    struct pool reached;            /* reached ranks that may reach others, by time */
    double *ready;                  /* [size] when each reached rank can send */
    struct frontier_source *source; /* by innermost piece (sets.h) */
};

/*
 * Begin with `start` reached and ready at time 0. price() returns the price of a link; it depends
 * only on what prices of a cost depend on. `args` and `sets` must outlive the frontier. Release
 * with hitop_frontier_fini(), also after a failure.
 */
enum hitop_status
hitop_frontier_init(struct frontier *f, const struct hitop_tree_args *args, const struct sets *sets,
                    double (*price)(const struct hitop_tree_args *args, int from, int to),
                    int start, struct hitop_diag *diag);
void hitop_frontier_fini(struct frontier *f);

/*
 * Return the link that reaches another rank first; of equal links the one with the lower sender,
 * then with the lower receiver. At least one rank must not be reached.
 */
struct frontier_link hitop_frontier_next(struct frontier *f);

/*
 * Mark the receiver of the link from hitop_frontier_next() as reached and ready at `to_ready`; its
 * sender is ready again at `from_ready`.
 */
enum hitop_status hitop_frontier_reach(struct frontier *f, const struct frontier_link *link,
                                       double from_ready, double to_ready, struct hitop_diag *diag);

#endif /* FRONTIER_H */
