/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef NODES_H
#define NODES_H

/* nodes.h - which ranks make a node. */

#include <mpi.h>

/*
 * Hosts, or `per_node` ranks of a host where that is not 0. Returns how many there are, numbered by
 * their first ranks: node_of[rank], first_of[node], with room for all ranks in either. Collective.
 */
int nodes_find(MPI_Comm comm, int per_node, int *node_of, int *first_of);

#endif /* NODES_H */
