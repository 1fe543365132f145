/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef NUMBERS_JSON_H
#define NUMBERS_JSON_H

/* numbers_json.h - parameters that belong together, and how well they are known, in a model file. */

#include "src/reader_json.h"

#include "hitop/param.h"

/* Which they are, and where their numbers go. */
struct numbers {
    const struct hitop_param *params;
    size_t n;
    double *at; /* n each: values, standard errors, lower and upper ends */
};

/* Refuse members that are neither fixed nor parameters. */
void hitop_numbers_check_members(struct reader *r, const char *path, json_t *object,
                                 const char *const *fixed, size_t nfixed,
                                 const struct numbers *numbers);

/* Values, standard errors and intervals; the latter two are NULL where the file has none. */
void hitop_numbers_read(struct reader *r, const char *path, const json_t *object,
                        const struct numbers *numbers, const double **params, const double **se,
                        const double **lo, const double **hi);

#endif /* NUMBERS_JSON_H */
