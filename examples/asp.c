/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * asp.c - all pairs' shortest paths, a program that knows nothing of Hitop.
 *
 * Floyd and Warshall's algorithm on a complete graph with made-up weights: in step k every rank
 * shortens its rows by way of vertex k, for which it needs row k from the rank that has it. Rows
 * are dealt out in blocks, so that the root of the broadcast changes every n/p steps, one by one,
 * so that it changes every step, or unevenly, in blocks of which that of rank r is r + 1 times as
 * long as that of rank 0. A rank begins a step when it has finished the one before; only the
 * broadcast makes ranks wait.
 *
 *     mpirun -n 4 asp 2000
 *     mpirun -n 4 -x LD_PRELOAD=libhitop_coll.so asp 2000
 *
 * print the same checksum, and how long it took.
 */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How rows are dealt out. */
enum deal { BLOCK, CYCLIC, UNEVEN };

static const char *const deals[] = {"block", "cyclic", "uneven"};

/* A matrix, of which this rank has some rows. */
struct part {
    int n, rank, size;
    enum deal deal;
    int nrows;
    int *rows; /* [nrows][n] */
};

/* The first row of the block of `rank`; it has none if that is n or more, or the next rank's. */
static int first_of(const struct part *p, int rank)
{
    const int64_t ranks = p->size, before = (int64_t)rank * (rank + 1), all = ranks * (ranks + 1);

    return p->deal == UNEVEN ? (int)(p->n * before / all) : rank * ((p->n + p->size - 1) / p->size);
}

static int owner_of(const struct part *p, int row)
{
    int rank = 0;

    if (p->deal == CYCLIC) {
        return row % p->size;
    }
    while (rank + 1 < p->size && first_of(p, rank + 1) <= row) {
        rank++;
    }
    return rank;
}

/* The place of a row among those of its owner. */
static int place_of(const struct part *p, int row)
{
    return p->deal == CYCLIC ? row / p->size : row - first_of(p, owner_of(p, row));
}

static int weight(int from, int to)
{
    uint32_t x = (uint32_t)from * 2654435761u ^ (uint32_t)to * 2246822519u;

    x = (x ^ x >> 15) * 3266489917u;
    return from == to ? 0 : (int)(x >> 12) + 1; /* up to a million: paths have several edges */
}

static int *get(size_t n)
{
    int *memory = malloc((n + 1) * sizeof(*memory));

    if (!memory) {
        fputs("asp: out of memory\n", stderr);
        MPI_Abort(MPI_COMM_WORLD, 1);
        exit(EXIT_FAILURE);
    }
    return memory;
}

static void make_rows(struct part *p)
{
    p->nrows = 0;
    for (int r = 0; r < p->n; r++) {
        p->nrows += owner_of(p, r) == p->rank;
    }
    p->rows = get((size_t)p->nrows * (size_t)p->n);
    for (int r = 0; r < p->n; r++) {
        int *row = p->rows + (size_t)place_of(p, r) * (size_t)p->n;
        for (int c = 0; c < p->n && owner_of(p, r) == p->rank; c++) {
            row[c] = weight(r, c);
        }
    }
}

/* Shorten the rows by way of vertex k, whose row this is. */
static void relax(const struct part *p, int k, const int *via)
{
    for (int r = 0; r < p->nrows; r++) {
        int *row = p->rows + (size_t)r * (size_t)p->n;
        const int to_k = row[k];
        for (int c = 0; c < p->n; c++) {
            const int by_k = to_k + via[c];
            row[c] = by_k < row[c] ? by_k : row[c];
        }
    }
}

/* Returns the seconds of this rank within MPI_Bcast(). */
static double solve(const struct part *p)
{
    int *via = get((size_t)p->n);
    double seconds = 0;

    for (int k = 0; k < p->n; k++) {
        const int owner = owner_of(p, k);
        int *row = p->rank == owner ? p->rows + (size_t)place_of(p, k) * (size_t)p->n : via;
        const double start = MPI_Wtime();
        MPI_Bcast(row, p->n, MPI_INT, owner, MPI_COMM_WORLD);
        seconds += MPI_Wtime() - start;
        relax(p, k, row);
    }
    free(via);
    return seconds;
}

/* Of all rows, on all ranks. */
static uint64_t checksum(const struct part *p)
{
    uint64_t sum = 0, all;

    for (int r = 0; r < p->n; r++) {
        const int *row = p->rows + (size_t)place_of(p, r) * (size_t)p->n;
        for (int c = 0; c < p->n && owner_of(p, r) == p->rank; c++) {
            sum += (uint64_t)row[c] * ((uint64_t)r * 31 + (uint64_t)c * 17 + 1);
        }
    }
    MPI_Reduce(&sum, &all, 1, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
    return p->rank == 0 ? all : 0;
}

static int parse(struct part *p, int argc, char **argv)
{
    char *end;
    const long n =
        strtol(argc > 1 ? argv[1] : "1000", &end, 10); /* out of range: the largest long */

    p->n = n >= 1 && n <= 40000 ? (int)n : 0;
    p->deal = BLOCK;
    while (argc > 2 && p->deal <= UNEVEN && strcmp(argv[2], deals[p->deal]) != 0) {
        p->deal++;
    }
    return argc <= 3 && *end == '\0' && p->n > 0 && p->deal <= UNEVEN;
}

/* -h or --help, alone. */
static int asks_for_help(int argc, char **argv)
{
    return argc == 2 && (strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "--help") == 0);
}

int main(int argc, char **argv)
{
    struct part p;
    double seconds[2];
    uint64_t sum;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &p.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p.size);
    if (asks_for_help(argc, argv) || !parse(&p, argc, argv)) {
        const int help = asks_for_help(argc, argv);
        if (p.rank == 0) {
            fputs("usage: asp [VERTICES [block|cyclic|uneven]], 1 to 40000 vertices\n",
                  help ? stdout : stderr);
        }
        MPI_Finalize();
        return help ? EXIT_SUCCESS : 2;
    }
    make_rows(&p);
    MPI_Barrier(MPI_COMM_WORLD);
    seconds[0] = MPI_Wtime();
    seconds[1] = solve(&p);
    seconds[0] = MPI_Wtime() - seconds[0];
    MPI_Allreduce(MPI_IN_PLACE, seconds, 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    sum = checksum(&p);
    if (p.rank == 0) {
        printf("%d vertices, %d ranks, checksum %016llx, %.3f s, up to %.3f s of a rank in "
               "MPI_Bcast\n",
               p.n, p.size, (unsigned long long)sum, seconds[0], seconds[1]);
    }
    free(p.rows);
    MPI_Finalize();
    return EXIT_SUCCESS;
}
