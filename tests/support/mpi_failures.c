/* SPDX-License-Identifier: BSD-3-Clause */
/* mpi_failures.c - failures of a test over MPI. */
#include <config.h>

#include "tests/support/mpi_failures.h"

#include "hitop/collectives_mpi.h"

#include <stdio.h>
#include <stdlib.h>

int failures;

void complain(const char *what, int number)
{
    int rank, size;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (failures++ < 5) {
        fprintf(stderr, "rank %d of %d: %s (%d)\n", rank, size, what, number);
    }
}

void check(const char *what, int code)
{
    if (code != MPI_SUCCESS) {
        complain(what, code);
    }
}

void set_algorithm(const char *operation, const char *algorithm)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;

    if (hitop_coll_set(MPI_COMM_WORLD, operation, algorithm, &diag) != HITOP_OK) {
        complain(diag.message, 0);
    }
}

_Noreturn void give_up(const char *why)
{
    perror(why);
    MPI_Abort(MPI_COMM_WORLD, 1);
    exit(EXIT_FAILURE);
}
