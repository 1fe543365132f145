/* SPDX-License-Identifier: BSD-3-Clause */
/* valid_mpi.c - whether the arguments of a call are in order. */
#include <config.h>

#include "call_mpi.h"
#include "ops_mpi.h"

static int is_side_valid(const struct call_side *side, int uneven, int size)
{
    if (side->type == MPI_DATATYPE_NULL || (uneven && !side->counts) || side->count < 0) {
        return 0;
    }
    for (int r = 0; uneven && r < size; r++) {
        if (side->counts[r] < 0) {
            return 0;
        }
    }
    return 1;
}

/* MPI_IN_PLACE may stand where a rank brings and takes, on the side that says less. */
static int is_in_place_valid(const struct call *c, int rank)
{
    const unsigned flags = hitop_operations()[c->operation].flags;

    if (call_receives(c, rank) && c->recv.buffer == MPI_IN_PLACE &&
        !(flags & HITOP_ROOT_BRINGS && call_sends(c, rank))) {
        return 0;
    }
    if (call_sends(c, rank) && c->send.buffer == MPI_IN_PLACE &&
        (!call_receives(c, rank) || flags & HITOP_ROOT_BRINGS)) {
        return 0;
    }
    return 1;
}

int call_is_valid(const struct call *c, int rank, int size)
{
    const struct hitop_operation *operation = &hitop_operations()[c->operation];
    const unsigned flags = operation->flags;
    const int uneven = (flags & HITOP_UNEVEN) != 0;
    const int sends_blocks = operation->brings == HITOP_BLOCKS;
    const int takes_blocks = operation->takes == HITOP_BLOCKS || flags & HITOP_REDUCES;

    if (hitop_operation_has_root(operation) && (c->root < 0 || c->root >= size)) {
        return 0;
    }
    if (call_sends(c, rank) && c->send.buffer != MPI_IN_PLACE &&
        !is_side_valid(&c->send, uneven && sends_blocks, size)) {
        return 0;
    }
    if ((call_receives(c, rank) || flags & HITOP_REDUCES) && c->recv.buffer != MPI_IN_PLACE &&
        !is_side_valid(&c->recv, uneven && takes_blocks, size)) {
        return 0;
    }
    if (flags & HITOP_REDUCES && (c->op == MPI_OP_NULL || !ops_take(c->op, c->recv.type))) {
        return 0;
    }
    return is_in_place_valid(c, rank);
}
