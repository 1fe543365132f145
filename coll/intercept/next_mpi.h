/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef NEXT_MPI_H
#define NEXT_MPI_H

/*
 * next_mpi.h - MPI_Init() of the library after the preloaded one: another tool, or MPI.
 *
 * signatures_mpi.h has those of collectives.
 */

struct intercept_next {
    int (*init)(int *argc, char ***argv);
    int (*init_thread)(int *argc, char ***argv, int required, int *provided);
};

extern struct intercept_next hitop_intercept_next; /* set before main() */

/* Store the next definition of `name`, if any, in the function pointer at `target`. */
void hitop_intercept_find_next(const char *name, void *target);

#endif /* NEXT_MPI_H */
