/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef NEXT_MPI_H
#define NEXT_MPI_H

/*
 * next_mpi.h - MPI_Init() and MPI_Init_thread() of the next library: another preloaded tool, or
 * MPI.
 *
 * hitop_fallback (signatures_mpi.h) has the next definitions of the collectives.
 */

struct intercept_next {
    int (*init)(int *argc, char ***argv);
    int (*init_thread)(int *argc, char ***argv, int required, int *provided);
};

extern struct intercept_next hitop_intercept_next; /* set before main() */

/* Store the next definition of `name`, if any, in the function pointer at `target`. */
void hitop_intercept_find_next(const char *name, void *target);

#endif /* NEXT_MPI_H */
