/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ERRORS_H
#define ERRORS_H

/* errors.h - errors of predictions, collected. */

#include "models/fit/validation.h"

/* Logarithms of predicted over measured. */
struct error_list {
    double *value; /* owned by the caller of hitop_errors_reserve() */
    int n;
};

/* Reserve room for so many errors; returns 0 without memory. */
int hitop_errors_reserve(struct error_list *list, size_t room);

/* Times of 0 contain no information and are left out. */
void hitop_errors_add(struct error_list *list, double predicted, double measured);

/* Add those of a model at the echoes of the links of a group, or of all. */
void hitop_errors_of_echoes(const struct hitop_model *model, const struct hitop_measured *measured,
                            int node, struct error_list *out);

/* Points of all links together. */
size_t hitop_count_points(const struct hitop_measured *measured);

#endif /* ERRORS_H */
