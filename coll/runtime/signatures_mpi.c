/* SPDX-License-Identifier: BSD-3-Clause */
/* signatures_mpi.c - make the MPI call that a `struct call` describes. */
#include <config.h>

#include "coll/runtime/signatures_mpi.h"

#define PMPI(Name, name, ...) .name = PMPI_##Name,

struct fallback hitop_fallback = {COLLECTIVES(PMPI)
#if HITOP_MPI_LARGE_COUNTS
                                      .bcast_c = PMPI_Bcast_c
#endif
};

int hitop_call_fallback(const struct call *c)
{
    const struct call_side *s = &c->send, *r = &c->recv;

    switch (c->operation) {
    case HITOP_ALLGATHER:
        return hitop_fallback.allgather(s->buffer, s->count, s->type, r->buffer, r->count, r->type,
                                        c->comm);
    case HITOP_ALLGATHERV:
        return hitop_fallback.allgatherv(s->buffer, s->count, s->type, r->buffer, r->counts,
                                         r->displs, r->type, c->comm);
    case HITOP_ALLREDUCE:
        return hitop_fallback.allreduce(s->buffer, r->buffer, r->count, r->type, c->op, c->comm);
    case HITOP_ALLTOALL:
        return hitop_fallback.alltoall(s->buffer, s->count, s->type, r->buffer, r->count, r->type,
                                       c->comm);
    case HITOP_ALLTOALLV:
        return hitop_fallback.alltoallv(s->buffer, s->counts, s->displs, s->type, r->buffer,
                                        r->counts, r->displs, r->type, c->comm);
    case HITOP_BARRIER:
        return hitop_fallback.barrier(c->comm);
    case HITOP_BCAST:
        return hitop_fallback.bcast(r->buffer, r->count, r->type, c->root, c->comm);
    case HITOP_EXSCAN:
        return hitop_fallback.exscan(s->buffer, r->buffer, r->count, r->type, c->op, c->comm);
    case HITOP_GATHER:
        return hitop_fallback.gather(s->buffer, s->count, s->type, r->buffer, r->count, r->type,
                                     c->root, c->comm);
    case HITOP_GATHERV:
        return hitop_fallback.gatherv(s->buffer, s->count, s->type, r->buffer, r->counts, r->displs,
                                      r->type, c->root, c->comm);
    case HITOP_REDUCE:
        return hitop_fallback.reduce(s->buffer, r->buffer, r->count, r->type, c->op, c->root,
                                     c->comm);
    case HITOP_REDUCE_SCATTER:
        return hitop_fallback.reduce_scatter(s->buffer, r->buffer, r->counts, r->type, c->op,
                                             c->comm);
    case HITOP_REDUCE_SCATTER_BLOCK:
        return hitop_fallback.reduce_scatter_block(s->buffer, r->buffer, r->count, r->type, c->op,
                                                   c->comm);
    case HITOP_SCAN:
        return hitop_fallback.scan(s->buffer, r->buffer, r->count, r->type, c->op, c->comm);
    case HITOP_SCATTER:
        return hitop_fallback.scatter(s->buffer, s->count, s->type, r->buffer, r->count, r->type,
                                      c->root, c->comm);
    case HITOP_SCATTERV:
        return hitop_fallback.scatterv(s->buffer, s->counts, s->displs, s->type, r->buffer,
                                       r->count, r->type, c->root, c->comm);
    case HITOP_NOPERATIONS:
        break;
    }
    return MPI_ERR_INTERN;
}
