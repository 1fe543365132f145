/* SPDX-License-Identifier: BSD-3-Clause */
/* coll_functions_hitop_mpi.c - the collectives under their own names, for who is linked with them. */
#include <config.h>

#include "coll_functions_mpi.h"

#include "hitop/collectives_mpi.h"

const struct coll_functions coll_functions_hitop = {
    .allgather = hitop_allgather,
    .allgatherv = hitop_allgatherv,
    .allreduce = hitop_allreduce,
    .alltoall = hitop_alltoall,
    .alltoallv = hitop_alltoallv,
    .barrier = hitop_barrier,
    .bcast = hitop_bcast,
    .exscan = hitop_exscan,
    .gather = hitop_gather,
    .gatherv = hitop_gatherv,
    .reduce = hitop_reduce,
    .reduce_scatter = hitop_reduce_scatter,
    .reduce_scatter_block = hitop_reduce_scatter_block,
    .scan = hitop_scan,
    .scatter = hitop_scatter,
    .scatterv = hitop_scatterv,
};
