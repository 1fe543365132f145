/* SPDX-License-Identifier: BSD-3-Clause */
/* valid_mpi.c - whether the arguments of a call are in order. */
#include <config.h>

#include "alone_mpi.h"
#include "call_mpi.h"
#include "types_mpi.h"

/* Which counts and places the side has for blocks of all ranks: none, counts, or both. */
enum blocks { EVEN, COUNTED, PLACED };

static int is_side_valid(const struct call_side *side, enum blocks blocks, int size)
{
    if (side->type == MPI_DATATYPE_NULL || (blocks != EVEN && !side->counts) || side->count < 0 ||
        (blocks == PLACED && !side->displs) ||
        hitop_type_kind(side->type) == HITOP_TYPE_UNCOMMITTED) {
        return 0;
    }
    for (int r = 0; blocks != EVEN && r < size; r++) {
        if (side->counts[r] < 0) {
            return 0;
        }
    }
    return 1;
}

/* No plain bytes lie at NULL. */
static int has_address(const struct call_side *side)
{
    return side->buffer || side->counts || side->count == 0 ||
           hitop_type_kind(side->type) != HITOP_TYPE_PLAIN || hitop_type_size(side->type) == 0;
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
    const enum blocks blocks = !(flags & HITOP_UNEVEN) ? EVEN
                               : flags & HITOP_REDUCES ? COUNTED
                                                       : PLACED;
    const int sends_blocks = operation->brings == HITOP_BLOCKS;
    const int takes_blocks = operation->takes == HITOP_BLOCKS || flags & HITOP_REDUCES;

    if (hitop_operation_has_root(operation) && (c->root < 0 || c->root >= size)) {
        return 0;
    }
    if (call_sends(c, rank) && c->send.buffer != MPI_IN_PLACE &&
        !is_side_valid(&c->send, sends_blocks ? blocks : EVEN, size)) {
        return 0;
    }
    if ((call_receives(c, rank) || flags & HITOP_REDUCES) && c->recv.buffer != MPI_IN_PLACE &&
        !is_side_valid(&c->recv, takes_blocks ? blocks : EVEN, size)) {
        return 0;
    }
    if (flags & HITOP_REDUCES && (c->op == MPI_OP_NULL || !alone_takes(c->op, c->recv.type))) {
        return 0;
    }
    if (call_sends(c, rank) && !has_address(&c->send)) {
        return 0;
    }
    if (call_receives(c, rank) && !has_address(&c->recv) &&
        !(c->operation == HITOP_EXSCAN && rank == 0)) { /* where it is not significant */
        return 0;
    }
    return is_in_place_valid(c, rank);
}
