/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MPI_COLL_H
#define MPI_COLL_H

/* mpi_coll.h - the parts of mpi_coll. */

#include <mpi.h>

/*
 * Numbers go there, back again and are summed up, by hitop_scatter(), hitop_gather() and
 * hitop_reduce(); on ranks but the root nothing that MPI does not look at may be.
 */
void travel(MPI_Comm comm, int root, int count);

/* Names, MPI_Info and files of rules; `rank` of `size` in MPI_COMM_WORLD. */
void names_and_rules_decide(int rank, int size);

#endif /* MPI_COLL_H */
