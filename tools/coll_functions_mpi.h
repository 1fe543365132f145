/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef COLL_FUNCTIONS_MPI_H
#define COLL_FUNCTIONS_MPI_H

/* coll_functions_mpi.h - the collectives of MPI under the names of whoever serves them. */

#include <mpi.h>

struct coll_functions {
    int (*allgather)(const void *, int, MPI_Datatype, void *, int, MPI_Datatype, MPI_Comm);
    int (*allgatherv)(const void *, int, MPI_Datatype, void *, const int *, const int *,
                      MPI_Datatype, MPI_Comm);
    int (*allreduce)(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm);
    int (*alltoall)(const void *, int, MPI_Datatype, void *, int, MPI_Datatype, MPI_Comm);
    int (*alltoallv)(const void *, const int *, const int *, MPI_Datatype, void *, const int *,
                     const int *, MPI_Datatype, MPI_Comm);
    int (*barrier)(MPI_Comm);
    int (*bcast)(void *, int, MPI_Datatype, int, MPI_Comm);
    int (*exscan)(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm);
    int (*gather)(const void *, int, MPI_Datatype, void *, int, MPI_Datatype, int, MPI_Comm);
    int (*gatherv)(const void *, int, MPI_Datatype, void *, const int *, const int *, MPI_Datatype,
                   int, MPI_Comm);
    int (*reduce)(const void *, void *, int, MPI_Datatype, MPI_Op, int, MPI_Comm);
    int (*reduce_scatter)(const void *, void *, const int *, MPI_Datatype, MPI_Op, MPI_Comm);
    int (*reduce_scatter_block)(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm);
    int (*scan)(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm);
    int (*scatter)(const void *, int, MPI_Datatype, void *, int, MPI_Datatype, int, MPI_Comm);
    int (*scatterv)(const void *, const int *, const int *, MPI_Datatype, void *, int, MPI_Datatype,
                    int, MPI_Comm);
};

/* MPI_Bcast() and so on: whoever is linked or preloaded first. */
extern const struct coll_functions coll_functions_public;

/* PMPI_Bcast() and so on: the MPI library's own. */
extern const struct coll_functions coll_functions_plain;

/* hitop_bcast() and so on. */
extern const struct coll_functions coll_functions_hitop;

#endif /* COLL_FUNCTIONS_MPI_H */
