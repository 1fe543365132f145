/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef FIT_IMPL_H
#define FIT_IMPL_H

/* fit_impl.h - parameters of processors, from the triples that their ranks led. */

#include "hitop/measure.h"

/*
 * One class for each rank that led a triple; none without triples. Other ranks share the class of
 * the first rank of their host, or the first class.
 */
struct processors {
    struct hitop_processor *of; /* [n] */
    int n;
    int *index;                      /* [nranks] */
    double *numbers;                 /* that the classes borrow */
    const struct hitop_hierarchy *h; /* borrowed */
};

/* To be released with hitop_processors_clear(), also on failure. */
enum hitop_status hitop_fit_processors(const struct hitop_model_type *type,
                                       const struct hitop_hierarchy *h,
                                       const struct hitop_measured *triples, struct processors *out,
                                       struct hitop_diag *diag);

/* Make the parameters agree with the points of links, if the type can do that. */
enum hitop_status hitop_bound_processors(const struct hitop_model_type *type,
                                         const struct hitop_measured *links, struct processors *p,
                                         struct hitop_diag *diag);

void hitop_processors_clear(struct processors *p);

/*
 * A fit of n parameters that uses the memory `at`: parameters, standard errors, intervals, then the
 * table.
 */
static inline struct hitop_fit fit_at(double *at, size_t n, size_t max_rows)
{
    return (struct hitop_fit){.params = at,
                              .se = at + n,
                              .lo = at + 2 * n,
                              .hi = at + 3 * n,
                              .table = at + 4 * n,
                              .max_rows = max_rows};
}

/*
 * Set is_synchronous and synchronous of a class: the smallest measured size from which the send
 * call lasts nine tenths of the one-way time or longer, up to the largest size. Unchanged if there
 * is none, or if send calls were not timed.
 */
void hitop_find_synchronous(const struct hitop_evidence *e, struct hitop_class *out);

/* Add the samples of some curves, and clear *converged unless all their points are. */
void hitop_count_samples(const struct hitop_curve *curve, int ncurves, int *nsamples,
                         int *converged);

#endif /* FIT_IMPL_H */
