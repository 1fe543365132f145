/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MPI_TYPES_H
#define MPI_TYPES_H

/* mpi_types.h - an algorithm of an MPI library, its choice for a call, and our plan of it. */

#include "hitop/choice.h"

/* The rules of one version of a library. Immutable. */
struct hitop_mpi;

/* An algorithm of a library. */
struct hitop_mpi_algorithm {
    const struct hitop_operation *operation;
    int number;       /* in the library's parameters; 0: it has only a name */
    const char *name; /* in its parameters and documents */
    int is_part; /* 1: only a part of other algorithms, on the ranks of a host or between hosts */
};

/* What the library does with a call. */
struct hitop_mpi_choice {
    const struct hitop_mpi_algorithm *algorithm; /* valid as long as the rules */
    size_t segment;                              /* bytes; 0: the message is not divided */
    int fanout;                                  /* 0: the algorithm's own */
    const char *file;                            /* of the rule; valid as long as the rules */
    int line;                                    /* of the rule */
};

enum hitop_mpi_fidelity {
    HITOP_MPI_NO_PLAN, /* there is no plan for the algorithm */
    HITOP_MPI_NEAR,    /* alike: another order of messages, or other lengths of parts */
    HITOP_MPI_SAME,    /* the same messages in the same order */
    HITOP_MPI_CALLS,   /* the library calls its own other operations, one after another */
    HITOP_MPI_LEVELS   /* operations on the ranks of each host and between hosts */
};

enum { HITOP_MPI_CALLED = 2, HITOP_MPI_STEPS = 4 };

/* A step of an algorithm with levels. */
struct hitop_mpi_step {
    int between; /* 1: between the leaders of the hosts; 0: on each host */
    const struct hitop_operation *operation;
    const struct hitop_mpi_algorithm *algorithm; /* NULL: what the library chooses */
};

/* Our plan of an algorithm. */
struct hitop_mpi_plan {
    enum hitop_mpi_fidelity fidelity;
    struct hitop_choice choice; /* HITOP_MPI_NEAR and HITOP_MPI_SAME */
    /* HITOP_MPI_CALLS: the operations; hitop_mpi_called() makes their calls */
    const struct hitop_operation *calls[HITOP_MPI_CALLED];
    /* HITOP_MPI_LEVELS: the steps, and the bytes of segments for which they overlap, or 0 */
    struct hitop_mpi_step steps[HITOP_MPI_STEPS];
    int nsteps;
    size_t segment;
};

#endif /* MPI_TYPES_H */
