/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MODEL_JSON_H
#define MODEL_JSON_H

/* model_json.h - what reader and writer of model files share: the words of the format. */

#include "src/reader_json.h"

#include "hitop/model.h"

#define MODEL_FORMAT "hitop-model"
#define MODEL_CONVENTION "one-way"
#define MODEL_UNIT_TIME "s"
#define MODEL_UNIT_SIZE "B"

enum { MODEL_VERSION = 1 };

/* The tree: hosts and parents of ranks, then the groups. NULL on failure, which the reader holds. */
struct hitop_hierarchy *hitop_model_read_tree(struct reader *r, const json_t *document);

#endif /* MODEL_JSON_H */
