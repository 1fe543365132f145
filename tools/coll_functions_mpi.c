/* SPDX-License-Identifier: BSD-3-Clause */
/* coll_functions_mpi.c - the collectives under the two names that MPI gives them. */
#include <config.h>

#include "coll_functions_mpi.h"

const struct coll_functions coll_functions_public = {
    .allgather = MPI_Allgather,
    .allgatherv = MPI_Allgatherv,
    .allreduce = MPI_Allreduce,
    .alltoall = MPI_Alltoall,
    .alltoallv = MPI_Alltoallv,
    .barrier = MPI_Barrier,
    .bcast = MPI_Bcast,
    .exscan = MPI_Exscan,
    .gather = MPI_Gather,
    .gatherv = MPI_Gatherv,
    .reduce = MPI_Reduce,
    .reduce_scatter = MPI_Reduce_scatter,
    .reduce_scatter_block = MPI_Reduce_scatter_block,
    .scan = MPI_Scan,
    .scatter = MPI_Scatter,
    .scatterv = MPI_Scatterv,
};

const struct coll_functions coll_functions_plain = {
    .allgather = PMPI_Allgather,
    .allgatherv = PMPI_Allgatherv,
    .allreduce = PMPI_Allreduce,
    .alltoall = PMPI_Alltoall,
    .alltoallv = PMPI_Alltoallv,
    .barrier = PMPI_Barrier,
    .bcast = PMPI_Bcast,
    .exscan = PMPI_Exscan,
    .gather = PMPI_Gather,
    .gatherv = PMPI_Gatherv,
    .reduce = PMPI_Reduce,
    .reduce_scatter = PMPI_Reduce_scatter,
    .reduce_scatter_block = PMPI_Reduce_scatter_block,
    .scan = PMPI_Scan,
    .scatter = PMPI_Scatter,
    .scatterv = PMPI_Scatterv,
};
