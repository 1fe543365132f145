/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef LEADERS_H
#define LEADERS_H

/*
 * leaders.h - a simple broadcast in two levels, for comparison: the root sends to the first rank of
 * each other node, one send after another; these ranks and the root then call MPI_Bcast() on their
 * nodes. Fixed leaders as in Open MPI's han, without segments.
 */

#include "tools/check/coll_functions_mpi.h"

/*
 * Nodes as nodes_find() found them in `comm`; the arrays are used until leaders_close().
 * Collective.
 */
void leaders_open(MPI_Comm comm, int nodes, const int *node_of, const int *first_of);
void leaders_close(void);

/*
 * MPI's collectives, but for this broadcast; `comm` of a call has the ranks of that of
 * leaders_open().
 */
const struct coll_functions *leaders_functions(void);

#endif /* LEADERS_H */
