/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef LMO_EQUATIONS_H
#define LMO_EQUATIONS_H

/* lmo_equations.h - the numbers of processors and links for which all times deviate least. */

#include "models/fit/lmo_rows.h"

#include <gsl/gsl_matrix.h>
#include <gsl/gsl_vector.h>

/* The numbers stand as fixed and per-byte ones of processors, then of links, then their means over processors. */
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

/* To be cleared, also on failure. The rows, of processors and links below these numbers, are borrowed. */
enum hitop_status hitop_lmo_equations_init(struct lmo_equations *e, struct lmo_rows *rows,
                                           size_t nprocessors, size_t nlinks,
                                           struct hitop_diag *diag);
void hitop_lmo_equations_clear(struct lmo_equations *e);

/* The numbers for the scale, the deviations and the spreads of e. */
void hitop_lmo_equations_solve(struct lmo_equations *e);

/* Index of the mean of fixed numbers, 0, or of those per byte, 1, over processors. */
size_t hitop_lmo_mean_index(const struct lmo_equations *e, size_t which);

/* What the numbers leave of a time, and how much that counts. */
double hitop_lmo_residual(const struct lmo_equations *e, const struct lmo_row *row);
double hitop_lmo_weight(const struct lmo_equations *e, const struct lmo_row *row);

/* Standard deviation in seconds of the link of a time from its group. */
double hitop_lmo_unlike(const struct lmo_equations *e, const struct lmo_row *row);

#endif /* LMO_EQUATIONS_H */
