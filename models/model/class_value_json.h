/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CLASS_VALUE_JSON_H
#define CLASS_VALUE_JSON_H

/* class_value_json.h - the classes of a model as JSON values, owned by the caller; NULL: no memory. */

#include "hitop/model.h"

#include <jansson.h>

json_t *hitop_class_value(const struct hitop_model *model, const struct hitop_class *c);

/* An array. */
json_t *hitop_processors_value(const struct hitop_model *model);

#endif /* CLASS_VALUE_JSON_H */
