/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EXPORT_VALIDATION_H
#define EXPORT_VALIDATION_H

/* export_validation.h - errors of a model's predictions, as validate_model has measured them. */

#include "hitop/operation.h"

/* Of some collectives at some sizes. */
struct export_validation;

/*
 * Read a file of validate_model (doc/validation.schema.json). HITOP_ERR_FORMAT: it is another file,
 * or has no measured collective. Release with validation_free().
 */
HITOP_MUST_CHECK enum hitop_status validation_read(const char *path, struct export_validation **out,
                                                   struct hitop_diag *diag);
void validation_free(struct export_validation *validation);

/*
 * How many times as long as the shorter one the longer of prediction and measurement takes, less 1:
 * the larger at the nearest sizes around `bytes`, of all algorithms. -1: the operation was not
 * measured, or `validation` is NULL.
 */
double validation_error(const struct export_validation *validation,
                        const struct hitop_operation *operation, size_t bytes);

#endif /* EXPORT_VALIDATION_H */
