/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef FIT_PROCESSORS_H
#define FIT_PROCESSORS_H

/* fit_processors.h - parameters of processors from the triples that their ranks led. */

#include "hitop/measure.h"

/* One class per rank that led a triple, or none without triples; ranks that did not share the class
 * of the first one on their host, or of the first one at all. */
struct processors {
    struct hitop_processor *of; /* [n] */
    int n;
    int *index;                      /* [nranks] */
    double *numbers;                 /* that the classes point to */
    const struct hitop_hierarchy *h; /* borrowed */
};

/* To be released with hitop_processors_clear(), also on failure. */
enum hitop_status hitop_fit_processors(const struct hitop_model_type *type,
                                       const struct hitop_hierarchy *h,
                                       const struct hitop_measured *triples, struct processors *out,
                                       struct hitop_diag *diag);

/* Make them agree with what was measured on links, where the type knows how. */
enum hitop_status hitop_bound_processors(const struct hitop_model_type *type,
                                         const struct hitop_measured *links, struct processors *p,
                                         struct hitop_diag *diag);

void hitop_processors_clear(struct processors *p);

#endif /* FIT_PROCESSORS_H */
