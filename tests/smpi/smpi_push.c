/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * smpi_push.c - how long the root of a broadcast stays whose other nodes come a second later, and
 * in the next one, to which all come together.
 *
 * usage: smpi_push BYTES..., under smpirun
 *
 * For each length a line "BYTES leaves" or "BYTES stays", and the microseconds of the next one.
 */
#include <config.h>

#include "hitop/bcast_mpi.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WARM = 3 };

static int rank;

static int byte_of(size_t i, int turn)
{
    return (int)(i * 7 + i / 251 + (size_t)turn) & 0xff;
}

/* Seconds that this rank is in the broadcast. */
static double broadcast(unsigned char *data, int bytes, int turn)
{
    const double began = MPI_Wtime();
    double took;

    for (int i = 0; i < bytes; i++) {
        data[i] = (unsigned char)(rank == 0 ? byte_of((size_t)i, turn) : 0);
    }
    if (hitop_bcast(data, bytes, MPI_BYTE, 0, MPI_COMM_WORLD) != MPI_SUCCESS) {
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    took = MPI_Wtime() - began;
    for (int i = 0; i < bytes; i++) {
        if (data[i] != byte_of((size_t)i, turn)) {
            fprintf(stderr, "rank %d: byte %d of %d is wrong\n", rank, i, bytes);
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
    }
    return took;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int a = 1; a < argc; a++) {
        const int bytes = atoi(argv[a]);
        unsigned char *data = malloc((size_t)bytes);
        double late, next;

        for (int turn = 0; turn < WARM; turn++) {
            MPI_Barrier(MPI_COMM_WORLD);
            (void)broadcast(data, bytes, turn);
        }
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank > 0) {
            sleep(1);
        }
        late = broadcast(data, bytes, WARM);
        MPI_Barrier(MPI_COMM_WORLD);
        next = broadcast(data, bytes, WARM + 1);
        if (rank == 0) {
            printf("%d %s %.0f\n", bytes, late < 0.5 ? "leaves" : "stays", 1e6 * next);
        }
        free(data);
    }
    MPI_Finalize();
    return 0;
}
