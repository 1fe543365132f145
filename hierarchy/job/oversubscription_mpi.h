/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef OVERSUBSCRIPTION_MPI_H
#define OVERSUBSCRIPTION_MPI_H

/*
 * oversubscription_mpi.h - whether ranks have to take turns on their processors.
 *
 * Several nodes may be one machine: containers, virtual hosts, ranks that were told to be a node. Those whose ranks may use
 * the same processors of one machine share them. Nodes that share some processors but not all are taken for apart.
 */

#include <mpi.h>
#include <stdint.h>

struct oversubscription {
    int nranks; /* of the communicator, that share processors with this one, which counts itself */
    int nprocessors; /* that ranks of this node may use */
    int is_bound;    /* this rank may not use all of them */
};

/*
 * Of this rank, equal on all ranks of a node but for `is_bound`. Collective over `comm`, of which `node` has the ranks that
 * are on one node with this one. `numbers`: [size of comm], overwritten. Returns an error class of MPI; then *out is that of
 * a rank that shares with nobody.
 */
int hitop_oversubscription_find(MPI_Comm comm, MPI_Comm node, uint64_t *numbers,
                                struct oversubscription *out);

/*
 * That of the rank of `comm` with the smallest part of a processor, equal on all ranks; nodes are those of
 * MPI_Comm_split_type(). Collective; returns an error class of MPI.
 */
int hitop_oversubscription_find_worst(MPI_Comm comm, struct oversubscription *out);

#endif /* OVERSUBSCRIPTION_MPI_H */
