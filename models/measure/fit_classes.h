/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef FIT_CLASSES_H
#define FIT_CLASSES_H

/* fit_classes.h - the parameters of classes of links, one link for each. */

#include "hitop/measure.h"

struct fitted_classes {
    struct hitop_class *of;   /* [links] */
    double *numbers;          /* that the classes point to */
    struct hitop_time *times; /* as well */
};

/* Processors may be NULL, for a type that has none; processor_of, too: all ranks belong to the
 * first one. To be cleared, also on failure. */
enum hitop_status
hitop_fit_classes(const struct hitop_model_type *type, const struct hitop_hierarchy *h,
                  const struct hitop_measured *links, const struct hitop_processor *processors,
                  const int *processor_of, struct fitted_classes *out, struct hitop_diag *diag);

/* A fit of n parameters that uses the memory `at`: parameters, standard errors, intervals, then the
 * table. */
static inline struct hitop_fit fit_at(double *at, size_t n, size_t max_rows)
{
    return (struct hitop_fit){.params = at,
                              .se = at + n,
                              .lo = at + 2 * n,
                              .hi = at + 3 * n,
                              .table = at + 4 * n,
                              .max_rows = max_rows};
}

void hitop_fitted_classes_clear(struct fitted_classes *classes);

#endif /* FIT_CLASSES_H */
