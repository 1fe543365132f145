/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CURVE_SOLVE_H
#define CURVE_SOLVE_H

/* curve_solve.h - the sum of terms that is nearest to measured times. */

#include "models/curves/curves.h"

/* A time and its standard error, > 0. */
struct timed_point {
    size_t bytes;
    int ranks;
    double seconds, se;
};

/* Terms that a sum may have. */
struct term_set {
    const struct hitop_fit_term *term[HITOP_FIT_MAX_TERMS];
    int n;
    int may_fall; /* 1: factors below 0 are allowed */
};

/* Opaque; room for sums of so many points. */
struct solver;

/* NULL when out of memory. */
struct solver *hitop_solver_create(size_t max_points);
void hitop_solver_free(struct solver *s);

/* Exactly these terms, all with a factor above 0 unless the set allows others. Gives 0 where there is no such sum, and then leaves a piece
 * without terms. loss: deviations that remain. */
int hitop_solve_all_of(struct solver *s, const struct timed_point *points, size_t n,
                       const struct term_set *set, double confidence, struct hitop_fit_piece *out,
                       double *loss);

/* Those of the terms that leave the least deviations. */
int hitop_solve_some_of(struct solver *s, const struct timed_point *points, size_t n,
                        const struct term_set *set, double confidence, struct hitop_fit_piece *out);

/* Of the terms of a set those whose bits are set. */
struct term_set hitop_term_subset(const struct term_set *set, unsigned bits);

#endif /* CURVE_SOLVE_H */
