/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef OVERSUBSCRIPTION_MPI_H
#define OVERSUBSCRIPTION_MPI_H

/*
 * oversubscription_mpi.h - find out whether ranks share processors.
 *
 * Several nodes may be on one machine: containers, virtual hosts, nodes made by an environment
 * variable. Nodes whose ranks may use the same set of processors of one machine share them;
 * overlapping but different sets count as disjoint.
 */

#include <mpi.h>
#include <stdint.h>

struct oversubscription {
    int nranks; /* ranks of the communicator that share processors with this one, itself included */
    int nprocessors; /* processors that ranks of this node may use */
    int is_bound;    /* 1: this rank may not use all of them */
};

/*
 * The values of this rank; all but `is_bound` are equal on a node. Collective over `comm`; `node`
 * has the ranks of `comm` on the node of this one. `numbers`: scratch, [size of comm]. Returns an
 * error class of MPI; after a failure *out is that of a rank with a processor of its own.
 */
int hitop_oversubscription_find(MPI_Comm comm, MPI_Comm node, uint64_t *numbers,
                                struct oversubscription *out);

/*
 * The values of the rank of `comm` with most ranks per processor, equal on all ranks; nodes are
 * those of MPI_Comm_split_type(). Collective; returns an error class of MPI.
 */
int hitop_oversubscription_find_worst(MPI_Comm comm, struct oversubscription *out);

#endif /* OVERSUBSCRIPTION_MPI_H */
