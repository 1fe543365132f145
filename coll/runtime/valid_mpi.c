/* SPDX-License-Identifier: BSD-3-Clause */
/* valid_mpi.c - whether the arguments of a call are in order. */
#include <config.h>

#include "coll/runtime/alone_mpi.h"
#include "coll/runtime/call_mpi.h"
#include "coll/runtime/types_mpi.h"

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

/*
 * Nothing is wrong with the side, which is seen at once: even blocks or a message of the type that was used last, at an
 * address. So are nearly all.
 */
static inline int is_usual(const struct call_side *side)
{
    return side->type == hitop_type_last.type && side->count >= 0 && side->buffer &&
           side->buffer != MPI_IN_PLACE && !side->counts;
}

/* MPI_IN_PLACE may stand where a rank brings and takes, on the side that says less. */
static int is_in_place_valid(const struct call *c, int sends, int receives, int root_brings)
{
    if (receives && c->recv.buffer == MPI_IN_PLACE && !(root_brings && sends)) {
        return 0;
    }
    return !(sends && c->send.buffer == MPI_IN_PLACE && (!receives || root_brings));
}

/* Of a call whose sides are not both usual. */
static int are_sides_valid(const struct call *c, const struct hitop_operation *operation, int rank,
                           int size)
{
    const unsigned flags = operation->flags;
    const enum blocks blocks = !(flags & HITOP_UNEVEN) ? EVEN
                               : flags & HITOP_REDUCES ? COUNTED
                                                       : PLACED;
    const int sends = call_sends(c, rank), receives = call_receives(c, rank);
    const int sends_blocks = operation->brings == HITOP_BLOCKS;
    const int takes_blocks = operation->takes == HITOP_BLOCKS || flags & HITOP_REDUCES;

    if (sends && c->send.buffer != MPI_IN_PLACE &&
        !is_side_valid(&c->send, sends_blocks ? blocks : EVEN, size)) {
        return 0;
    }
    if ((receives || flags & HITOP_REDUCES) && c->recv.buffer != MPI_IN_PLACE &&
        !is_side_valid(&c->recv, takes_blocks ? blocks : EVEN, size)) {
        return 0;
    }
    if (sends && !has_address(&c->send)) {
        return 0;
    }
    if (receives && !has_address(&c->recv) &&
        !(c->operation == HITOP_EXSCAN && rank == 0)) { /* where it is not significant */
        return 0;
    }
    return is_in_place_valid(c, sends, receives, (flags & HITOP_ROOT_BRINGS) != 0);
}

int call_is_valid(const struct call *c, int rank, int size)
{
    const struct hitop_operation *operation = &hitop_operations()[c->operation];
    const int sends = call_sends(c, rank), receives = call_receives(c, rank);
    const int is_even = !(operation->flags & HITOP_UNEVEN);

    if (hitop_operation_has_root(operation) && (c->root < 0 || c->root >= size)) {
        return 0;
    }
    if (!(is_even && (!sends || is_usual(&c->send)) && (!receives || is_usual(&c->recv))) &&
        !are_sides_valid(c, operation, rank, size)) {
        return 0;
    }
    return !(operation->flags & HITOP_REDUCES) ||
           (c->op != MPI_OP_NULL && alone_takes(c->op, c->recv.type));
}
