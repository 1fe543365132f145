/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SERVE_MANY_MPI_H
#define SERVE_MANY_MPI_H

/*
 * serve_many_mpi.h - operations with a root over more nodes than a root speaks to one by one.
 *
 * Idea:  the first rank of each node speaks for it, and MPI makes a tree of first ranks, because it knows which one suits
 *        what it runs on. Ranks that are not the first of their node deposit what they bring and leave, as everywhere;
 *        a root that is not gets it from the first, or gives it to that one.
 * Cost:  log2(nodes) messages one after another instead of nodes - 1 at the root, but a first rank waits for the nodes
 *        below it.
 * Needs: nodes are runs of ranks, or order does not matter; what the call's can() has found out.
 */

#include "coll/twolevel/serve_blocks_mpi.h"
#include "coll/twolevel/serve_combine_mpi.h"

/* Each returns an MPI code. */
int hitop_serve_many_reduce(struct hitop_comm *c, const struct call *call, struct serve_combine *s,
                            size_t bytes);
int hitop_serve_many_gather(struct hitop_comm *c, const struct serve_blocks *b, int root,
                            int *differs);
int hitop_serve_many_scatter(struct hitop_comm *c, const struct serve_blocks *b, int root,
                             int *differs);

#endif /* SERVE_MANY_MPI_H */
