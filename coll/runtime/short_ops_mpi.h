/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHORT_OPS_MPI_H
#define SHORT_OPS_MPI_H

/*
 * short_ops_mpi.h - sums, maxima and minima of short operands of the usual types.
 *
 * For a short operand, MPI_Reduce_local() takes longer to check its arguments than to reduce.
 * Results have the same bits as MPI's own, except perhaps for NaNs and for zeros of different
 * signs.
 */

#include "coll/runtime/call_mpi.h"

#include <mpi.h>
#include <stddef.h>

/* later = earlier op later, for `bytes` of whole elements. */
typedef void (*short_op)(const void *earlier, void *later, size_t bytes);

/* Longer operands are as fast with MPI, which uses vector registers. */
enum { SHORT_OP_BYTES = 128 };

/*
 * The last look-up of this thread. It stays right where a handle of a program's own operation or
 * type is reused: the result is the same for all of these, and predefined handles are never reused.
 */
struct short_op_last {
    MPI_Op op;
    MPI_Datatype type;
    short_op run;
    int is_alike;
};

extern PER_THREAD struct short_op_last hitop_short_op_last;

RARELY short_op hitop_short_op_find(MPI_Op op, MPI_Datatype type);

/* NULL: call MPI instead. Neither handle may be a null handle. */
static inline short_op short_op_of(MPI_Op op, MPI_Datatype type)
{
    return op == hitop_short_op_last.op && type == hitop_short_op_last.type
               ? hitop_short_op_last.run
               : hitop_short_op_find(op, type);
}

/*
 * 1: a op b and b op a have the same bits, except perhaps for NaNs. Not so for maxima and minima of
 * reals, which may be zeros of different signs or a number and a NaN, and for products of complex
 * numbers, which compilers contract.
 */
static inline int short_op_is_alike(MPI_Op op, MPI_Datatype type)
{
    (void)short_op_of(op, type);
    return hitop_short_op_last.is_alike;
}

#endif /* SHORT_OPS_MPI_H */
