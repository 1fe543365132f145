/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef LMO_EQUATIONS_H
#define LMO_EQUATIONS_H

/*
 * lmo_equations.h - times of triples as times of single links, and the numbers of processors and
 * links for which all of them deviate least.
 */

#include "hitop/sys/model.h"

#include <gsl/gsl_matrix.h>
#include <gsl/gsl_vector.h>

/*
 * For a reply: a round trip with an empty message back. For a fan: the round trip of its last
 * answer, in which the times of the leader count twice.
 */
struct lmo_row {
    int pair[2]; /* processors, ascending */
    int link;    /* group of links */
    size_t bytes;
    int leader; /* of a fan; -1 of a reply */
    double seconds, se;
    double trust; /* 0..1, for the fit */
};

struct lmo_rows {
    struct lmo_row *row; /* by pair, then by size */
    size_t n;
    size_t nlinks;  /* different pairs and sizes */
    double unit;    /* the largest size, at least 1: per-byte numbers are times of so many bytes */
    double longest; /* seconds */
};

/*
 * To be released with hitop_lmo_rows_clear(), also on failure. HITOP_ERR_INVALID: a time without
 * standard error.
 */
enum hitop_status hitop_lmo_rows_fill(const struct hitop_lmo_times *times, size_t ntimes,
                                      struct lmo_rows *out, struct hitop_diag *diag);
void hitop_lmo_rows_clear(struct lmo_rows *rows);

/* The end of the rows with the link and the size of row `first`. */
size_t hitop_lmo_rows_end_of_link(const struct lmo_rows *rows, size_t first);

/*
 * The order of the numbers: a fixed and a per-byte one for each processor, the same for each group
 * of links, then the two means over processors.
 */
struct lmo_equations {
    struct lmo_rows *rows;
    size_t nprocessors, nlinks;
    size_t n;                 /* numbers */
    double scale;             /* of squared standard errors */
    double unlike;            /* standard deviation of links from their group, relative to times */
    double spread[2];         /* of processors from their mean: fixed, and per byte */
    double *value;            /* [n] */
    char *is_zero;            /* [n] not free: it would be negative */
    gsl_matrix *normal;       /* the covariance of the numbers, once solved */
    gsl_vector *right, *size; /* work */
};

/*
 * To be cleared, also on failure. The rows, of processors and links below these numbers, are
 * borrowed.
 */
enum hitop_status hitop_lmo_equations_init(struct lmo_equations *e, struct lmo_rows *rows,
                                           size_t nprocessors, size_t nlinks,
                                           struct hitop_diag *diag);
void hitop_lmo_equations_clear(struct lmo_equations *e);

/* Compute the numbers from scale, unlike and spread. */
void hitop_lmo_equations_solve(struct lmo_equations *e);

/* Index of the mean of fixed numbers, 0, or of those per byte, 1, over processors. */
size_t hitop_lmo_mean_index(const struct lmo_equations *e, size_t which);

/* The residual of a time, and its weight. */
double hitop_lmo_residual(const struct lmo_equations *e, const struct lmo_row *row);
double hitop_lmo_weight(const struct lmo_equations *e, const struct lmo_row *row);

/* Standard deviation in seconds of the link of a time from its group. */
double hitop_lmo_unlike(const struct lmo_equations *e, const struct lmo_row *row);

#endif /* LMO_EQUATIONS_H */
