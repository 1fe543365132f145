/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MATMUL_H
#define MATMUL_H

/*
 * matmul.h - what matmul.c needs beside its collectives: options, matrices, shares; none of it sees
 * MPI.
 */
#include <hitop/status.h>

#define MATMUL_USAGE                                                                               \
    "usage: matmul [-n ROWS] [-m MODEL] [-a ALGORITHM] [-s RANK:FACTOR]... [-r RUNS]"

struct matmul_options {
    int n;       /* rows and columns */
    int runs;    /* of each way */
    int *factor; /* [ranks] how often a rank does its work, to be slow */
    const char *model, *algorithm;
};

/*
 * Square matrices of n rows by rows. Rank 0 has them all; others have B and room for all rows of A
 * and C.
 */
struct matrices {
    int n;
    double *a, *b, *c, *expected;
    double *part, *part_of_c; /* the rows of this rank */
};

/* HITOP_ERR_INVALID with a line that says why, or how to use it. */
enum hitop_status matmul_parse(struct matmul_options *options, int argc, char **argv, int ranks,
                               struct hitop_diag *diag);
void matmul_options_clear(struct matmul_options *options);

/* 0: out of memory. */
int matmul_make(struct matrices *m, int n, int rank);
void matmul_clear(struct matrices *m);

/* Overwrite all that a product has to bring anew: C, and what this rank has of A and B from others.
 */
void matmul_forget_product(struct matrices *m);

/* c = a b for some rows of a; does it @p factor times. */
void matmul_rows(const double *a, const double *b, double *c, int rows, int n, int factor);

/* 1: C is what it should be, or this is not rank 0. */
int matmul_is_right(const struct matrices *m);

/* Deal n rows out in proportion to speeds; counts and displacements in numbers, n for each row. */
void matmul_share(const double *speed, int ranks, int n, int *count, int *displ);

/* Sorts. */
double matmul_median(double *values, int n);

#endif /* MATMUL_H */
