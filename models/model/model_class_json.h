/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MODEL_CLASS_JSON_H
#define MODEL_CLASS_JSON_H

/* model_class_json.h - the classes of a model file. Failures are held by the reader. */

#include "models/model/model_impl.h"
#include "src/reader_json.h"

/* Rows of the table of a class, whatever else is right or wrong with it. */
size_t hitop_class_count_rows(const struct hitop_model_type *type, const json_t *object);

/* A class of links. Its numbers go to numbers: 4 x nparams, then those of the table; its times to times. */
void hitop_class_read(struct reader *r, const char *path, json_t *object,
                      const struct hitop_model_type *type, const struct hitop_hierarchy *h,
                      double *numbers, struct hitop_time *times, struct hitop_class *out);

/* The index-th class of processors. Its numbers go to numbers: 4 x nprocessor_params. processor_of has
 * one entry per rank, negative where it has no class yet. */
void hitop_processor_read(struct reader *r, const char *path, json_t *object,
                          const struct hitop_model_type *type, int nranks, int index,
                          double *numbers, int *processor_of, struct hitop_processor *out);

#endif /* MODEL_CLASS_JSON_H */
