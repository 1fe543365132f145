/* SPDX-License-Identifier: BSD-3-Clause */
/* short_ops_mpi.c - see short_ops_mpi.h. */
#include <config.h>

#include "coll/runtime/short_ops_mpi.h"

#include "coll/runtime/types_mpi.h"

#include <stdint.h>
#include <string.h>

PER_THREAD struct short_op_last hitop_short_op_last;

/*
 * The addresses may be unaligned and the elements of any effective type; compilers turn the copies
 * into register moves.
 */
#define OPERATION(name, type, expression)                                                          \
    static void name(const void *earlier, void *later, size_t bytes)                               \
    {                                                                                              \
        const unsigned char *from = earlier;                                                       \
        unsigned char *to = later;                                                                 \
                                                                                                   \
        for (size_t at = 0; at < bytes; at += sizeof(type)) {                                      \
            type a, b;                                                                             \
                                                                                                   \
            memcpy(&a, from + at, sizeof(a));                                                      \
            memcpy(&b, to + at, sizeof(b));                                                        \
            b = expression;                                                                        \
            memcpy(to + at, &b, sizeof(b));                                                        \
        }                                                                                          \
    }

#define SUM(name, type) OPERATION(sum_##name, type, a + b)

#define ORDER(name, type)                                                                          \
    OPERATION(max_##name, type, b > a ? b : a)                                                     \
    OPERATION(min_##name, type, b < a ? b : a)

SUM(32, uint32_t) /* two's complement: for signed integers, too */
SUM(64, uint64_t)
SUM(float, float)
SUM(double, double)
ORDER(i32, int32_t)
ORDER(i64, int64_t)
ORDER(float, float)
ORDER(double, double)

/*
 * The kind of the elements in C. MPI libraries do not agree on the order of UNSIGNED values from
 * 2^63 on.
 */
enum kind { INTEGER, UNSIGNED, REAL, OTHER };

static enum kind kind_of(MPI_Datatype type)
{
    const struct {
        MPI_Datatype type;
        enum kind kind;
    } known[] = {{MPI_DOUBLE, REAL},
                 {MPI_FLOAT, REAL},
                 {MPI_DOUBLE_PRECISION, REAL},
                 {MPI_REAL, REAL},
                 {MPI_INT, INTEGER},
                 {MPI_LONG, INTEGER},
                 {MPI_LONG_LONG_INT, INTEGER},
                 {MPI_INT32_T, INTEGER},
                 {MPI_INT64_T, INTEGER},
                 {MPI_INTEGER, INTEGER},
                 {MPI_AINT, INTEGER},
                 {MPI_COUNT, INTEGER},
                 {MPI_OFFSET, UNSIGNED},
                 {MPI_UNSIGNED, UNSIGNED},
                 {MPI_UNSIGNED_LONG, UNSIGNED},
                 {MPI_UNSIGNED_LONG_LONG, UNSIGNED},
                 {MPI_UINT32_T, UNSIGNED},
                 {MPI_UINT64_T, UNSIGNED}};

    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        if (type == known[i].type) {
            return known[i].kind;
        }
    }
    return OTHER;
}

static int is_alike(MPI_Op op, enum kind kind)
{
    const MPI_Op always[] = {MPI_SUM, MPI_LAND, MPI_BAND, MPI_LOR, MPI_BOR, MPI_LXOR, MPI_BXOR};

    for (size_t i = 0; i < sizeof(always) / sizeof(always[0]); i++) {
        if (op == always[i]) {
            return 1;
        }
    }
    return op == MPI_PROD ? kind != OTHER
                          : (op == MPI_MAX || op == MPI_MIN) && kind != OTHER && kind != REAL;
}

short_op hitop_short_op_find(MPI_Op op, MPI_Datatype type)
{
    enum { SUM_OF, MAX_OF, MIN_OF, OPERATIONS };
    static const short_op ops[OTHER][2][OPERATIONS] = {
        [INTEGER] = {{sum_32, max_i32, min_i32}, {sum_64, max_i64, min_i64}},
        [UNSIGNED] = {{[SUM_OF] = sum_32}, {[SUM_OF] = sum_64}},
        [REAL] = {{sum_float, max_float, min_float}, {sum_double, max_double, min_double}},
    };
    const enum kind kind = kind_of(type);
    const size_t bytes = hitop_type_size(type);
    const int which = op == MPI_SUM   ? SUM_OF
                      : op == MPI_MAX ? MAX_OF
                      : op == MPI_MIN ? MIN_OF
                                      : OPERATIONS;

    hitop_short_op_last = (struct short_op_last){op, type, NULL, is_alike(op, kind)};
    if (kind != OTHER && (bytes == 4 || bytes == 8) && which != OPERATIONS) {
        hitop_short_op_last.run = ops[kind][bytes == 8][which];
    }
    return hitop_short_op_last.run;
}
