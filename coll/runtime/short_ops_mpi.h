/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHORT_OPS_MPI_H
#define SHORT_OPS_MPI_H

/*
 * short_ops_mpi.h - sums, maxima and minima of short operands of the usual types.
 *
 * MPI_Reduce_local() looks at its arguments for longer than the elements of a short operand take
 * it. Results have the bits of MPI's own, but perhaps for NaNs and for zeros that differ in their
 * sign.
 */

#include "coll/runtime/call_mpi.h"

#include <mpi.h>
#include <stddef.h>

/* later = earlier op later, bytes of whole elements. */
typedef void (*short_op)(const void *earlier, void *later, size_t bytes);

/* Longer ones are as quickly combined by MPI, which knows wide registers. */
enum { SHORT_OP_BYTES = 128 };

/*
 * What this thread has asked for last: neither predefined operations and types nor those of a
 * program become the others.
 */
struct short_op_last {
    MPI_Op op;
    MPI_Datatype type;
    short_op run;
    int is_alike;
};

extern PER_THREAD struct short_op_last hitop_short_op_last;

RARELY short_op hitop_short_op_find(MPI_Op op, MPI_Datatype type);

/* NULL: MPI shall do it. Neither handle is a null handle. */
static inline short_op short_op_of(MPI_Op op, MPI_Datatype type)
{
    return op == hitop_short_op_last.op && type == hitop_short_op_last.type
               ? hitop_short_op_last.run
               : hitop_short_op_find(op, type);
}

/*
 * 1: a op b and b op a have the same bits, but perhaps for NaNs, which both are then. Not maxima
 * and minima of reals, of zeros that differ in their sign or of a number and a NaN, and not
 * products of complex numbers, which compilers contract.
 */
static inline int short_op_is_alike(MPI_Op op, MPI_Datatype type)
{
    (void)short_op_of(op, type);
    return hitop_short_op_last.is_alike;
}

#endif /* SHORT_OPS_MPI_H */
