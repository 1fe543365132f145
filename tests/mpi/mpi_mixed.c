/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mpi_mixed.c - the root says "tens of ints", all others say "ints".
 *
 * A legal program: only the sequence of basic types must agree. Algorithms that cut a message by
 * elements of the datatype cut it differently on different ranks. Prints one line for each length;
 * exit status 1 when an int is wrong or an error is returned.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

/* Wrong ints on this rank; all of them where MPI returned an error. */
static int broadcast(int count, int rank)
{
    int *data = calloc((size_t)count, sizeof(*data));
    MPI_Datatype ten;
    int code, wrong = 0;

    if (!data) {
        MPI_Abort(MPI_COMM_WORLD, 1);
        return count;
    }
    MPI_Type_contiguous(10, MPI_INT, &ten);
    MPI_Type_commit(&ten);
    for (int i = 0; rank == 0 && i < count; i++) {
        data[i] = i * 3 + 1;
    }
    code = rank == 0 ? MPI_Bcast(data, count / 10, ten, 0, MPI_COMM_WORLD)
                     : MPI_Bcast(data, count, MPI_INT, 0, MPI_COMM_WORLD);
    for (int i = 0; i < count; i++) {
        wrong += data[i] != i * 3 + 1;
    }
    MPI_Type_free(&ten);
    free(data);
    return code == MPI_SUCCESS ? wrong : count;
}

int main(int argc, char **argv)
{
    const int counts[] = {10, 1000, 16390, 65540, 262150, 524290};
    int rank, size, failed = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
        int wrong = broadcast(counts[i], rank), most = 0;

        MPI_Reduce(&wrong, &most, 1, MPI_INT, MPI_MAX, 0, MPI_COMM_WORLD);
        if (rank == 0) {
            printf("%d ranks, %d ints: %d wrong\n", size, counts[i], most);
            (void)fflush(stdout);
        }
        failed |= most > 0;
    }
    MPI_Bcast(&failed, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
