/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef COLLECTIVE_JSON_H
#define COLLECTIVE_JSON_H

/* collective_json.h - the numbers of a model that belong to collectives, each of which may be missing. */

#include "src/reader_json.h"

#include "hitop/sys/model.h"

/* Read them to out, which has room for type->ncollective_params. Returns out, or NULL when the file has
 * none; failures are held by the reader. */
const double *hitop_collective_read(struct reader *r, const json_t *document,
                                    const struct hitop_model_type *type, double *out);

/* An object of those that are known, owned by the caller; NULL: no memory. */
json_t *hitop_collective_value(const struct hitop_model_type *type, const double *numbers);

#endif /* COLLECTIVE_JSON_H */
