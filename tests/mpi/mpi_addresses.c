/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mpi_addresses.c - planned collectives of data at the absolute addresses of their datatypes.
 * Prints only failures.
 */
#include <config.h>

#include "tests/support/mpi_failures.h"

#include "hitop/collectives_mpi.h"

#include <stdint.h>
#include <stdlib.h>

static int rank, size;

/* Blocks of three pieces out of order with gaps, which only their datatype knows where to find. */
enum { PIECES = 3, PIECE = 5, ELEMENTS = PIECES * PIECE, STRIDE = PIECES * (PIECE + 2) };

static const int order[PIECES] = {2, 0, 1};

struct area {
    int *memory;
    MPI_Datatype type;
};

static int *at(const struct area *a, int block, int element)
{
    return a->memory + block * STRIDE + order[element / PIECE] * (PIECE + 2) + element % PIECE;
}

static struct area make_area(int blocks)
{
    struct area a = {.memory = malloc((size_t)blocks * STRIDE * sizeof(int))};
    MPI_Datatype pieces;
    MPI_Aint where[PIECES];
    int lengths[PIECES];

    if (!a.memory) {
        give_up("malloc");
    }
    for (int i = 0; i < blocks * STRIDE; i++) {
        a.memory[i] = -1;
    }
    for (int i = 0; i < PIECES; i++) {
        lengths[i] = PIECE;
        MPI_Get_address(at(&a, 0, i * PIECE), &where[i]);
    }
    MPI_Type_create_hindexed(PIECES, lengths, where, MPI_INT, &pieces);
    MPI_Type_create_resized(pieces, 0, STRIDE * (MPI_Aint)sizeof(int), &a.type);
    MPI_Type_commit(&a.type);
    MPI_Type_free(&pieces);
    return a;
}

static void free_area(struct area *a)
{
    MPI_Type_free(&a->type);
    free(a->memory);
}

static int value(int from, int to, int element)
{
    return 10000 * from + 100 * to + element;
}

static void fill(const struct area *a, int block, int from, int to)
{
    for (int e = 0; e < ELEMENTS; e++) {
        *at(a, block, e) = value(from, to, e);
    }
}

/* The block, and nothing between its pieces. */
static void expect(const char *what, const struct area *a, int block, int from, int to)
{
    int gaps = 0;

    for (int e = 0; e < ELEMENTS; e++) {
        if (*at(a, block, e) != value(from, to, e)) {
            complain(what, e);
            return;
        }
    }
    for (int i = 0; i < STRIDE; i++) {
        gaps += a->memory[block * STRIDE + i] == -1;
    }
    if (gaps != STRIDE - ELEMENTS) {
        complain("bytes between the pieces were written", block);
    }
}

static void from_one_to_all(int root)
{
    struct area one = make_area(1), all = make_area(size);

    if (rank == root) {
        fill(&one, 0, root, 0);
    }
    check("bcast failed", hitop_bcast(MPI_BOTTOM, 1, one.type, root, MPI_COMM_WORLD));
    expect("wrong contents of bcast", &one, 0, root, 0);
    for (int r = 0; r < size && rank == root; r++) {
        fill(&all, r, root, r);
    }
    check("scatter failed",
          hitop_scatter(MPI_BOTTOM, 1, all.type, MPI_BOTTOM, 1, one.type, root, MPI_COMM_WORLD));
    expect("wrong contents of scatter", &one, 0, root, rank);
    free_area(&one);
    free_area(&all);
}

static void from_all(int root)
{
    struct area one = make_area(1), gathered = make_area(size), all = make_area(size);

    fill(&one, 0, rank, 0);
    check("gather failed", hitop_gather(MPI_BOTTOM, 1, one.type, MPI_BOTTOM, 1, gathered.type, root,
                                        MPI_COMM_WORLD));
    check("allgather failed",
          hitop_allgather(MPI_BOTTOM, 1, one.type, MPI_BOTTOM, 1, all.type, MPI_COMM_WORLD));
    for (int r = 0; r < size; r++) {
        expect("wrong contents of allgather", &all, r, r, 0);
        if (rank == root) {
            expect("wrong contents of gather", &gathered, r, r, 0);
        }
    }
    free_area(&one);
    free_area(&gathered);
    free_area(&all);
}

static void from_all_to_all(void)
{
    struct area send = make_area(size), recv = make_area(size);

    for (int r = 0; r < size; r++) {
        fill(&send, r, rank, r);
    }
    check("alltoall failed",
          hitop_alltoall(MPI_BOTTOM, 1, send.type, MPI_BOTTOM, 1, recv.type, MPI_COMM_WORLD));
    for (int r = 0; r < size; r++) {
        expect("wrong contents of alltoall", &recv, r, r, rank);
    }
    free_area(&send);
    free_area(&recv);
}

/*
 * The operands of the user's operation. Its arguments are the origin of relative addresses; these
 * are absolute.
 */
static const struct area *operands;

static int *operand(void *base, int element)
{
    return (int *)((uintptr_t)base + (uintptr_t)at(operands, 0, element));
}

static void add(void *in, void *inout, int *count, MPI_Datatype *type)
{
    (void)type;
    for (int e = 0; e < ELEMENTS && *count == 1; e++) {
        *operand(inout, e) += *operand(in, e);
    }
}

static void reductions(int root)
{
    struct area sums = make_area(1);
    MPI_Op op;

    operands = &sums;
    MPI_Op_create(add, 1, &op);
    for (int all = 0; all < 2; all++) {
        fill(&sums, 0, 1, rank);
        check("reduction failed",
              all ? hitop_allreduce(MPI_IN_PLACE, MPI_BOTTOM, 1, sums.type, op, MPI_COMM_WORLD)
                  : hitop_reduce(rank == root ? MPI_IN_PLACE : MPI_BOTTOM,
                                 rank == root ? MPI_BOTTOM : NULL, 1, sums.type, op, root,
                                 MPI_COMM_WORLD));
        for (int e = 0; e < ELEMENTS && (all || rank == root); e++) {
            if (*at(&sums, 0, e) != size * value(1, 0, e) + 50 * size * (size - 1)) {
                complain("wrong contents of a reduction", e);
            }
        }
    }
    MPI_Op_free(&op);
    free_area(&sums);
}

static void addresses(void)
{
    set_algorithm("bcast", "auto");
    for (int root = 0; root < size; root++) {
        from_one_to_all(root);
        from_all(root);
        reductions(root);
    }
    from_all_to_all();
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    addresses();
    MPI_Finalize();
    return failures > 0;
}
