/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MAPPED_H
#define MAPPED_H

/*
 * mapped.h - binomial trees whose places are given to ranks by price.
 *
 * The shape is that of tree_binomial. Its places are visited in some order; each takes, from the
 * ranks that have none yet, the one that is cheapest (or dearest) to reach from the parent: to which the
 * rank's own block costs least (or most). Equal prices go to the smaller (or larger) block, then to the lowest rank. With weight=1 a block counts as often
 * as the subtree has ranks: which blocks those will have is not known yet.
 *
 * Asks for one price per ring around the parent (sets.h): n times the depth of the machine where it tells its sets, n * n / 2
 * where every rank is of a kind of its own. Blocks of k different sizes take k times as many, unless the cost says that
 * prices grow with them.
 */

#include "hitop/sys/tree.h"

/* In which order the places are filled. */
enum mapped_walk {
    MAPPED_DFS,         /* depth first, smallest subtree first */
    MAPPED_DFS_LARGEST, /* depth first, largest subtree first */
    MAPPED_BFS,         /* breadth first, largest subtree first */
    MAPPED_UCS /* largest subtree of the whole tree first, the older one of two equal ones */
};

/* Which of the free ranks a place takes. */
enum mapped_pick { MAPPED_MIN, MAPPED_MAX };

/* Parameters of all these builders. */
enum { MAPPED_WEIGHT, MAPPED_NPARAMS };
extern const struct hitop_param hitop_mapped_params[MAPPED_NPARAMS];

enum hitop_status hitop_mapped_build(const struct hitop_tree_args *args, const double *params,
                                     enum mapped_walk walk, enum mapped_pick pick, int *parent,
                                     int *order, struct hitop_diag *diag);

#endif /* MAPPED_H */
