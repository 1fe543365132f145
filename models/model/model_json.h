/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MODEL_JSON_H
#define MODEL_JSON_H

/*
 * model_json.h - what readers and the writer of model files share. A struct reader keeps the status
 * of the first failure.
 */

#include "models/model/model_impl.h"
#include "src/reader_json.h"

#define MODEL_FORMAT "hitop-model"
#define MODEL_CONVENTION "one-way"
#define MODEL_UNIT_TIME "s"
#define MODEL_UNIT_SIZE "B"

enum { MODEL_VERSION = 1 };

/* Contents of a file, until the model has copied them. */
struct model_source {
    struct reader r;
    struct memory memory;
    const struct hitop_model_type *type;
    struct hitop_hierarchy *h;
    int *processor_of; /* [ranks]; negative: no class yet */
};

/* Zeroed memory for n elements; NULL after a failure. */
void *hitop_source_take(struct model_source *s, size_t n, size_t size);

/* The hierarchy: hosts and parents of ranks, then the groups. NULL on failure. */
struct hitop_hierarchy *hitop_model_read_tree(struct reader *r, const json_t *document);

/* A class of links. */
void hitop_class_read(struct model_source *s, const char *path, json_t *object,
                      struct hitop_class *out);

/* The class of processors with this index. */
void hitop_processor_read(struct model_source *s, const char *path, json_t *object, int index,
                          struct hitop_processor *out);

#endif /* MODEL_JSON_H */
