/* SPDX-License-Identifier: BSD-3-Clause */
/* leave_mpi.c - a call as the MPI library takes it. */
#include <config.h>

#include "call_mpi.h"

int call_leave_to_mpi(const struct call *c)
{
    const struct call_side *s = &c->send, *r = &c->recv;

    switch (c->operation) {
    case HITOP_ALLGATHER:
        return PMPI_Allgather(s->buffer, s->count, s->type, r->buffer, r->count, r->type, c->comm);
    case HITOP_ALLGATHERV:
        return PMPI_Allgatherv(s->buffer, s->count, s->type, r->buffer, r->counts, r->displs,
                               r->type, c->comm);
    case HITOP_ALLREDUCE:
        return PMPI_Allreduce(s->buffer, r->buffer, r->count, r->type, c->op, c->comm);
    case HITOP_ALLTOALL:
        return PMPI_Alltoall(s->buffer, s->count, s->type, r->buffer, r->count, r->type, c->comm);
    case HITOP_ALLTOALLV:
        return PMPI_Alltoallv(s->buffer, s->counts, s->displs, s->type, r->buffer, r->counts,
                              r->displs, r->type, c->comm);
    case HITOP_BARRIER:
        return PMPI_Barrier(c->comm);
    case HITOP_BCAST:
        return PMPI_Bcast(r->buffer, r->count, r->type, c->root, c->comm);
    case HITOP_EXSCAN:
        return PMPI_Exscan(s->buffer, r->buffer, r->count, r->type, c->op, c->comm);
    case HITOP_GATHER:
        return PMPI_Gather(s->buffer, s->count, s->type, r->buffer, r->count, r->type, c->root,
                           c->comm);
    case HITOP_GATHERV:
        return PMPI_Gatherv(s->buffer, s->count, s->type, r->buffer, r->counts, r->displs, r->type,
                            c->root, c->comm);
    case HITOP_REDUCE:
        return PMPI_Reduce(s->buffer, r->buffer, r->count, r->type, c->op, c->root, c->comm);
    case HITOP_REDUCE_SCATTER:
        return PMPI_Reduce_scatter(s->buffer, r->buffer, r->counts, r->type, c->op, c->comm);
    case HITOP_REDUCE_SCATTER_BLOCK:
        return PMPI_Reduce_scatter_block(s->buffer, r->buffer, r->count, r->type, c->op, c->comm);
    case HITOP_SCAN:
        return PMPI_Scan(s->buffer, r->buffer, r->count, r->type, c->op, c->comm);
    case HITOP_SCATTER:
        return PMPI_Scatter(s->buffer, s->count, s->type, r->buffer, r->count, r->type, c->root,
                            c->comm);
    case HITOP_SCATTERV:
        return PMPI_Scatterv(s->buffer, s->counts, s->displs, s->type, r->buffer, r->count, r->type,
                             c->root, c->comm);
    case HITOP_NOPERATIONS:
        break;
    }
    return MPI_ERR_INTERN;
}
