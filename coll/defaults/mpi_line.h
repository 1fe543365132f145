/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MPI_LINE_H
#define MPI_LINE_H

/* mpi_line.h - the rules of a library in memory, and one line of their text. */

#include "coll/defaults/mpi_types.h"
#include "hitop/rules.h"

/* Conditions on a call, in this order. */
enum mpi_condition {
    MPI_RANKS,
    MPI_HOSTS,
    MPI_RANKS_PER_HOST,
    MPI_BYTES,
    MPI_BALANCED,           /* each host has the same number of ranks */
    MPI_TOTAL,              /* bytes times ranks */
    MPI_COMMUTATIVE,        /* operands commute */
    MPI_POWER_OF_TWO,       /* the number of ranks is one */
    MPI_EVEN,               /* the number of ranks is even */
    MPI_ROOT,               /* 0 where there is none */
    MPI_ELEMENTS,           /* of the message, or of one block */
    MPI_ELEMENTS_PER_RANK,  /* elements / ranks, rounded down */
    MPI_ELEMENTS_PER_POWER, /* elements / the largest power of two of ranks, rounded down */
    MPI_NCONDITIONS
};

/* The beginning of "choose" and "plan". */
struct mpi_when {
    const struct hitop_operation *operation;
    struct hitop_range range[MPI_NCONDITIONS];
};

struct mpi_choose {
    struct mpi_when when;
    const char *algorithm; /* name; its index is known after the last line */
    int index;
    size_t segment;
    int fanout;
    const char *file;
    int line;
};

struct mpi_plan {
    const char *step_algorithm[HITOP_MPI_STEPS]; /* names, or NULL */
    struct mpi_when when;
    const char *algorithm;
    int index;
    struct hitop_mpi_plan plan;
    int has_segments;                 /* 1: the library's segments are those of our algorithm */
    int fanout_param, fanout_of_tree; /* index of the parameter that is the fan-out; -1: none */
    const char *file;
    int line;
};

/*
 * A name of an algorithm. Of several names of one number the first is that of the algorithm; the
 * others, those of older versions of the library, mean the same one.
 */
struct mpi_name {
    const struct hitop_operation *operation;
    const char *name;
    int index;
};

struct hitop_mpi {
    char **text; /* [ntexts] names and lines point into them */
    int ntexts, max_texts;
    struct hitop_mpi_algorithm *algorithm;
    int nalgorithms, max_algorithms;
    struct mpi_name *name;
    int nnames, max_names;
    struct mpi_choose *choose;
    int nchoose, max_choose;
    struct mpi_plan *plan;
    int nplans, max_plans;
};

/* Parse one line, without its comment; words of the line stay in use, so it must outlive `mpi`. */
enum hitop_status hitop_mpi_line(struct hitop_mpi *mpi, char *text, const char *file, int line,
                                 struct hitop_diag *diag);

/* The index of an algorithm, or -1. */
int hitop_mpi_find(const struct hitop_mpi *mpi, const struct hitop_operation *operation,
                   const char *name);

#endif /* MPI_LINE_H */
