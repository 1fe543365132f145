/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MPI_FAILURES_H
#define MPI_FAILURES_H

/* mpi_failures.h - failures in a test over MPI, reported and counted. */

#include <mpi.h>

extern int failures;

/* The first few, on stderr. */
void complain(const char *what, int number);

/* An MPI error code is a failure. */
void check(const char *what, int code);

/* For an operation on MPI_COMM_WORLD; that there is none of that name is a failure. */
void set_algorithm(const char *operation, const char *algorithm);

/* End the job with what errno says. */
_Noreturn void give_up(const char *why);

#endif /* MPI_FAILURES_H */
