/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef COUNTS_MPI_H
#define COUNTS_MPI_H

/*
 * counts_mpi.h - the lengths of blocks in scatterv and gatherv, of which MPI tells the root alone.
 *
 * Of an algorithm that looks at no more than the blocks of its subtree, lengths go along the tree: down a scatter, to
 * each child those below it; up a gather, where each rank knows its own. Others are told all of them.
 */

#include "coll/runtime/plans_mpi.h"

/*
 * Complete args->starts, which are `starts`: complete at the root; at others room for size + 1 numbers, and in a
 * gather the own length between starts[rank] and starts[rank + 1]. MPI_SUCCESS or an MPI error code.
 */
int hitop_counts_share(struct plans *p, const struct choice *choice, size_t *starts);

/* To rank 0, which is to choose, from the root. */
int hitop_counts_tell_rank_0(struct plans *p, int root, size_t *starts);

#endif /* COUNTS_MPI_H */
