/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mpi_memory.c - planned collectives on memory that is out of the ordinary: absolute addresses in datatypes, and
 * more bytes than an int counts. Prints only failures.
 */
#include <config.h>

#include "hitop/collectives_mpi.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static int rank, size, failures;

static void complain(const char *what, int number)
{
    if (failures++ < 5) {
        fprintf(stderr, "mpi_memory: rank %d of %d: %s (%d)\n", rank, size, what, number);
    }
}

static void give_up(const char *why)
{
    perror(why);
    MPI_Abort(MPI_COMM_WORLD, 1);
    exit(EXIT_FAILURE);
}

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

static void check(const char *what, int code)
{
    if (code != MPI_SUCCESS) {
        complain(what, code);
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

/* What the user's operation combines: it is told where relative addresses begin, and these are absolute ones. */
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

static void set(const char *operation, const char *algorithm)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;

    if (hitop_coll_set(MPI_COMM_WORLD, operation, algorithm, &diag) != HITOP_OK) {
        complain(diag.message, 0);
    }
}

static void addresses(void)
{
    set("bcast", "auto");
    for (int root = 0; root < size; root++) {
        from_one_to_all(root);
        from_all(root);
        reductions(root);
    }
    from_all_to_all();
}

/*
 * More than 2 GiB without having them: the same megabytes again and again, but for windows, at which the test looks.
 */
enum { MEMORY = 16 << 20, WINDOW = 64 << 10 };

static unsigned char *reserve(size_t bytes)
{
    unsigned char *range = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    const int file = memfd_create("mpi_memory", 0);

    if (range == MAP_FAILED || file < 0 || ftruncate(file, MEMORY) != 0) {
        give_up("memory");
    }
    for (size_t done = 0; done < bytes; done += MEMORY) {
        const size_t part = bytes - done < MEMORY ? bytes - done : MEMORY;
        if (mmap(range + done, part, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0) ==
            MAP_FAILED) {
            give_up("mmap");
        }
    }
    (void)close(file);
    return range;
}

static void open_window(unsigned char *at)
{
    if (mmap(at, WINDOW, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) ==
        MAP_FAILED) {
        give_up("mmap");
    }
}

static unsigned char mark(size_t i, int of)
{
    return (unsigned char)(i * 31 + i / 251 + (size_t)of * 17 + 1);
}

static void write_window(unsigned char *at, int of)
{
    for (size_t i = 0; i < WINDOW; i++) {
        at[i] = mark(i, of);
    }
}

static void expect_window(const char *what, const unsigned char *at, int of)
{
    for (size_t i = 0; i < WINDOW; i++) {
        if (at[i] != mark(i, of)) {
            complain(what, of);
            return;
        }
    }
}

/* The root's own block moves all others beyond INT_MAX bytes. */
static void gather_much(MPI_Datatype windows)
{
    int *counts = calloc((size_t)size, sizeof(int)), *displs = calloc((size_t)size, sizeof(int));
    unsigned char *send, *recv;
    int end = 0;

    if (!counts || !displs) {
        give_up("malloc");
    }
    for (int r = 0; r < size; r++) {
        counts[r] = r == 0 ? INT32_MAX / WINDOW + 2 : 3 + r;
        displs[r] = end;
        end += counts[r];
    }
    send = reserve((size_t)counts[rank] * WINDOW);
    recv = reserve((size_t)end * WINDOW);
    open_window(send);
    open_window(send + (size_t)(counts[rank] - 1) * WINDOW);
    write_window(send, 2 * rank);
    write_window(send + (size_t)(counts[rank] - 1) * WINDOW, 2 * rank + 1);
    for (int r = 0; r < size; r++) {
        open_window(recv + (size_t)displs[r] * WINDOW);
        open_window(recv + (size_t)(displs[r] + counts[r] - 1) * WINDOW);
    }
    set("gatherv", "flat");
    check("gatherv failed", hitop_gatherv(send, counts[rank], windows, recv, counts, displs,
                                          windows, 0, MPI_COMM_WORLD));
    for (int r = 0; r < size && rank == 0; r++) {
        expect_window("wrong begin of a long block", recv + (size_t)displs[r] * WINDOW, 2 * r);
        expect_window("wrong end of a long block",
                      recv + (size_t)(displs[r] + counts[r] - 1) * WINDOW, 2 * r + 1);
    }
    (void)munmap(send, (size_t)counts[rank] * WINDOW);
    (void)munmap(recv, (size_t)end * WINDOW);
    free(counts);
    free(displs);
}

/* One message beyond INT_MAX bytes. */
static void send_much(MPI_Datatype windows)
{
    const int count = INT32_MAX / WINDOW + 3;
    const int places[] = {0, count / 2, count - 3, count - 2, count - 1};
    unsigned char *memory = reserve((size_t)count * WINDOW);

    set("bcast", "chain");
    for (int i = 0; i < 5; i++) {
        open_window(memory + (size_t)places[i] * WINDOW);
        if (rank == 0) {
            write_window(memory + (size_t)places[i] * WINDOW, i);
        }
    }
    check("bcast failed", hitop_bcast(memory, count, windows, 0, MPI_COMM_WORLD));
    for (int i = 0; i < 5; i++) {
        expect_window("wrong contents of a long message", memory + (size_t)places[i] * WINDOW, i);
    }
    (void)munmap(memory, (size_t)count * WINDOW);
}

static void lengths(void)
{
    MPI_Datatype windows;

    MPI_Type_contiguous(WINDOW, MPI_BYTE, &windows);
    MPI_Type_commit(&windows);
    gather_much(windows);
    send_much(windows);
    MPI_Type_free(&windows);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc > 1) {
        lengths();
    } else {
        addresses();
    }
    MPI_Finalize();
    return failures > 0;
}
