/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pingpong.c - pingpong BYTES REPETITIONS PAIRS...: round trips between ranks.
 *
 * BYTES go to the second rank of a pair, one byte comes back. PAIRS are ranks that play at the same
 * time, "0-4,2-6", from a common start; one set of pairs after the other. For each set one line is
 * printed: PAIRS BYTES MINIMUM_US. In each repetition the slowest pair counts; of the repetitions
 * the quickest, because other load on the machine only ever adds time.
 */
#include <config.h>

#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

/* The rank that `rank` plays with, or -1; *first is whether it serves. */
static int partner(const char *pairs, int rank, int *first)
{
    char *end;

    for (const char *p = pairs; *p != '\0'; p = *end == ',' ? end + 1 : end) {
        const int a = (int)strtol(p, &end, 10);
        const int b = *end == '-' ? (int)strtol(end + 1, &end, 10) : -1;

        if (b < 0 || (*end != ',' && *end != '\0')) {
            fprintf(stderr, "pingpong: '%s' is not a list of pairs\n", pairs);
            MPI_Abort(MPI_COMM_WORLD, 2);
        }
        if (rank == a || rank == b) {
            *first = rank == a;
            return *first ? b : a;
        }
    }
    return -1;
}

/* Seconds until the answer is there; 0 for all but the first rank of a pair. */
static double round_trip(char *buffer, int bytes, int peer, int first)
{
    double start;

    MPI_Barrier(MPI_COMM_WORLD);
    start = MPI_Wtime();
    if (peer < 0) {
        return 0;
    }
    if (first) {
        MPI_Send(buffer, bytes, MPI_CHAR, peer, 0, MPI_COMM_WORLD);
        MPI_Recv(buffer, 1, MPI_CHAR, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        return MPI_Wtime() - start;
    }
    MPI_Recv(buffer, bytes, MPI_CHAR, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(buffer, 1, MPI_CHAR, peer, 0, MPI_COMM_WORLD);
    return 0;
}

static void play(const char *pairs, int rank, char *buffer, int bytes, int repetitions)
{
    int first = 0;
    const int peer = partner(pairs, rank, &first);
    double least = HUGE_VAL;

    for (int i = -2; i < repetitions; i++) { /* two to warm up */
        const double mine = round_trip(buffer, bytes, peer, first);
        double slowest;

        MPI_Reduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
        if (rank == 0 && i >= 0 && slowest < least) {
            least = slowest;
        }
    }
    if (rank == 0) {
        printf("%s %d %.1f\n", pairs, bytes, least * 1e6);
        fflush(stdout);
    }
}

int main(int argc, char **argv)
{
    int bytes = 0;
    int repetitions = 0;
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (argc > 3) {
        bytes = atoi(argv[1]);
        repetitions = atoi(argv[2]);
    }
    if (bytes < 0 || repetitions < 1) {
        fprintf(stderr, "usage: pingpong BYTES REPETITIONS PAIRS...\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    char *buffer = calloc((size_t)bytes + 1, 1);

    if (buffer == NULL) {
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    for (int i = 3; i < argc; i++) {
        play(argv[i], rank, buffer, bytes, repetitions);
    }
    free(buffer);
    MPI_Finalize();
    return 0;
}
