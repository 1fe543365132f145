/* SPDX-License-Identifier: BSD-3-Clause */
/* mpi_short_ops.c - sums, maxima and minima of short operands have the bits of MPI's own. One rank.
 */
#include <config.h>

#include "tests/support/draw.h"
#include "tests/support/mpi_failures.h"

#include "coll/runtime/short_ops_mpi.h"

#include <string.h>

enum { TURNS = 50, MOST = SHORT_OP_BYTES };

static uint64_t state;

/* Neither NaN nor -0, and hardly ever without a remainder that sums must round. */
static double number(void)
{
    return (draw(&state, 2000001) - 1000000) / 999.0;
}

static void fill(unsigned char *to, int is_real, size_t bytes)
{
    for (size_t at = 0; at < MOST; at += bytes) {
        if (is_real && bytes == sizeof(double)) {
            memcpy(to + at, &(double){number()}, sizeof(double));
        } else if (is_real) {
            memcpy(to + at, &(float){(float)number()}, sizeof(float));
        } else {
            for (size_t i = 0; i < bytes; i++) {
                to[at + i] = (unsigned char)draw(&state, 256);
            }
        }
    }
}

static void compare(MPI_Op op, MPI_Datatype type, int is_real)
{
    _Alignas(16) unsigned char earlier[MOST], ours[MOST + 8], theirs[MOST + 8];
    const short_op run = short_op_of(op, type);
    int bytes = 0;

    MPI_Type_size(type, &bytes);
    if (!run || run != short_op_of(op, type)) {
        complain("no operation for elements of so many bytes", bytes);
        return;
    }
    for (int turn = 0; turn < TURNS; turn++) {
        const int n = 1 + turn % (MOST / bytes);

        fill(earlier, is_real, (size_t)bytes);
        fill(ours, is_real, (size_t)bytes);
        memset(ours + MOST, 0x5a, 8);
        memcpy(theirs, ours, sizeof(theirs));
        run(earlier, ours, (size_t)(n * bytes));
        check("MPI_Reduce_local failed", MPI_Reduce_local(earlier, theirs, n, type, op));
        if (memcmp(ours, theirs, sizeof(ours)) != 0) {
            complain("other bits than MPI's, elements", n);
            return;
        }
    }
}

static void add(void *in, void *inout, int *count, MPI_Datatype *type)
{
    (void)in, (void)inout, (void)count, (void)type;
}

/* What is MPI's or the program's. */
static void leaves_the_rest(void)
{
    MPI_Datatype pair;
    MPI_Op own;

    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    MPI_Op_create(add, 1, &own);
    if (short_op_of(own, MPI_INT) || short_op_of(own, pair) || short_op_of(MPI_SUM, pair) ||
        short_op_of(MPI_MAXLOC, MPI_2INT) || short_op_of(MPI_BAND, MPI_BYTE) ||
        short_op_of(MPI_PROD, MPI_INT) || short_op_of(MPI_MAX, MPI_UNSIGNED_LONG) ||
        short_op_of(MPI_SUM, MPI_SHORT) || short_op_of(MPI_SUM, MPI_LONG_DOUBLE) ||
        short_op_of(MPI_SUM, MPI_C_DOUBLE_COMPLEX)) {
        complain("an operation of which nothing is known", 0);
    }
    MPI_Op_free(&own);
    MPI_Type_free(&pair);
}

static void compare_all(void)
{
    const MPI_Op ops[] = {MPI_SUM, MPI_MAX, MPI_MIN};
    const struct {
        MPI_Datatype type;
        int is_real, nops;
    } types[] = {{MPI_DOUBLE, 1, 3},   {MPI_FLOAT, 1, 3},     {MPI_INT, 0, 3},
                 {MPI_LONG, 0, 3},     {MPI_LONG_LONG, 0, 3}, {MPI_INT32_T, 0, 3},
                 {MPI_INT64_T, 0, 3},  {MPI_AINT, 0, 3},      {MPI_COUNT, 0, 3},
                 {MPI_OFFSET, 0, 1},   {MPI_UNSIGNED, 0, 1},  {MPI_UNSIGNED_LONG, 0, 1},
                 {MPI_UINT32_T, 0, 1}, {MPI_UINT64_T, 0, 1},  {MPI_UNSIGNED_LONG_LONG, 0, 1}};

    for (size_t t = 0; t < sizeof(types) / sizeof(types[0]); t++) {
        for (int o = 0; o < types[t].nops; o++) {
            compare(ops[o], types[t].type, types[t].is_real);
        }
    }
}

static void of_a_program(void *in, void *inout, int *n, MPI_Datatype *type)
{
    (void)in;
    (void)inout;
    (void)n;
    (void)type;
}

/* Whether two operands may change places, without a difference between runs of a program. */
static void knows_what_is_alike(void)
{
    MPI_Op own;
    MPI_Op_create(of_a_program, 1, &own);
    const struct {
        MPI_Op op;
        MPI_Datatype type;
        int is_alike;
    } cases[] = {{MPI_SUM, MPI_DOUBLE, 1},   {MPI_SUM, MPI_C_DOUBLE_COMPLEX, 1},
                 {MPI_PROD, MPI_FLOAT, 1},   {MPI_PROD, MPI_C_DOUBLE_COMPLEX, 0},
                 {MPI_MAX, MPI_INT, 1},      {MPI_MAX, MPI_DOUBLE, 0},
                 {MPI_MIN, MPI_UINT64_T, 1}, {MPI_MIN, MPI_FLOAT, 0},
                 {MPI_BXOR, MPI_BYTE, 1},    {MPI_MAXLOC, MPI_DOUBLE_INT, 0},
                 {own, MPI_DOUBLE, 0},       {MPI_SUM, MPI_DOUBLE, 1}};

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        for (int again = 0; again < 2; again++) {
            if (short_op_is_alike(cases[i].op, cases[i].type) != cases[i].is_alike) {
                complain("wrong about two operands that change places, case", (int)i);
            }
        }
    }
    MPI_Op_free(&own);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    state = draw_seed();
    compare_all();
    leaves_the_rest();
    knows_what_is_alike();
    MPI_Finalize();
    return failures > 0;
}
