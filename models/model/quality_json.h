/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef QUALITY_JSON_H
#define QUALITY_JSON_H

/* quality_json.h - what a measurement found out about itself, in a model file, which may lack it. */

#include "src/reader_json.h"

#include "models/model/model_impl.h"

/* 1 when the document has it; failures are held by the reader. *verified is to be freed in any case. */
int hitop_quality_read(struct reader *r, const json_t *document, const struct hitop_hierarchy *h,
                       struct hitop_quality *out, struct hitop_verified **verified);

/* That of a model that has it, owned by the caller; NULL: no memory. */
json_t *hitop_quality_value(const struct hitop_model *model);

#endif /* QUALITY_JSON_H */
