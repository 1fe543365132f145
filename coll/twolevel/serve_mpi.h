/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SERVE_MPI_H
#define SERVE_MPI_H

/*
 * serve_mpi.h - an operation in two levels.
 *
 * To add one: write serve_<operation>_mpi.c with its `serve_<operation>`, and put it into the table
 * of dispatch_mpi.c.
 */

#include "coll/runtime/call_mpi.h"
#include "coll/twolevel/comm_state_mpi.h"

struct serve {
    /*
     * 1: run() serves this call. Decided from nothing but what all ranks know alike: the
     * communicator, the root, the operation to combine with, and lengths where MPI has all ranks
     * tell them. The arguments are in order.
     */
    int (*can)(const struct hitop_comm *c, const struct call *call);

    /* On a communicator that is ready, c->seq being the number of this operation. MPI_SUCCESS or an MPI code, which
     * the caller hands to the error handler. */
    int (*run)(struct hitop_comm *c, const struct call *call);
};

extern const struct serve hitop_serve_allgather, hitop_serve_allreduce, hitop_serve_alltoall,
    hitop_serve_barrier, hitop_serve_gather, hitop_serve_gatherv, hitop_serve_reduce,
    hitop_serve_scatter, hitop_serve_scatterv;

#endif /* SERVE_MPI_H */
