/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef OVERSUBSCRIPTION_MPI_H
#define OVERSUBSCRIPTION_MPI_H

/*
 * oversubscription_mpi.h - find out whether ranks share processors.
 *
 * Several nodes may be on one machine: containers, or nodes that an environment variable makes.
 * Nodes of one machine whose ranks may use the same set of processors share them; different sets
 * that overlap count as disjoint.
 */

#include <mpi.h>
#include <stdint.h>

struct oversubscription {
    int nranks; /* ranks of the communicator that share processors with this one, itself included */
    int nprocessors; /* processors that ranks of this node may use */
    int is_bound;    /* 1: this rank may use only some of these processors */
};

/*
 * Find the values of this rank; all but `is_bound` are equal on a node. Collective over `comm`;
 * `node` has the ranks of `comm` on the node of this one. `numbers`: scratch, [size of comm].
 * Returns MPI_SUCCESS or an error code; after a failure *out describes a rank with a processor of
 * its own.
 */
int hitop_oversubscription_find(MPI_Comm comm, MPI_Comm node, uint64_t *numbers,
                                struct oversubscription *out);

/*
 * Find the values of the rank of `comm` with the most ranks per processor, equal on all ranks.
 * Nodes are those of MPI_Comm_split_type(). Collective. Returns MPI_SUCCESS or MPI_ERR_OTHER; *out
 * may be unchanged after a failure.
 */
int hitop_oversubscription_find_worst(MPI_Comm comm, struct oversubscription *out);

#endif /* OVERSUBSCRIPTION_MPI_H */
