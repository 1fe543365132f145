/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mpi_strange.c - what few programs do, and a library that is preloaded must not notice. Prints
 * only failures.
 *
 * Ranks close their standard streams and write to them all the same; datatypes are made of
 * Fortran's or with counts of MPI 4; the attributes of MPI_COMM_SELF are used by one rank earlier
 * than by others, and broadcast when they go.
 */
#include "coll/runtime/facts_mpi.h"

#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

enum { ROUNDS = 8, LENGTH = 12 };

static int rank, size, failures;
static FILE *stream;                     /* not one of those that are closed */
static MPI_Comm library = MPI_COMM_NULL; /* of a library that ends with MPI */

static void complain(const char *what, int number)
{
    if (failures++ < 5) {
        fprintf(stream, "rank %d, %s: %d\n", rank, what, number);
        fflush(stream);
    }
}

/* Some broadcasts of `count` elements of the type, which are doubles one after another. */
static void broadcast(const char *what, MPI_Datatype type, int count, int length)
{
    double data[LENGTH];

    for (int round = 0; round < ROUNDS; round++) {
        const int root = round % size;

        for (int i = 0; i < LENGTH; i++) {
            data[i] = rank == root ? round * 100 + i : -1;
        }
        MPI_Bcast(data, count, type, root, MPI_COMM_WORLD);
        for (int i = 0; i < LENGTH; i++) {
            if (data[i] != (rank == root || i < length ? round * 100 + i : -1)) {
                complain(what, i);
            }
        }
    }
}

static void use_type(const char *what, MPI_Datatype type, int length)
{
    MPI_Type_commit(&type);
    broadcast(what, type, 1, length);
    MPI_Type_free(&type);
}

/* MPI has types of its own that have no name. */
static void use_types_of_fortran(void)
{
    MPI_Datatype real, type;

    if (MPI_Type_create_f90_real(15, 307, &real) != MPI_SUCCESS) {
        return;
    }
    MPI_Type_contiguous(LENGTH - 1, real, &type);
    use_type("a run of reals", type, LENGTH - 1);
    MPI_Type_dup(real, &type);
    use_type("a duplicate of a real", type, 1);
    broadcast("a real", real, LENGTH, LENGTH);
}

#if HITOP_MPI_LARGE_COUNTS
static void use_types_with_large_counts(void)
{
    MPI_Datatype type, inner;

    MPI_Type_contiguous_c(LENGTH - 2, MPI_DOUBLE, &type);
    use_type("a run with a large count", type, LENGTH - 2);
    MPI_Type_vector_c(3, 1, 1, MPI_DOUBLE, &type);
    use_type("a vector with large counts", type, 3);
    MPI_Type_contiguous_c(2, MPI_DOUBLE, &inner);
    MPI_Type_contiguous(3, inner, &type);
    MPI_Type_free(&inner);
    use_type("a run of runs", type, 6);
}
#endif

/* The next files that are opened get the numbers of the streams. */
static void close_streams(void)
{
    static const char line[] = "written to a stream that is closed\n";

    if (rank > 0) {
        for (int fd = 0; fd <= 2; fd++) {
            (void)close(fd);
        }
    }
    broadcast("streams are closed", MPI_DOUBLE, LENGTH, LENGTH);
    if (rank > 0) {
        for (int fd = 0; fd <= 2; fd++) {
            for (int k = 0; k < 100; k++) {
                (void)!write(fd, line, sizeof(line));
            }
        }
    }
}

/* MPI_COMM_SELF loses what was attached to it last, first. */
static int on_end(MPI_Comm self, int key, void *value, void *extra)
{
    int done = rank == 0;

    (void)self;
    (void)key;
    (void)value;
    (void)extra;
    MPI_Bcast(&done, 1, MPI_INT, 0, library);
    if (!done) {
        complain("a broadcast at the end", rank);
    }
    return MPI_SUCCESS;
}

static void end_with_a_library(void)
{
    int key;

    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_end, &key, NULL);
    MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL);
    MPI_Comm_free_keyval(&key);
    for (int round = 0; round < ROUNDS; round++) {
        MPI_Bcast(&key, 1, MPI_INT, 0, library);
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    stream = fdopen(dup(2), "w");
    if (!stream) {
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Comm_dup(MPI_COMM_WORLD, &library);
    if (rank == 0) { /* the first collective of this rank alone */
        MPI_Barrier(MPI_COMM_SELF);
    }
    close_streams(); /* before there is shared memory */
    end_with_a_library();
    use_types_of_fortran();
#if HITOP_MPI_LARGE_COUNTS
    use_types_with_large_counts();
#endif
    broadcast("streams were written", MPI_DOUBLE, LENGTH, LENGTH);
    MPI_Finalize();
    return failures > 0;
}
