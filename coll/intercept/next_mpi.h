/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef NEXT_MPI_H
#define NEXT_MPI_H

/*
 * next_mpi.h - MPI_Init() of whatever comes behind the preloaded library: another tool, or MPI.
 *
 * That of collectives is in leave_mpi.h.
 */

struct intercept_next {
    int (*init)(int *argc, char ***argv);
    int (*init_thread)(int *argc, char ***argv, int required, int *provided);
};

extern struct intercept_next hitop_intercept_next; /* before main() */

/* Put the next definition of `name`, if any, into the pointer to a function at `target`. */
void hitop_intercept_find_next(const char *name, void *target);

#endif /* NEXT_MPI_H */
