/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef POOL_H
#define POOL_H

/*
 * pool.h - the ranks that have no place in the tree yet, by groups of interchangeable ranks.
 *
 * The members of a group have the same price, so a builder looks at one candidate per group: its
 * lowest rank. That gives the same tree as looking at all ranks, ties included.
 */

#include "hitop/tree.h"

#define POOL_EMPTY (-1)

struct pool {
    int ngroups;
    int *group;  /* [size]: group 0..ngroups-1 of a rank */
    int *member; /* [size]: the ranks by group, rising within a group */
    int *next;   /* [ngroups]: where the lowest unplaced rank of the group stands in member[] */
    int *end;    /* [ngroups]: end of the group in member[] */
    int root;    /* placed from the start */
};

/* Put all ranks but the root into the pool; release with pool_fini(), also after a failure. */
enum hitop_status pool_init(struct pool *pool, const struct hitop_tree_args *args,
                            struct hitop_diag *diag);
void pool_fini(struct pool *pool);

/* Lowest rank of a group that has no place yet, or POOL_EMPTY. */
int pool_first(const struct pool *pool, int group);

/* Remove pool_first(pool, group). */
void pool_take(struct pool *pool, int group);

#endif /* POOL_H */
